import { coerceInputValue, type GraphQLSchema } from 'graphql';
import { createFileLink, listTarget, longestLink } from '../../../access/file-links.js';
import { type ExportKind, exportedQueries, exportKinds, exportPath } from '../../../domain/doors/exports.js';
import { badField } from '../../../domain/errors.js';
import { builder } from '../../builder.js';

/** Seconds for which links to files work, unless others are asked for. */
const usualSeconds = 3600;

/** The most characters of a link's filter and order. Longer addresses do not fit into a request's head. */
const longestParameters = 4_000;

const Kind = builder.enumType('ExportKind', {
  description: 'A list that can be exported as a CSV file.',
  values: Object.fromEntries(
    exportKinds.map((kind) => [
      kind.toUpperCase(),
      { value: kind, description: `The list of \`${exportedQueries[kind]}\`.` },
    ]),
  ) as Record<string, { value: ExportKind; description: string }>,
});

/** Checks a value that an argument of a list's query would have. @throws GatewayError BAD_REQUEST */
function checkArgument(schema: GraphQLSchema, kind: ExportKind, name: string, value: unknown): void {
  const argument = schema
    .getQueryType()
    ?.getFields()
    [exportedQueries[kind]]?.args.find((found) => found.name === name);
  if (!argument) throw new Error(`The list of ${kind} has no ${name}.`);
  coerceInputValue(value, argument.type, (path, _invalid, { message }) => {
    throw badField([name, ...path], message, 'format');
  });
}

builder.queryFields((t) => ({
  exportUrl: t.string({
    description:
      "Returns the address of a list as a CSV file, with all its rows. It needs no access token, for use in `<a>`. It stops working when its time is up, or when the caller's token ends, and shows what the caller may see then.",
    args: {
      kind: t.arg({ type: Kind, required: true, description: 'The list.' }),
      filter: t.arg({
        type: 'JSON',
        description: "The rows, as in `filter` of the list's query. If omitted, all.",
      }),
      orderBy: t.arg({ type: 'JSON', description: "Their order, as in `orderBy` of the list's query." }),
      raw: t.arg.boolean({
        description:
          'True to leave texts as they are. Otherwise an apostrophe is put before what a spreadsheet would run as a formula.',
      }),
      excel: t.arg.boolean({
        description: 'True to begin with the mark by which Excel recognizes UTF-8.',
      }),
      expiresIn: t.arg.int({
        description: `The number of seconds for which the address works, at most ${longestLink}. Default: ${usualSeconds}.`,
      }),
    },
    resolve: async (
      _root,
      { kind, filter, orderBy, raw, excel, expiresIn },
      { session, schema, origin = '' },
    ) => {
      checkArgument(schema, kind, 'filter', filter);
      checkArgument(schema, kind, 'orderBy', orderBy);
      const query = new URLSearchParams();
      if (filter != null) query.set('filter', JSON.stringify(filter));
      if (orderBy != null) query.set('order_by', JSON.stringify(orderBy));
      if (raw) query.set('raw', 'true');
      if (excel) query.set('excel', 'true');
      if (query.toString().length > longestParameters)
        throw badField(
          ['filter'],
          `must have at most ${longestParameters} characters in an address`,
          'range',
        );
      const target = listTarget(`${kind}.csv`, query);
      query.set('link', await createFileLink(session, target, expiresIn ?? usualSeconds));
      return `${origin}${exportPath(kind)}?${query}`;
    },
  }),
}));
