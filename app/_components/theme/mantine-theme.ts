import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { ACCENT_SHADES } from '@/lib/present/theme';

const accent: MantineColorsTuple = ACCENT_SHADES;

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  // Black or white text, whichever has the larger contrast: the two meet at this luminance, at 4.6 to 1.
  autoContrast: true,
  luminanceThreshold: 0.179,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', Consolas, monospace",
  headings: {
    fontFamily: 'inherit',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    // Upper-case words are hard to read in Russian, and codes lose their case.
    Badge: { defaultProps: { tt: 'none', radius: 'sm' } },
  },
});

/** Mantine's own greys and reds miss WCAG AA for text on our backgrounds; these reach it. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-success': 'var(--mantine-color-teal-9)',
    '--mantine-color-red-text': 'var(--mantine-color-red-9)',
    '--mantine-color-orange-text': '#a63c06',
    '--mantine-color-yellow-text': '#8a5a00',
    '--mantine-color-teal-text': '#087052',
    '--mantine-color-cyan-text': '#0b6477',
    '--mantine-color-gray-text': 'var(--mantine-color-gray-7)',
    '--mantine-color-orange-light-color': '#8a3100',
    '--mantine-color-yellow-light-color': '#6b4600',
    '--mantine-color-teal-light-color': '#06543e',
    '--mantine-color-cyan-light-color': '#094e5d',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-success': 'var(--mantine-color-teal-4)',
    '--mantine-color-gray-text': 'var(--mantine-color-gray-4)',
    '--mantine-color-anchor': 'var(--mantine-color-accent-3)',
    '--mantine-color-accent-text': 'var(--mantine-color-accent-3)',
  },
});
