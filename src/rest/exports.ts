import type { ExportKind } from '../domain/doors/exports.js';
import type { ListRoute } from '../domain/doors/route.js';
import { routes } from './routes.js';

export { type ExportKind, exportKinds, exportPath } from '../domain/doors/exports.js';

/** The REST lists that are exported as files, by the names of the files. */
const listPaths: Readonly<Record<ExportKind, string>> = {
  items: '/v1/expirationitems',
  contacts: '/v1/contacts',
  vehicles: '/v1/vehicles',
  locations: '/v1/locations',
  companies: '/v1/companies',
  types: '/v1/categories',
  events: '/v1/eventlogs',
  renewals: '/v1/expirationitems/{id}/renewals',
};

/** Parameters of a list that its file does not have, because it contains all rows. */
const ofPages: readonly string[] = ['page', 'paging', 'cursor', 'includefilecontent'];

/** Returns the route whose parameters, order and rights a file has. Renewals are those of all items. */
export function exportedList(kind: ExportKind): ListRoute {
  const found = routes.find((route) => route.kind === 'list' && route.path === listPaths[kind]);
  if (found?.kind !== 'list') throw new Error(`No route lists ${kind}.`);
  const { of: _owner, parameters, ...route } = found;
  return { ...route, parameters: parameters.filter(isExportParameter) };
}

/** Returns whether a parameter of a list is also one of its file. */
export const isExportParameter = (name: string): boolean => !ofPages.includes(name.toLowerCase());
