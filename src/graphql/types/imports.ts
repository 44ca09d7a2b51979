import type { EnumOf } from '../../db/sql/conditions.js';
import { badField } from '../../domain/errors.js';
import { decodeBase64 } from '../../domain/files.js';
import {
  cancelImport,
  changeImport,
  createImport,
  fileInPieces,
  findImport,
  listImports,
  runImport,
  type ShownImport,
} from '../../imports/imports.js';
import {
  type Damage,
  type DamagedColumn,
  type ImportChanges,
  type ImportOptions,
  importLimits,
  type LeftOut,
  type ListPreview,
  type NewImport,
  type Preview,
  type PreviewChange,
  type PreviewRow,
  type RowError,
  type WorkspacePreview,
} from '../../imports/options.js';
import { builder } from '../builder.js';

const described = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, description]) => [name, { description, value: name }]),
  );

const Kind = builder.enumType('ImportKind', {
  description: 'The kind of records that a file has.',
  values: described({
    ITEMS: 'Expiration items.',
    CONTACTS: 'Contacts.',
    VEHICLES: 'Vehicles.',
    LOCATIONS: 'Locations.',
    COMPANIES: 'Companies.',
    TYPES: 'Document types.',
    WORKSPACE: 'All of them with their attached files: a whole workspace, as a ZIP file.',
  } satisfies Record<EnumOf<'ImportKind'>, string>),
});

const State = builder.enumType('ImportState', {
  description: 'How far an import has come.',
  values: described({
    READING: 'Its preview is being made.',
    READY: 'It can be run.',
    RUNNING: 'Its records are being written.',
    DONE: 'All rows were processed.',
    CANCELLED: 'It was stopped. What was written before stays.',
    FAILED: 'It cannot be done. `error` says why.',
  } satisfies Record<EnumOf<'ImportState'>, string>),
});

const Mode = builder.enumType('ImportMode', {
  description: 'What an import does with rows whose records exist, and with those whose do not.',
  values: described({
    CREATE_ONLY: 'Creates records. Rows of records that exist are errors.',
    UPSERT: 'Updates records that exist, and creates the others.',
    UPDATE_ONLY: 'Updates records. Rows of records that do not exist are errors.',
  } satisfies Record<ImportOptions['mode'], string>),
});

const Encoding = builder.enumType('ImportEncoding', {
  description: 'The encoding of a file without a byte order mark.',
  values: described({
    UTF_8: 'UTF-8.',
    WINDOWS_1252: 'Windows-1252, which older programs of western Europe write.',
  } satisfies Record<ImportOptions['encoding'], string>),
});

const DateFormat = builder.enumType('ImportDateFormat', {
  description: 'The order of day, month and year. Dates as `YYYY-MM-DD` are always read.',
  values: described({
    YMD: 'Such as 2027/12/31.',
    DMY: 'Such as 31.12.2027.',
    MDY: 'Such as 12/31/2027.',
  } satisfies Record<NonNullable<ImportOptions['dateFormat']>, string>),
});

const ImportColumn = builder.objectRef<Preview['columns'][number]>('ImportColumn').implement({
  description: 'A column of a file.',
  fields: (t) => ({
    header: t.exposeString('header', { description: 'Its header in the file.' }),
    column: t.exposeString('column', {
      nullable: true,
      description: 'The member that it is imported to, in the names of REST. Null if it is not imported.',
    }),
  }),
});

const ImportRowError = builder.objectRef<RowError>('ImportRowError').implement({
  description: 'Why a row cannot be imported.',
  fields: (t) => ({
    list: t.string({
      nullable: true,
      description: 'The list of the row, in an import of a whole workspace.',
      resolve: ({ list }) => list ?? null,
    }),
    row: t.exposeInt('row', { description: 'The line of the file, from 1.' }),
    column: t.exposeString('column', {
      nullable: true,
      description: 'The header of the column, if it is one.',
    }),
    value: t.exposeString('value', { nullable: true, description: 'The beginning of the value.' }),
    message: t.exposeString('message', { description: 'What is wrong.' }),
  }),
});

const DamageType = builder.enumType('ImportDamage', {
  description: 'What a spreadsheet seems to have done to a value, by opening the file and saving it.',
  values: described({
    LOST_ZEROS: 'The zeros at its beginning are gone: 0012 became 12.',
    ROUNDED: 'It was rounded: 12345678901234567 became 1.23E+16.',
  } satisfies Record<Damage, string>),
});

const ImportDamagedColumn = builder.objectRef<DamagedColumn>('ImportDamagedColumn').implement({
  description:
    'Values of a column that a spreadsheet seems to have damaged. Records keep theirs, unless `acceptDamage` names the column.',
  fields: (t) => ({
    column: t.exposeString('column', { description: 'The column, in the names of REST.' }),
    damage: t.field({
      type: DamageType,
      description: 'What seems to have happened.',
      resolve: ({ damage }) => damage,
    }),
    cells: t.exposeInt('cells', { description: 'The number of values.' }),
    before: t.exposeString('before', { description: 'The value of the first record.' }),
    after: t.exposeString('after', { description: 'Its value in the file.' }),
    accepted: t.exposeBoolean('accepted', { description: 'True if the values are imported nevertheless.' }),
  }),
});

const ActionType = builder.enumType('ImportAction', {
  description: 'What an import does with a row.',
  values: described({
    CREATED: 'It creates a record.',
    UPDATED: 'It updates a record.',
    UNCHANGED: 'Nothing, because the record is already as the row says.',
    FAILED: 'Nothing, because the row is wrong.',
  } satisfies Record<Uppercase<PreviewRow['action']>, string>),
});

const ImportCell = builder.objectRef<readonly [column: string, text: string]>('ImportCell').implement({
  description: 'A cell of a row.',
  fields: (t) => ({
    column: t.string({ description: 'The column, in the names of REST.', resolve: ([column]) => column }),
    text: t.string({ description: 'The text of the cell.', resolve: ([, text]) => text }),
  }),
});

const ImportChange = builder.objectRef<PreviewChange>('ImportChange').implement({
  description: 'A value that a row changes.',
  fields: (t) => ({
    column: t.exposeString('column', { description: 'The column, in the names of REST.' }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The value that the record has. Null if it has none.',
    }),
    after: t.exposeString('after', { nullable: true, description: 'The value as it will be stored.' }),
    damage: t.field({
      type: DamageType,
      nullable: true,
      description: 'What a spreadsheet seems to have done to it. Null for nothing.',
      resolve: ({ damage }) => damage,
    }),
    leftOut: t.exposeBoolean('leftOut', {
      description: 'True if the record keeps its value because of the damage.',
    }),
  }),
});

const ImportPreviewRow = builder.objectRef<PreviewRow>('ImportPreviewRow').implement({
  description: 'A row of a file, as it would be imported.',
  fields: (t) => ({
    row: t.exposeInt('row', { description: 'Its line of the file, from 1.' }),
    action: t.field({
      type: ActionType,
      description: 'What would be done.',
      resolve: ({ action }) => action.toUpperCase(),
    }),
    cells: t.field({
      type: [ImportCell],
      description: 'Its cells.',
      resolve: ({ values }) => Object.entries(values),
    }),
    changes: t.field({
      type: [ImportChange],
      description: 'The values that it changes.',
      // Previews of older versions lack them.
      resolve: ({ changes = [] }) => [...changes],
    }),
  }),
});

const ImportListPreview = builder.objectRef<ListPreview>('ImportListPreview').implement({
  description: 'What would become of a list of a workspace. The attached files are a list, too.',
  fields: (t) => ({
    list: t.exposeString('list', { description: 'Its name, such as `items`.' }),
    rows: t.exposeInt('rows', { description: 'Its rows.' }),
    created: t.exposeInt('created', { description: 'Records that would be created.' }),
    updated: t.exposeInt('updated', { description: 'Records that would be updated.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Records that are already as the list says.' }),
    failed: t.exposeInt('failed', { description: 'Rows that cannot be imported.' }),
    imported: t.exposeBoolean('imported', { description: 'False for a list that is not imported at all.' }),
  }),
});

const ImportLeftOut = builder.objectRef<LeftOut>('ImportLeftOut').implement({
  description: 'Cells that are left out, because they name what exists neither in the file nor here.',
  fields: (t) => ({
    list: t.exposeString('list', { description: 'The list.' }),
    column: t.exposeString('column', { description: 'The column.' }),
    cells: t.exposeInt('cells', { description: 'The number of cells.' }),
  }),
});

const ImportWorkspacePreview = builder.objectRef<WorkspacePreview>('ImportWorkspacePreview').implement({
  description: 'A workspace that would be imported.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name that it had where it was exported.' }),
    exportedAt: t.field({
      type: 'DateTime',
      description: 'When it was exported.',
      extensions: { formerName: 'exported' },
      resolve: ({ exported }) => new Date(exported),
    }),
    gateway: t.exposeString('gateway', { description: 'The version of the gateway that exported it.' }),
    bytes: t.field({
      type: 'BigInt',
      description: 'Bytes of its attached files.',
      resolve: ({ bytes }) => BigInt(bytes),
    }),
    lists: t.field({
      type: [ImportListPreview],
      description: 'Its lists, in the order in which they are imported.',
      resolve: ({ lists }) => [...lists],
    }),
    leftOut: t.field({
      type: [ImportLeftOut],
      description: 'Cells that are left out.',
      resolve: ({ leftOut }) => [...leftOut],
    }),
  }),
});

const ImportPreview = builder.objectRef<Preview>('ImportPreview').implement({
  description: 'What an import would do. Nothing is written for it.',
  fields: (t) => ({
    columns: t.field({
      type: [ImportColumn],
      description: 'The columns of the file.',
      resolve: ({ columns }) => [...columns],
    }),
    created: t.exposeInt('created', { description: 'Records that would be created.' }),
    updated: t.exposeInt('updated', { description: 'Records that would be updated.' }),
    unchanged: t.exposeInt('unchanged', { description: 'Records that are already as the file says.' }),
    failed: t.exposeInt('failed', { description: 'Rows that cannot be imported.' }),
    errors: t.field({
      type: [ImportRowError],
      description: 'The first 100 errors.',
      resolve: ({ errors }) => [...errors],
    }),
    warnings: t.field({
      type: [ImportRowError],
      description: 'The first 100 cells that can be imported, but are probably wrong.',
      resolve: ({ warnings = [] }) => [...warnings],
    }),
    damaged: t.field({
      type: [ImportDamagedColumn],
      description: 'Values that a spreadsheet seems to have damaged, by column.',
      resolve: ({ damaged = [] }) => [...damaged],
    }),
    firstRows: t.field({
      type: [ImportPreviewRow],
      description: 'The first 20 rows, with what would be done.',
      resolve: ({ rows }) => [...rows],
    }),
    rows: t.field({
      type: 'JSON',
      deprecationReason: 'Ask for `firstRows`. It goes in version 1.0.',
      description:
        'The first 20 rows: their line, what would be done, the texts of their cells, and `changes`, which has each value that changes: its column, the value before, the value as it will be stored, and whether a spreadsheet has damaged it (`damage`, and `leftOut` if the record keeps its value).',
      resolve: ({ rows }) => rows,
    }),
    workspace: t.field({
      type: ImportWorkspacePreview,
      nullable: true,
      description: 'The workspace that would be imported, if the file has a whole one.',
      resolve: ({ workspace }) => workspace ?? null,
    }),
  }),
});

const ImportType = builder.objectRef<ShownImport>('Import').implement({
  description:
    'A CSV file whose rows become records, or a ZIP file with a whole workspace. Only the person who created it sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The import's id." }),
    kind: t.field({ type: Kind, description: 'The kind of records.', resolve: ({ kind }) => kind }),
    fileName: t.exposeString('fileName', { nullable: true, description: "The file's name." }),
    mode: t.field({
      type: Mode,
      description: 'What it does with records that exist.',
      resolve: ({ options }) => options.mode,
    }),
    encoding: t.field({
      type: Encoding,
      description: 'The encoding of a file without a byte order mark.',
      resolve: ({ options }) => options.encoding,
    }),
    dateFormat: t.field({
      type: DateFormat,
      nullable: true,
      description: 'The order in dates that are not `YYYY-MM-DD`.',
      resolve: ({ options }) => options.dateFormat,
    }),
    atomic: t.boolean({
      description: 'True if all rows are imported or none.',
      resolve: ({ options }) => options.atomic,
    }),
    acceptDamage: t.stringList({
      description: 'Columns whose values are imported although a spreadsheet seems to have damaged them.',
      resolve: ({ options }) => [...(options.acceptDamage ?? [])],
    }),
    quiet: t.boolean({
      description: 'True if no reminders are sent for dates that are already due.',
      resolve: ({ options }) => options.quiet,
    }),
    state: t.field({ type: State, description: 'How far it has come.', resolve: ({ state }) => state }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed.' }),
    preview: t.field({
      type: ImportPreview,
      nullable: true,
      description: 'What running it would do.',
      resolve: ({ preview }) => preview,
    }),
    rowCount: t.exposeInt('rowCount', { description: 'Rows of the file, once it has been read.' }),
    doneCount: t.exposeInt('doneCount', { description: 'Rows processed so far.' }),
    createdCount: t.exposeInt('createdCount', { description: 'Records created so far.' }),
    updatedCount: t.exposeInt('updatedCount', { description: 'Records updated so far.' }),
    unchangedCount: t.exposeInt('unchangedCount', {
      description: 'Records that already were as the file says.',
    }),
    failedCount: t.exposeInt('failedCount', { description: 'Rows that could not be imported.' }),
    resultUrl: t.string({
      description: 'The address of the file with the outcome of each row. It needs an access token.',
      resolve: ({ id }, _args, { origin = '' }) => `${origin}/v1/imports/${id}/result.csv`,
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    modified: t.expose('modified', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

const ImportMappingInput = builder.inputType('ImportMappingInput', {
  description: 'The column of a header that is not recognized by itself.',
  fields: (t) => ({
    header: t.string({ required: true, description: 'The header in the file.' }),
    column: t.string({
      description:
        'The member in the names of REST, or `custom:` and the name of a custom field. Null to leave it out.',
    }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Creates the options of an import, for both of its inputs. */
const optionFields = (t: InputFields) => ({
  mode: t.field({ type: Mode, description: 'What to do with records that exist. Default: CREATE_ONLY.' }),
  encoding: t.field({
    type: Encoding,
    description: 'The encoding, if the file does not say it. Default: UTF_8.',
  }),
  dateFormat: t.field({ type: DateFormat, description: 'The order in dates that are not `YYYY-MM-DD`.' }),
  mapping: t.field({
    type: [ImportMappingInput],
    extensions: { entryLimit: importLimits.mapped },
    description: 'Headers and their columns, where they are not recognized.',
  }),
  acceptDamage: t.field({
    type: ['String'],
    extensions: { entryLimit: importLimits.mapped },
    description:
      'Columns whose values are imported although a spreadsheet seems to have damaged them, in the names of the preview.',
  }),
  atomic: t.boolean({
    description: `True to import all rows or none, at most ${importLimits.atomicRows}. Default: false.`,
  }),
  quiet: t.boolean({
    description: 'True if no reminders are sent for dates that are already due. Default: true.',
  }),
});

const CreateImportInput = builder.inputType('CreateImportInput', {
  description: 'A file to import, and how to read it.',
  fields: (t) => ({
    kind: t.field({ type: Kind, required: true, description: 'The kind of records.' }),
    fileName: t.string({ description: "The file's name." }),
    teamId: t.id({
      description:
        'The workspace that a whole workspace is imported into. Required for that kind, which only administrators import.',
    }),
    content: t.string({
      description: `The file in base64, at most ${importLimits.bytes} bytes and ${importLimits.rows} rows.`,
    }),
    resumableUploadId: t.id({
      description:
        'The id of a complete upload at `/v1/resumable-uploads`, instead of `content`. A ZIP file may then be larger.',
    }),
    ...optionFields(t),
    again: t.boolean({
      description:
        'True to import a file that was imported with the same options within the last day. Default: false.',
    }),
  }),
});

const ChangeImportInput = builder.inputType('ChangeImportInput', {
  description: 'How to read a file, and what to do with its rows. What is left out gets its default.',
  fields: (t) => ({
    ...optionFields(t),
  }),
});

builder.queryFields((t) => ({
  import: t.field({
    type: ImportType,
    nullable: true,
    description: "Returns one of the caller's imports.",
    args: { id: t.arg.id({ required: true, description: "The import's id." }) },
    resolve: (_root, { id }, { session }) => findImport(session, id),
  }),
  imports: t.field({
    type: [ImportType],
    description: "Lists the caller's latest imports, the newest first, at most 100.",
    resolve: (_root, _args, { session }) => listImports(session),
  }),
}));

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The import's id." });
  return {
    createImport: t.field({
      type: ImportType,
      nullable: true,
      description:
        'Stores a CSV file, or a ZIP file with a whole workspace, and makes a preview of its import. Poll `import` until its state is READY, then call `runImport`.',
      args: { input: t.arg({ type: CreateImportInput, required: true, description: 'The file.' }) },
      resolve: async (_root, { input }, { session }) => {
        const { content, resumableUploadId, ...given } = input;
        // The enums above have the words of these types.
        const options = given as NewImport;
        if (resumableUploadId != null) {
          if (content != null)
            throw badField(['resumableUploadId'], 'cannot be sent together with `content`');
          return createImport(session, options, await fileInPieces(session, options, resumableUploadId));
        }
        if (content == null) throw badField(['content'], 'or `resumableUploadId` is required', 'required');
        const file = decodeBase64(content);
        if (!file) throw badField(['content'], 'must be base64', 'format');
        return createImport(session, options, file.bytes);
      },
    }),
    changeImport: t.field({
      type: ImportType,
      nullable: true,
      description:
        'Changes how the file of an import is read, and makes its preview again. Only before it was run.',
      args: { id, input: t.arg({ type: ChangeImportInput, required: true, description: 'The options.' }) },
      // The enums above have the words of these types.
      resolve: (_root, { id, input }, { session }) => changeImport(session, id, input as ImportChanges),
    }),
    runImport: t.field({
      type: ImportType,
      nullable: true,
      description: 'Writes the records of an import. It can be run once, when its preview is there.',
      args: { id },
      resolve: (_root, { id }, { session }) => runImport(session, id),
    }),
    cancelImport: t.field({
      type: ImportType,
      nullable: true,
      description: 'Stops an import. Records that were written before stay.',
      args: { id },
      resolve: (_root, { id }, { session }) => cancelImport(session, id),
    }),
  };
});
