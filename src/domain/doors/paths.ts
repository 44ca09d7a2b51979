/**
 * Paths of the gateway's endpoints, for those who answer, link to or name them. The rows below `/v1` are in
 * `rest/routes.ts`. `{id}` stands for one segment.
 */
export const paths = {
  start: '/',
  graphql: '/graphql',
  rest: '/v1',
  openapi: '/v1/openapi.json',
  openapiYaml: '/v1/openapi.yaml',
  docs: '/docs',
  assets: '/assets/{id}',
  consoleAssets: '/console/assets/{id}',
  consoleConfig: '/console/config.json',
  attachment: '/attachments/{id}',
  invitation: '/invitations/{id}',
  mailLink: '/r/{id}',
  live: '/health/live',
  ready: '/health/ready',
  metrics: '/metrics',
} as const;

/** Sections of the console that are lists, or parts. Each has a page below it for each record or part. */
const consoleSections = [
  '/items',
  '/inbox',
  '/contacts',
  '/companies',
  '/locations',
  '/vehicles',
  '/types',
  '/reminders',
  '/deliveries',
  '/settings',
] as const;

/** Addresses of the console's screens, beside the start page. Browsers get the console there, and programs nothing. */
export const consoleScreens: readonly string[] = [
  '/calendar',
  '/callback',
  ...consoleSections.flatMap((section) => [section, `${section}/{id}`]),
];
