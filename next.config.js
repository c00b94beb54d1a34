import createNextIntlPlugin from 'next-intl/plugin';

/** For everything; pages get the stricter one with a nonce from proxy.ts. */
const BASELINE_CSP =
  "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; script-src 'self'; style-src 'self'";

const SECURITY_HEADERS = [
  { key: 'Content-Security-Policy', value: BASELINE_CSP },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=(), usb=()' },
];

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  images: { unoptimized: true },
  // `npm run typecheck` checks types; a first start on somebody's machine should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  experimental: {
    authInterrupts: true,
    optimizePackageImports: ['@mantine/core', '@mantine/charts', '@mantine/dates', '@tabler/icons-react'],
  },
  headers: async () => [{ source: '/:path*', headers: SECURITY_HEADERS }],
};

export default createNextIntlPlugin('./app/_i18n/request.ts')(config);
