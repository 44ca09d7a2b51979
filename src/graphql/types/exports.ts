import { coerceInputValue, type GraphQLSchema } from 'graphql';
import { createFileLink, listTarget, longestLink } from '../../access/file-links.js';
import type { EnumOf } from '../../db/sql/conditions.js';
import { type ExportKind, exportedQueries, exportKinds, exportPath } from '../../domain/doors/paths.js';
import { badField } from '../../domain/errors.js';
import {
  createTeamExport,
  deleteTeamExport,
  exportLink,
  findTeamExport,
  listTeamExports,
  type ShownExport,
} from '../../exports/exports.js';
import { builder } from '../builder.js';
import { defineValue, shownAs, words } from '../define/values.js';

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

const State = words('TeamExportState', 'How far an export of a workspace has come.', {
  RUNNING: 'It is being made.',
  DONE: 'It can be downloaded.',
  FAILED: 'It cannot be made. `error` says why.',
} satisfies Record<EnumOf<'TeamExportState'>, string>);

const TeamExport = defineValue<ShownExport>(
  'TeamExport',
  'A workspace as a ZIP file. Only the person who created it sees it, for a day.',
  {
    id: ['ID', "The export's id."],
    teamId: ['ID', "The workspace's id."],
    state: [State, 'How far it has come.'],
    error: ['String', 'Why it failed.', { nullable: true }],
    progress: ['Int', 'How much of it is written, in percent.', { limits: { maximum: 100 } }],
    fileCount: ['Int', 'The number of attached files that it contains, once it is known.'],
    size: ['BigInt', 'Its size in bytes; while it is being made, of what is written.'],
    downloadUrl: [
      'String',
      "The address of the ZIP file. It needs no access token, for use in `<a>`, and works for an hour, or until the caller's token ends. Null until the export can be downloaded.",
      {
        nullable: true,
        resolve: (shown, { session, origin = '' }) => exportLink(session, shown, origin),
      },
    ],
    created: ['DateTime', 'When it was created.'],
    modified: ['DateTime', 'When it last changed.'],
    expiresAt: ['DateTime', 'When it is deleted.'],
  },
  // The address comes last in answers.
  {
    order: [
      'id',
      'teamId',
      'state',
      'error',
      'progress',
      'fileCount',
      'size',
      'created',
      'modified',
      'expiresAt',
    ],
  },
);

builder.queryFields((t) => ({
  teamExport: t.field({
    type: TeamExport,
    nullable: true,
    description: "Returns one of the caller's exports of workspaces.",
    args: { id: t.arg.id({ required: true, description: "The export's id." }) },
    resolve: (_root, { id }, { session }) => findTeamExport(session, id),
  }),
  teamExports: t.field({
    type: [TeamExport],
    description: "Lists the caller's exports of workspaces, the newest first, at most 100.",
    resolve: (_root, _args, { session }) => listTeamExports(session),
  }),
}));

/** Options of mutations that whoever may read may use. */
const forReaders = { skipTypeScopes: true, authScopes: { read: true } } as const;

const CreateTeamExportInput = builder.inputType('CreateTeamExportInput', {
  description: 'A workspace to export.',
  fields: (t) => ({
    teamId: t.id({
      required: true,
      description: "The workspace's id.",
      ...shownAs('019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b41'),
    }),
  }),
});

builder.mutationFields((t) => ({
  createTeamExport: t.field({
    type: TeamExport,
    nullable: true,
    description:
      'Exports a workspace as a ZIP file with what the caller sees of it: its lists as CSV files, and all attached files. Poll `teamExport` until its state is DONE. While one is being made, this returns it; a new one replaces the last one.',
    ...forReaders,
    extensions: { loose: ['teamId'] },
    args: { input: t.arg({ type: CreateTeamExportInput, required: true, description: 'The workspace.' }) },
    resolve: (_root, { input }, { session }) => createTeamExport(session, input.teamId),
  }),
  removeTeamExport: t.field({
    type: TeamExport,
    nullable: true,
    description:
      "Deletes one of the caller's exports and returns it as it was. If it is being made, that ends.",
    ...forReaders,
    extensions: { formerly: { name: 'deleteTeamExport', type: 'Boolean', answer: () => true } },
    args: { id: t.arg.id({ required: true, description: "The export's id." }) },
    resolve: async (_root, { id }, { session }) => {
      const found = await findTeamExport(session, id);
      await deleteTeamExport(session, id);
      return found;
    },
  }),
}));
