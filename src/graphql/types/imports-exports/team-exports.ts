import type { EnumOf } from '../../../db/sql/columns.js';
import {
  createTeamExport,
  deleteTeamExport,
  exportLink,
  findTeamExport,
  listTeamExports,
  type ShownExport,
} from '../../../exports/team-exports.js';
import { builder } from '../../builder.js';

const states = {
  RUNNING: 'It is being made.',
  DONE: 'It can be downloaded.',
  FAILED: 'It cannot be made. `error` says why.',
} satisfies Record<EnumOf<'TeamExportState'>, string>;

const State = builder.enumType('TeamExportState', {
  description: 'How far an export of a workspace has come.',
  values: Object.fromEntries(
    Object.entries(states).map(([name, description]) => [name, { description, value: name }]),
  ) as Record<EnumOf<'TeamExportState'>, { description: string; value: EnumOf<'TeamExportState'> }>,
});

const TeamExport = builder.objectRef<ShownExport>('TeamExport').implement({
  description: 'A workspace as a ZIP file. Only the person who created it sees it, for a day.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The export's id." }),
    teamId: t.exposeID('teamId', { description: "The workspace's id." }),
    state: t.field({ type: State, description: 'How far it has come.', resolve: ({ state }) => state }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed.' }),
    progress: t.exposeInt('progress', { description: 'How much of it is written, in percent.' }),
    fileCount: t.exposeInt('fileCount', {
      description: 'The number of attached files that it contains, once it is known.',
    }),
    size: t.expose('size', {
      type: 'BigInt',
      description: 'Its size in bytes; while it is being made, of what is written.',
    }),
    downloadUrl: t.string({
      nullable: true,
      description:
        "The address of the ZIP file. It needs no access token, for use in `<a>`, and works for an hour, or until the caller's token ends. Null until the export can be downloaded.",
      resolve: (shown, _args, { session, origin = '' }) => exportLink(session, shown, origin),
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    modified: t.expose('modified', { type: 'DateTime', description: 'When it last changed.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it is deleted.' }),
  }),
});

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
  fields: (t) => ({ teamId: t.id({ required: true, description: "The workspace's id." }) }),
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
