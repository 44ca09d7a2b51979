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
} as const;

/** A list that can be exported. */
export type ExportKind = keyof typeof exportedQueries;

export const exportKinds = Object.keys(exportedQueries) as ExportKind[];

/** Returns the path of a list's file. */
export const exportPath = (kind: ExportKind): string => `/v1/export/${kind}.csv`;

/** Returns the path of an exported workspace's file. */
export const teamExportPath = (id: string): string => `/v1/exports/${id}/workspace.zip`;
