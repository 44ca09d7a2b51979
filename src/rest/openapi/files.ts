import type { GraphQLSchema } from 'graphql';
import { type ExportKind, exportKinds, exportPath } from '../../domain/doors/paths.js';
import { exportedList } from '../routes.js';
import type { Components, OpenApiNode } from './json-schema.js';
import { describeListParameters, query } from './parameters.js';
import { describeAnswers } from './responses.js';

/** Names of the files' contents in sentences. */
const contents: Readonly<Record<ExportKind, string>> = {
  items: 'expiration items',
  contacts: 'contacts',
  vehicles: 'vehicles',
  locations: 'locations',
  companies: 'companies',
  types: 'document types',
  events: 'events',
  renewals: 'renewals of all items',
  requirements: 'requirements',
  compliance: 'records of a kind, with a column for each requirement,',
};

const raw = query(
  'raw',
  'True to leave texts as they are. Otherwise an apostrophe is put before what a spreadsheet would run as a formula.',
  true,
  { type: 'boolean', default: false },
);

const excel = query('excel', 'True to begin with the mark by which Excel recognizes UTF-8.', true, {
  type: 'boolean',
  default: false,
});

const filter = query(
  'filter',
  "The rows, as `filter` of the list's query in GraphQL: a JSON object. It is added to the other parameters.",
  '{}',
  { type: 'string', maxLength: 8_192 },
);

const orderBy = query(
  'order_by',
  "The order, as `orderBy` of the list's query in GraphQL: JSON. It replaces `sort`.",
  '[]',
  { type: 'string', maxLength: 8_192 },
);

/** Parameters of all files, by their names among the components. */
const ofFiles = { Raw: raw, Excel: excel, Filter: filter, OrderBy: orderBy };

function describeExport(gateway: GraphQLSchema, components: Components, kind: ExportKind): OpenApiNode {
  const route = exportedList(kind);
  const mark = { 'x-origin': 'addition' };
  const written = Object.entries(ofFiles).map(([name, parameter]) =>
    components.ref('parameters', name, () => ({ ...parameter, ...mark })),
  );
  return {
    operationId: `export${kind[0]?.toUpperCase()}${kind.slice(1)}`,
    ...mark,
    tags: [route.tag],
    summary: `Exports the ${contents[kind]} as a CSV file.`,
    description: [
      'The file has all rows of the list, as they were when it was requested. Its header has the names of this API.',
      'Entries of lists are separated by `; `, and each custom field has a column `custom:<name>`.',
      'A file that is not read within five minutes is cut off.',
    ].join(' '),
    parameters: [...describeListParameters(gateway, components, route), ...written],
    responses: describeAnswers(components, 200, { description: 'The file.', content: { 'text/csv': {} } }),
  };
}

/** Describes the paths of exported files. */
export function describeExports(gateway: GraphQLSchema, components: Components): OpenApiNode {
  return Object.fromEntries(
    exportKinds.map((kind) => [exportPath(kind), { get: describeExport(gateway, components, kind) }]),
  );
}
