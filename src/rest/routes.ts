import type { ExportKind } from '../domain/doors/paths.js';
import {
  type Heading,
  type ListParameter,
  type ListRoute,
  type Route,
  sharedParameters,
} from '../domain/doors/route.js';
import { largestFile } from '../domain/files.js';
import { resources } from '../graphql/resources.js';
import { headingOf, type Model, routesOf, type Served } from '../records/declare/endpoints.js';
import { memberName } from '../web/parameters.js';

const isServed = (resource: object): resource is Served => 'rest' in resource && resource.rest !== undefined;

/** The resources that have endpoints. */
const served: readonly Served[] = resources.filter(isServed);

/** Lists the models of a resource. Its own has the fields that both doors show. */
function modelsOf({ model: type, rest, fields = {} }: Served): [string, Model][] {
  const both = Object.keys(fields).filter((name) => fields[name]?.door === 'both');
  const members = [...new Set([...(rest.members ?? []), ...both])];
  const all: [string, Model][] = [[rest.model, { type, members }], ...Object.entries(rest.models ?? {})];
  return all.map(([name, { type, members }]) => [name, { type, members: members.map(memberName) }]);
}

/** The contract's models (section 2), member by member. */
export const contractModels: Readonly<Record<string, Model>> = {
  CustomFieldModel: { type: 'CustomField', members: ['id', 'name', 'value'] },
  ...Object.fromEntries(served.flatMap(modelsOf)),
};

// Of two models of a type, the first one is what other records show.
const membersOfType = new Map<string, ReadonlySet<string>>(
  Object.values(contractModels)
    .reverse()
    .map(({ type, members }) => [type, new Set(members)]),
);

/** Checks that a type of the gateway has a member in the contract. */
export function isMember(type: string, member: string): boolean {
  return membersOfType.get(type)?.has(member) === true;
}

/** Returns a model of the contract. @throws Error for a name that no resource declares */
export function modelOf(name: string): Model {
  const model = contractModels[name];
  if (!model) throw new Error(`No resource declares the model ${name}.`);
  return model;
}

/** Checks that records of a model are files, or have some. */
function hasFiles(name: string): boolean {
  const { type, members } = modelOf(name);
  return type === 'Attachment' || members.includes('attachments');
}

/** Lists the query parameters that a list accepts although its route does not name them. */
export function addedParameters({ parameters, added = [], pageSize, model }: ListRoute): ListParameter[] {
  const ours = [...added, ...sharedParameters, 'includeFileContent'] as const;
  return ours.filter((name) => {
    if (name === 'paging' && pageSize !== undefined) return false;
    return !parameters.includes(name) && (name !== 'includeFileContent' || hasFiles(model));
  });
}

/** Maximum bytes of a body: more if files can be sent (docs/use/rest.md). */
export const largestBodies = {
  standard: 1024 * 1024,
  files: largestFile,
  /** A form has a file of the largest size, and other parts. */
  form: largestFile + 64 * 1024,
} as const;

/** Returns the id of a route's operation in OpenAPI. */
export const operationIdOf = ({ operation, field }: Route) => operation ?? field;

/** Returns whether a route creates a record. A POST to an existing record does not. */
export const creates = (route: Route) =>
  route.kind === 'write' && route.method === 'POST' && !route.unversioned && !route.path.includes('{id}');

/** Returns the default of `includeFileContent`; undefined for a route without files. */
export function showsFiles(route: Route): boolean | undefined {
  if (route.kind === 'write' || route.kind === 'patch') return route.files;
  if (route.kind === 'list' && hasFiles(route.model)) return route.fileContent ?? false;
  return route.kind === 'read' ? route.fileContent : undefined;
}

/** Returns whether a route's successful answer has a body. */
export const answersWithBody = (route: Route) =>
  route.kind !== 'receive' && !(route.kind === 'delete' && route.unversioned);

/** Returns whether the body of a route may be a form with a file. */
export const takesForm = (route: Route) =>
  route.kind === 'take' ? route.file !== undefined : route.kind === 'write' && route.form === true;

/** Returns whether requests for a route have a body. */
export const takesBody = (route: Route) =>
  route.kind === 'write' || route.kind === 'patch' || route.kind === 'receive' || takesForm(route);

/** Returns the maximum bytes of a route's body. */
export function bodyLimit(route: Route | undefined): number {
  if (route?.kind === 'take') return route.file?.limit ?? 0;
  if (route && takesForm(route)) return largestBodies.form;
  return (route?.kind === 'write' || route?.kind === 'patch') && route.files
    ? largestBodies.files
    : largestBodies.standard;
}

/** Every route below `/v1`. Nothing else is routed there. */
export const routes: readonly Route[] = served.flatMap(routesOf);

const headings: readonly Heading[] = served.map(headingOf);

/** The headings of all resources, merged. */
export const reference = {
  about: Object.assign({}, ...headings.map(({ about }) => about)),
  records: Object.assign({}, ...headings.map(({ records }) => records)),
  terms: Object.assign({}, ...headings.map(({ terms }) => terms)),
} as Required<Heading>;

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
  requirements: '/v1/requirements',
  compliance: '/v1/compliance',
};

/** Parameters of a list that its file does not have, because it contains all rows. */
const ofPages: readonly string[] = ['page', 'paging', 'cursor', 'includefilecontent'];

/** Returns the route whose parameters, order and rights a file has. Renewals are those of all items. */
export function exportedList(kind: ExportKind): ListRoute {
  const found = routes.find((route) => route.kind === 'list' && route.path === listPaths[kind]);
  if (found?.kind !== 'list') throw new Error(`No route lists ${kind}.`);
  const { of: _owner, isHolder: _how, parameters, ...route } = found;
  return { ...route, parameters: parameters.filter(isExportParameter) };
}

/** Returns the list whose filter a route without pages takes. */
export const filteredList = (route: Route): ListRoute | undefined => {
  const path = route.kind === 'all' ? route.filteredAs : undefined;
  return routes.find((one): one is ListRoute => one.kind === 'list' && one.path === path);
};

/** Returns whether a parameter of a list filters it. */
export const isFilterParameter = (name: string): boolean =>
  isExportParameter(name) && !['sort', 'sortdirection'].includes(name.toLowerCase());

/** Returns whether a parameter of a list is also one of its file. */
export const isExportParameter = (name: string): boolean => !ofPages.includes(name.toLowerCase());
