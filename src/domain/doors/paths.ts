/**
 * Paths of the gateway's endpoints. The routes below `/v1` are in `rest/routes.ts`. `{id}` stands for one
 * segment.
 */
export const paths = {
  start: '/',
  graphql: '/graphql',
  rest: '/v1',
  mcp: '/mcp',
  openapi: '/v1/openapi.json',
  openapiYaml: '/v1/openapi.yaml',
  docs: '/docs',
  assets: '/assets/{id}',
  consoleAssets: '/console/assets/{id}',
  consoleConfig: '/console/config.json',
  attachment: '/attachments/{id}',
  invitation: '/invitations/{id}',
  mailLink: '/r/{id}',
  calendarFeed: '/calendar/{id}',
  session: '/session',
  setup: '/setup',
  /** Address at which password managers look for the page that changes a password (W3C). */
  changePassword: '/.well-known/change-password',
  /** Addresses at which clients of `/mcp` find the issuer (RFC 9728). */
  protectedResource: '/.well-known/oauth-protected-resource',
  protectedMcp: '/.well-known/oauth-protected-resource/mcp',
  live: '/health/live',
  ready: '/health/ready',
  /** Other addresses of the checks and of the document, which programs try first. */
  livez: '/livez',
  readyz: '/readyz',
  openapiAtRoot: '/openapi.json',
  /** Tells `doctor` how its request arrived through the proxies. */
  route: '/health/route',
  metrics: '/metrics',
} as const;

/** Sections of the console with a list or parts. Each has a page below it for each record or part. */
const consoleSections = [
  '/items',
  '/inbox',
  '/contacts',
  '/companies',
  '/locations',
  '/vehicles',
  '/types',
  '/imports',
  '/reminders',
  '/deliveries',
  '/settings',
] as const;

/**
 * Addresses of the console's screens, besides the start page. Browsers get the console there, programs a 404.
 */
export const consoleScreens: readonly string[] = [
  '/calendar',
  '/callback',
  paths.setup,
  '/sign-in/link',
  '/sign-in/enroll',
  '/sign-in/reset',
  ...consoleSections.flatMap((section) => [section, `${section}/{id}`]),
];
