import type { EntityKind } from '../models.js';

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
  consoleWorker: '/console/worker.js',
  attachment: '/attachments/{id}',
  invitation: '/invitations/{id}',
  mailLink: '/r/{id}',
  documentRequest: '/asked/{id}',
  complianceLink: '/gate/{id}',
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
  '/requests',
  '/contacts',
  '/companies',
  '/locations',
  '/vehicles',
  '/types',
  '/requirements',
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
  '/compliance',
  '/callback',
  paths.setup,
  '/sign-in/link',
  '/sign-in/enroll',
  '/sign-in/reset',
  ...consoleSections.flatMap((section) => [section, `${section}/{id}`]),
];

/** Folders of the console with a page for each record of a kind. */
const folders = {
  expirationItem: 'items',
  vehicle: 'vehicles',
  contact: 'contacts',
  company: 'companies',
  location: 'locations',
  category: 'types',
  reminderPolicy: 'reminders',
  requirement: 'requirements',
  uploadNotification: 'inbox',
} as const satisfies Partial<Record<EntityKind, string>>;

/** A kind of records that have a page in the console. */
type KindWithPage = keyof typeof folders;

/** Kinds of records that have a page in the console. */
export const kindsWithPage = Object.keys(folders) as readonly KindWithPage[];

/** Tells whether the records of a kind have a page in the console. */
export const hasPage = (kind: string | undefined): kind is KindWithPage =>
  kind !== undefined && Object.hasOwn(folders, kind);

/** Returns the address of the console's list of a kind. @param origin the gateway's public address */
export const listPage = (origin: string, kind: KindWithPage): string => `${origin}/${folders[kind]}`;

/** Returns the address of a record's page in the console. @param origin the gateway's public address */
export const recordPage = (origin: string, kind: KindWithPage, id: string): string =>
  `${listPage(origin, kind)}/${id}`;

/** Returns the address of the console's list of records by their compliance. @param filter what is left out does not narrow */
export function compliancePage(origin: string, filter: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${origin}/compliance?${new URLSearchParams(given)}`;
}

/** Returns the address of the console's list of all items that a delivery tells of. */
export const toldPage = (origin: string, deliveryId: string): string =>
  `${listPage(origin, 'expirationItem')}?mail=${deliveryId}&status=all`;

/** The lists that can be exported as files, with their queries in GraphQL. */
export const exportedQueries = {
  items: 'expirationItems',
  contacts: 'contacts',
  vehicles: 'vehicles',
  locations: 'locations',
  companies: 'companies',
  types: 'categories',
  events: 'eventLogs',
  renewals: 'renewals',
  requirements: 'requirements',
  compliance: 'compliances',
} as const;

/** A list that can be exported. */
export type ExportKind = keyof typeof exportedQueries;

export const exportKinds = Object.keys(exportedQueries) as ExportKind[];

/** Returns the path of a list's file. */
export const exportPath = (kind: ExportKind): string => `/v1/export/${kind}.csv`;

/** Returns the path of an exported workspace's file. */
export const teamExportPath = (id: string): string => `/v1/exports/${id}/workspace.zip`;

/** The kinds of records that files can have, as REST spells them. */
export const importListWords = ['items', 'contacts', 'vehicles', 'locations', 'companies', 'types'] as const;

/** The kinds of imports, as REST spells them. */
export const importKindWords = [...importListWords, 'workspace'] as const;
