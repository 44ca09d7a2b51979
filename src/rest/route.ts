import { type ListParameter, type ListRoute, type Route, sharedParameters } from '../domain/doors/route.js';
import { largestFile } from '../domain/files.js';
import { hasFiles } from './models.js';

/** Lists the query parameters that a list accepts although its route does not name them. */
export function addedParameters({ parameters, added = [], pageSize, model }: ListRoute): ListParameter[] {
  const ours = [...added, ...sharedParameters, 'includeFileContent'] as const;
  return ours.filter((name) => {
    if (name === 'paging' && pageSize !== undefined) return false;
    return !parameters.includes(name) && (name !== 'includeFileContent' || hasFiles(model));
  });
}

/** Maximum bytes of a body: more if files can be sent (docs/rest.md). */
export const largestBodies = { standard: 1024 * 1024, files: largestFile } as const;

/** Returns the id of a route's operation in OpenAPI. */
export const operationIdOf = ({ operation, field }: Route) => operation ?? field;

/** Returns whether a route creates a record. A POST to an existing record does not. */
export const creates = (route: Route) =>
  route.kind === 'write' && route.method === 'POST' && !route.path.includes('{id}');

/** Returns the default of `includeFileContent`; undefined for a route without files. */
export function showsFiles(route: Route): boolean | undefined {
  if (route.kind === 'write' || route.kind === 'patch') return route.files;
  if (route.kind === 'list' && hasFiles(route.model)) return route.fileContent ?? false;
  return route.kind === 'read' ? route.fileContent : undefined;
}

/** Returns whether requests for a route have a body. */
export const takesBody = ({ kind }: Route) => kind === 'write' || kind === 'patch' || kind === 'receive';

/** Returns the maximum bytes of a route's body. */
export function bodyLimit(route: Route | undefined): number {
  return (route?.kind === 'write' || route?.kind === 'patch') && route.files
    ? largestBodies.files
    : largestBodies.standard;
}
