import type { EnumOf } from '../../db/sql/conditions.js';
import { badField } from '../../domain/errors.js';
import { decodeBase64 } from '../../domain/files.js';
import { holderKinds } from '../../domain/holder-kinds.js';
import { limits } from '../../domain/rules.js';
import {
  cancelImport,
  changeImport,
  createImport,
  fileInPieces,
  findImport,
  listImports,
  runImport,
  type ShownImport,
  undoImport,
} from '../../imports/imports.js';
import {
  type Damage,
  type DamagedColumn,
  type ImportChanges,
  type ImportOptions,
  importLimits,
  importRules,
  type LeftOut,
  type ListPreview,
  type NewImport,
  type Preview,
  type PreviewChange,
  type PreviewRow,
  type PreviewSheet,
  type RecordsAlongside,
  type RowError,
  type StayingRecord,
  type Undo,
  type UnknownPerson,
  type WorkspacePreview,
} from '../../imports/options.js';
import { builder } from '../builder.js';
import { defineValue, shownAs, words } from '../define/values.js';
import { versionArgument } from '../define/writes.js';
import { HolderKindEnum } from './items/holders.js';

const Kind = words('ImportKind', 'The kind of records that a file has.', {
  ITEMS: 'Expiration items.',
  CONTACTS: 'Contacts.',
  VEHICLES: 'Vehicles.',
  LOCATIONS: 'Locations.',
  COMPANIES: 'Companies.',
  TYPES: 'Document types.',
  WORKSPACE: 'All of them with their attached files: a whole workspace, as a ZIP file.',
} satisfies Record<EnumOf<'ImportKind'>, string>);

const State = words('ImportState', 'How far an import has come.', {
  READING: 'Its preview is being made.',
  READY: 'It can be run.',
  RUNNING: 'Its records are being written.',
  DONE: 'All rows were processed.',
  CANCELLED: 'It was stopped. What was written before stays.',
  FAILED: 'It cannot be done. `error` says why.',
  UNDOING: 'It is being taken back.',
  UNDONE: 'It was taken back.',
} satisfies Record<EnumOf<'ImportState'>, string>);

const Mode = words(
  'ImportMode',
  'What an import does with rows whose records exist, and with those whose do not.',
  {
    CREATE_ONLY: 'Creates records. Rows of records that exist are errors.',
    UPSERT: 'Updates records that exist, and creates the others.',
    UPDATE_ONLY: 'Updates records. Rows of records that do not exist are errors.',
  } satisfies Record<ImportOptions['mode'], string>,
);

const Encoding = words('ImportEncoding', 'The encoding of a file without a byte order mark.', {
  UTF_8: 'UTF-8.',
  UTF_16: 'UTF-16, which Excel calls Unicode text.',
  WINDOWS_1252: 'Windows-1252, which older programs of western Europe write.',
} satisfies Record<NonNullable<ImportOptions['encoding']>, string>);

const DateFormat = words(
  'ImportDateFormat',
  'The order of day, month and year. Dates as `YYYY-MM-DD` are always read.',
  {
    YMD: 'Such as 2027/12/31.',
    DMY: 'Such as 31.12.2027.',
    MDY: 'Such as 12/31/2027.',
  } satisfies Record<NonNullable<ImportOptions['dateFormat']>, string>,
);

const DamageType = words(
  'ImportDamage',
  'What a spreadsheet seems to have done to a value, by opening the file and saving it.',
  {
    LOST_ZEROS: 'The zeros at its beginning are gone: 0012 became 12.',
    ROUNDED: 'It was rounded: 12345678901234567 became 1.23E+16.',
  } satisfies Record<Damage, string>,
);

const ActionType = words('ImportAction', 'What an import does with a row.', {
  CREATED: 'It creates a record.',
  UPDATED: 'It updates a record.',
  UNCHANGED: 'Nothing, because the record is already as the row says.',
  FAILED: 'Nothing, because the row is wrong.',
} satisfies Record<Uppercase<PreviewRow['action']>, string>);

// REST shows previews as they are stored. Their order there is that of `jsonb`, which answers keep.
const nullable = { nullable: true } as const;
const perColumn = { limits: { maxItems: 2_000 } } as const;
const first = (count: number) => ({ limits: { maxItems: count } });

const ImportColumn = defineValue<Preview['columns'][number]>(
  'ImportColumn',
  'A column of a file.',
  {
    header: ['String', 'Its header in the file.'],
    column: [
      'String',
      'The member that it is imported to, in the names of REST. Null if it is not imported.',
      nullable,
    ],
    guess: [
      'String',
      'The member that its values suggest, if its header is not recognized.',
      { ...nullable, resolve: ({ guess = null }) => guess },
    ],
    samples: [
      ['String'],
      'Its first three values.',
      {
        stored: { type: 'array', items: { type: 'string', maxLength: 80 }, maxItems: 3 },
        resolve: ({ samples = [] }) => samples,
      },
    ],
  },
  { order: ['guess', 'column', 'header', 'samples'] },
);

const ImportUnknownPerson = defineValue<UnknownPerson>(
  'ImportUnknownPerson',
  'A name in the cells of a column that nobody known has.',
  {
    header: ['String', 'The header of the column.'],
    value: ['String', 'The name, as cells have it.'],
    rows: ['Int', 'The number of rows with it.'],
    kinds: [
      [HolderKindEnum],
      'The kinds of records that `make` makes of it, if the column is one of holders.',
      { ...first(holderKinds.length), resolve: ({ kinds = [] }) => kinds },
    ],
  },
  { order: ['rows', 'kinds', 'value', 'header'] },
);

const ImportAlongside = defineValue<RecordsAlongside>(
  'ImportAlongside',
  'Records that would be made because rows name them. They are counted apart from those of the rows.',
  {
    kind: [HolderKindEnum, 'The kind of the records.'],
    count: ['Int', 'Their number.'],
  },
);

type Dates = NonNullable<Preview['dates']>[number];

const ImportDateReading = defineValue<NonNullable<Dates['example']>['readings'][number]>(
  'ImportDateReading',
  'A date as one order reads it.',
  {
    format: [DateFormat, 'The order.'],
    date: ['Date', 'The date in this order.'],
  },
  { order: ['date', 'format'] },
);

const ImportDateExample = defineValue<NonNullable<Dates['example']>>(
  'ImportDateExample',
  'A date that different orders read differently.',
  {
    row: ['Int', 'Its line of the file, from 1.'],
    value: ['String', 'The text of its cell.'],
    readings: [[ImportDateReading], 'The dates that it can mean.', first(3)],
  },
  { order: ['row', 'value', 'readings'] },
);

const ImportDateColumn = defineValue<Dates>(
  'ImportDateColumn',
  'A column of a file with dates.',
  {
    header: ['String', 'Its header in the file.'],
    format: [
      DateFormat,
      'The order in which they are read: the chosen one, or the one that they prove.',
      nullable,
    ],
    asked: ['Boolean', 'True if `dateFormat` has to be chosen, because the dates prove no order.'],
    undated: ['Int', 'Cells that are empty, or say that there is no date, such as `unbefristet` or `n/a`.'],
    firstShortYear: [
      'Int',
      'The first of the hundred years that two digits mean. Null if no date has two.',
      nullable,
    ],
    example: [ImportDateExample, 'A date that different orders read differently.', nullable],
  },
  { order: ['asked', 'format', 'header', 'example', 'undated'] },
);

const ImportSheet = defineValue<PreviewSheet>(
  'ImportSheet',
  'A sheet of a workbook.',
  {
    name: ['String', 'Its name.'],
    hidden: ['Boolean', 'True if the workbook does not show it.'],
    chosen: ['Boolean', 'True for the one that is imported.'],
  },
  { order: ['name', 'chosen', 'hidden'] },
);

const ImportRowError = defineValue<RowError>(
  'ImportRowError',
  'Why a row cannot be imported.',
  {
    list: ['String', 'The list of the row, in an import of a whole workspace.', nullable],
    row: ['Int', 'The line of the file, from 1.'],
    column: ['String', 'The header of the column, if it is one.', nullable],
    value: ['String', 'The beginning of the value.', nullable],
    message: ['String', 'What is wrong.'],
  },
  { order: ['list', 'row', 'value'] },
);

const ImportDamagedColumn = defineValue<DamagedColumn>(
  'ImportDamagedColumn',
  'Values of a column that a spreadsheet seems to have damaged. Records keep theirs, unless `acceptDamage` names the column.',
  {
    column: ['String', 'The column, in the names of REST.'],
    damage: [DamageType, 'What seems to have happened.'],
    cells: ['Int', 'The number of values.'],
    before: ['String', 'The value of the first record.'],
    after: ['String', 'Its value in the file.'],
    accepted: ['Boolean', 'True if the values are imported nevertheless.'],
  },
  { order: ['after', 'cells', 'before'] },
);

const ImportCell = defineValue<{ readonly column: string; readonly text: string }>(
  'ImportCell',
  'A cell of a row.',
  {
    column: ['String', 'The column, in the names of REST.'],
    text: ['String', 'The text of the cell.'],
  },
);

const ImportChange = defineValue<PreviewChange>(
  'ImportChange',
  'A value that a row changes.',
  {
    column: ['String', 'The column, in the names of REST.'],
    before: ['String', 'The value that the record has. Null if it has none.', nullable],
    after: ['String', 'The value as it will be stored.', nullable],
    damage: [DamageType, 'What a spreadsheet seems to have done to it. Null for nothing.', nullable],
    leftOut: ['Boolean', 'True if the record keeps its value because of the damage.'],
  },
  { model: null, order: ['after', 'before'] },
);

const ImportPreviewRow = defineValue<PreviewRow>(
  'ImportPreviewRow',
  'A row of a file, as it would be imported.',
  {
    row: ['Int', 'Its line of the file, from 1.'],
    action: [ActionType, 'What would be done.', { resolve: ({ action }) => action.toUpperCase() }],
    changes: [
      [ImportChange],
      'The values that it changes.',
      // Previews of older versions lack them.
      { ...perColumn, resolve: ({ changes = [] }) => changes },
    ],
    values: [
      [ImportCell],
      'Its cells.',
      {
        name: 'cells',
        stored: {
          ...{ type: 'object', additionalProperties: { type: 'string', maxLength: limits.text } },
          maxProperties: perColumn.limits.maxItems,
        },
        resolve: ({ values }) => Object.entries(values).map(([column, text]) => ({ column, text })),
      },
    ],
  },
  { model: 'ImportRowModel', order: ['row', 'action', 'values'] },
);

const ImportListPreview = defineValue<ListPreview>(
  'ImportListPreview',
  'What would become of a list of a workspace. The attached files are a list, too.',
  {
    list: ['String', 'Its name, such as `items`.'],
    rows: ['Int', 'Its rows.'],
    created: ['Int', 'Records that would be created.'],
    updated: ['Int', 'Records that would be updated.'],
    unchanged: ['Int', 'Records that are already as the list says.'],
    failed: ['Int', 'Rows that cannot be imported.'],
    imported: ['Boolean', 'False for a list that is not imported at all.'],
  },
  { order: ['list', 'rows', 'failed', 'created', 'updated', 'imported'] },
);

const ImportLeftOut = defineValue<LeftOut>(
  'ImportLeftOut',
  'Cells that are left out, because they name what exists neither in the file nor here.',
  {
    list: ['String', 'The list.'],
    column: ['String', 'The column.'],
    cells: ['Int', 'The number of cells.'],
  },
  { order: ['list', 'cells'] },
);

const ImportWorkspacePreview = defineValue<WorkspacePreview>(
  'ImportWorkspacePreview',
  'A workspace that would be imported.',
  {
    name: ['String', 'The name that it had where it was exported.'],
    exported: ['DateTime', 'When it was exported.', { name: 'exportedAt', formerName: 'exported' }],
    gateway: ['String', 'The version of the gateway that exported it.'],
    bytes: ['BigInt', 'Bytes of its attached files.', { limits: { maximum: Number.MAX_SAFE_INTEGER } }],
    lists: [[ImportListPreview], 'Its lists, in the order in which they are imported.', first(20)],
    leftOut: [[ImportLeftOut], 'Cells that are left out.', first(100)],
  },
  { model: 'ImportWorkspaceModel', order: ['name', 'bytes', 'lists', 'gateway'] },
);

const ImportPreview = defineValue<Preview>(
  'ImportPreview',
  'What an import would do. Nothing is written for it.',
  {
    sheets: [
      [ImportSheet],
      'The sheets of a workbook. Empty for another file.',
      { ...first(200), resolve: ({ sheets = [] }) => sheets },
    ],
    headerLine: [
      'Int',
      'The line with the headers, from 1. Null in a preview of an older version.',
      { ...nullable, resolve: ({ headerLine }) => headerLine ?? null },
    ],
    encoding: [
      Encoding,
      'The encoding of a text. Null for a workbook.',
      { ...nullable, resolve: ({ encoding }) => encoding ?? null },
    ],
    columns: [[ImportColumn], 'The columns of the file.', perColumn],
    missing: [
      ['String'],
      'Columns that new records need and that the file lacks, in the names of REST. The first row tells the error.',
      { graphqlOnly: true, resolve: ({ missing = [] }) => missing },
    ],
    people: [
      [ImportUnknownPerson],
      'Names of nobody who is known, and of holders that do not exist. `people` says who or what they are.',
      { ...first(200), resolve: ({ people = [] }) => people },
    ],
    dates: [
      [ImportDateColumn],
      'Its columns with dates.',
      { ...perColumn, resolve: ({ dates = [] }) => dates },
    ],
    created: ['Int', 'Records that would be created.'],
    updated: ['Int', 'Records that would be updated.'],
    unchanged: ['Int', 'Records that are already as the file says.'],
    failed: ['Int', 'Rows that cannot be imported.'],
    alongside: [
      [ImportAlongside],
      'Vehicles, contacts, companies and locations that would be made because rows name them.',
      { ...first(holderKinds.length), resolve: ({ alongside = [] }) => alongside },
    ],
    errors: [[ImportRowError], 'The first 100 errors.', first(100)],
    warnings: [
      [ImportRowError],
      'The first 100 cells that can be imported, but are probably wrong.',
      { ...first(100), resolve: ({ warnings = [] }) => warnings },
    ],
    damaged: [
      [ImportDamagedColumn],
      'Values that a spreadsheet seems to have damaged, by column.',
      { ...perColumn, resolve: ({ damaged = [] }) => damaged },
    ],
    rows: [
      [ImportPreviewRow],
      'The first 20 rows, with what would be done.',
      { ...first(20), name: 'firstRows' },
    ],
    allOfRows: [
      'JSON',
      'The first 20 rows: their line, what would be done, the texts of their cells, and `changes`, which has each value that changes: its column, the value before, the value as it will be stored, and whether a spreadsheet has damaged it (`damage`, and `leftOut` if the record keeps its value).',
      {
        name: 'rows',
        deprecationReason: 'Ask for `firstRows`. It goes in version 1.0.',
        resolve: ({ rows }) => rows,
      },
    ],
    workspace: [
      ImportWorkspacePreview,
      'The workspace that would be imported, if the file has a whole one.',
      nullable,
    ],
  },
  {
    order: ['rows', 'errors', 'failed', 'columns', 'created', 'damaged', 'updated', 'warnings', 'unchanged'],
  },
);

const ImportKeptRecord = defineValue<StayingRecord>(
  'ImportKeptRecord',
  'A record that stays as it is when an import is taken back.',
  {
    id: ['ID', "The record's id."],
    kind: [
      HolderKindEnum,
      "The record's kind, if it is a holder that the import made. Null for a record of the import's own kind.",
      { ...nullable, resolve: ({ kind = null }) => kind },
    ],
    name: ['String', "The record's name.", nullable],
    message: ['String', 'Why it stays.'],
  },
);

const ImportUndo = defineValue<Undo, 'next' | 'part' | 'binDays'>(
  'ImportUndo',
  'How far an import has been taken back.',
  {
    deleted: ['Int', 'Records that it made, and that are in the bin now.'],
    restored: ['Int', 'Records that it changed, and that have their values again.'],
    gone: ['Int', 'Records that were deleted before, or moved out of sight.'],
    kept: ['Int', 'Records that stay as they are.'],
    records: [[ImportKeptRecord], 'The first 100 of these.', first(100)],
  },
);

const inGraphql = { graphqlOnly: true } as const;

const ImportMapping = defineValue<ImportOptions['mapping'][number]>(
  'ImportMapping',
  'A header, and the column that was chosen for it.',
  {
    header: ['String', 'The header in the file.', inGraphql],
    column: [
      'String',
      'The member in the names of REST. Null if it is left out.',
      { ...nullable, ...inGraphql },
    ],
  },
);

const ImportConstant = defineValue<ImportOptions['constants'][number]>(
  'ImportConstant',
  'A value that all rows have.',
  {
    column: ['String', 'The member in the names of REST.', inGraphql],
    value: ['String', 'The text, as a cell would have it.', { ...nullable, ...inGraphql }],
  },
);

const ImportPerson = defineValue<ImportOptions['people'][number]>(
  'ImportPerson',
  'A person whom cells name in another way than by an address, or a holder that does not exist.',
  {
    value: ['String', 'The name, as cells have it.', inGraphql],
    email: ['String', 'The address or the id.', { ...nullable, ...inGraphql }],
    make: [
      HolderKindEnum,
      'The kind of a new record that is made of it.',
      { ...nullable, ...inGraphql, resolve: ({ make }) => make ?? null },
    ],
    skipRows: [
      'Boolean',
      'True if its rows are left out.',
      { ...inGraphql, resolve: ({ skipRows }) => skipRows ?? false },
    ],
  },
);

const ImportCorrection = defineValue<ImportOptions['corrections'][number]>(
  'ImportCorrection',
  'A cell that is read as another text.',
  {
    header: ['String', 'The header of its column in the file.', inGraphql],
    row: [
      'Int',
      'Its line of the file. Null for all cells with the text `from`.',
      { ...nullable, ...inGraphql },
    ],
    from: ['String', 'The text in the file, if there is no line.', { ...nullable, ...inGraphql }],
    to: ['String', 'The text that it is read as.', { ...nullable, ...inGraphql }],
  },
);

/** Shows an option in GraphQL alone. */
const option = (name: keyof ImportOptions) => ({
  graphqlOnly: true as const,
  resolve: ({ options }: ShownImport) => options[name],
});

const ImportType = defineValue<ShownImport, 'options'>(
  'Import',
  'A CSV file whose rows become records, or a ZIP file with a whole workspace. Only the person who created it sees it.',
  {
    id: ['ID', "The import's id."],
    fileName: ['String', "The file's name.", nullable],
    error: ['String', 'Why it failed.', nullable],
    rowCount: ['Int', 'Rows of the file, once it has been read.'],
    doneCount: ['Int', 'Rows processed so far.'],
    createdCount: ['Int', 'Records created so far.'],
    updatedCount: ['Int', 'Records updated so far.'],
    unchangedCount: ['Int', 'Records that already were as the file says.'],
    failedCount: ['Int', 'Rows that could not be imported.'],
    created: ['DateTime', 'When it was created.'],
    modified: ['DateTime', 'When it last changed.'],
    version: [
      'String',
      'Changes with the options, for `ifVersion` of `changeImport` and `runImport`.',
      { graphqlOnly: true },
    ],
    undoUntil: [
      'DateTime',
      'Until when it can be taken back: for seven days, or as long as the bin keeps records. Null if it cannot be.',
      nullable,
    ],
    undo: [ImportUndo, 'How far it has been taken back. Null if nobody has begun.', nullable],
    mode: [Mode, 'What it does with records that exist.', { resolve: ({ options }) => options.mode }],
    kind: [Kind, 'The kind of records.'],
    state: [State, 'How far it has come.'],
    preview: [ImportPreview, 'What running it would do.', nullable],
    encoding: [
      Encoding,
      'The encoding of a text: the chosen one, or what it was found to be.',
      {
        graphqlOnly: true,
        resolve: ({ options, preview }) => options.encoding ?? preview?.encoding ?? 'UTF_8',
      },
    ],
    sheet: [
      'String',
      'The chosen sheet of a workbook.',
      { ...nullable, graphqlOnly: true, resolve: ({ options }) => options.sheet ?? null },
    ],
    headerLine: [
      'Int',
      'The chosen line of the headers.',
      { ...nullable, graphqlOnly: true, resolve: ({ options }) => options.headerLine ?? null },
    ],
    dateFormat: [
      DateFormat,
      'The order in dates that are not `YYYY-MM-DD`.',
      { ...option('dateFormat'), nullable: true },
    ],
    atomic: ['Boolean', 'True if all rows are imported or none.', option('atomic')],
    acceptDamage: [
      ['String'],
      'Columns whose values are imported although a spreadsheet seems to have damaged them.',
      // Imports of older versions lack them.
      { graphqlOnly: true, resolve: ({ options }) => options.acceptDamage ?? [] },
    ],
    // Imports of older versions lack these.
    mapping: [
      [ImportMapping],
      'Headers and the columns that were chosen for them.',
      { ...inGraphql, resolve: ({ options }) => options.mapping ?? [] },
    ],
    constants: [
      [ImportConstant],
      'Values that all rows have.',
      { ...inGraphql, resolve: ({ options }) => options.constants ?? [] },
    ],
    people: [
      [ImportPerson],
      'People whom cells name in another way than by an address, and holders that do not exist.',
      { ...inGraphql, resolve: ({ options }) => options.people ?? [] },
    ],
    makeHolders: [
      [HolderKindEnum],
      'Kinds of which a holder is made for each text that names none.',
      { ...inGraphql, resolve: ({ options }) => options.makeHolders ?? [] },
    ],
    corrections: [
      [ImportCorrection],
      'Cells that are read as another text.',
      { ...inGraphql, resolve: ({ options }) => options.corrections ?? [] },
    ],
    skipRepeats: [
      'Boolean',
      'True if rows that look like one before them are left out.',
      // Imports of older versions lack it.
      { graphqlOnly: true, resolve: ({ options }) => options.skipRepeats ?? false },
    ],
    allowNoDate: [
      'Boolean',
      'True if rows without a date become items without one.',
      // Imports of older versions lack it.
      { graphqlOnly: true, resolve: ({ options }) => options.allowNoDate ?? false },
    ],
    quiet: ['Boolean', 'True if no reminders are sent for dates that are already due.', option('quiet')],
    resultUrl: [
      'String',
      'The address of the file with the outcome of each row. It needs an access token.',
      { graphqlOnly: true, resolve: ({ id }, { origin = '' }) => `${origin}/v1/imports/${id}/result.csv` },
    ],
  },
);

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

const ImportPersonInput = builder.inputType('ImportPersonInput', {
  description: 'A person whom cells name in another way than by an address, or a holder that does not exist.',
  fields: (t) => ({
    value: t.string({ required: true, description: 'The name, as cells have it.' }),
    email: t.string({
      description:
        'The address or the id of a user or contact. An address of nobody makes a contact of this name. Null to leave the name out.',
    }),
    make: t.field({
      type: HolderKindEnum,
      description: 'The kind of a new record that is made of it, where a column of holders has it.',
    }),
    skipRows: t.boolean({ description: 'True to leave out the rows with it. Default: false.' }),
  }),
});

const ImportCorrectionInput = builder.inputType('ImportCorrectionInput', {
  description:
    'A cell that is read as another text, or all cells of a column with a text. The file stays as it was sent.',
  fields: (t) => ({
    header: t.string({ required: true, description: 'The header of the column in the file.' }),
    row: t.int({ description: 'The line of the file. Null for all cells with the text `from`.' }),
    from: t.string({ description: 'The text in the file, if there is no line. Null for empty cells.' }),
    to: t.string({ description: 'The text that it is read as. Null for an empty cell.' }),
  }),
});

const ImportConstantInput = builder.inputType('ImportConstantInput', {
  description: 'A value that all rows have.',
  fields: (t) => ({
    column: t.string({
      required: true,
      description: 'The member in the names of REST, or `custom:` and the name of a custom field.',
    }),
    value: t.string({ description: 'The text, as a cell would have it. Null for an empty one.' }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Creates the options of an import, for both of its inputs. */
const optionFields = (t: InputFields) => ({
  mode: t.field({
    type: Mode,
    description: 'What to do with records that exist. Default: CREATE_ONLY.',
    ...shownAs('upsert'),
  }),
  encoding: t.field({
    type: Encoding,
    description: 'The encoding of a text. By default, its bytes tell it.',
    ...shownAs('windows_1252'),
  }),
  sheet: t.string({
    description: 'The name of the sheet of a workbook. Default: the first that is shown and has values.',
    ...shownAs('Sheet1'),
  }),
  headerLine: t.int({
    description: 'The line with the headers, from 1. Default: the first that looks like it.',
    ...shownAs(3),
  }),
  dateFormat: t.field({
    type: DateFormat,
    description:
      'The order in dates that can be read in several ways. By default, that which their column proves.',
    ...shownAs('DMY'),
  }),
  mapping: t.field({
    type: [ImportMappingInput],
    ...shownAs('{"Valid to":"expiration_date"}', { entryLimit: importLimits.mapped }),
    description: 'Headers and their columns, where they are not recognized.',
  }),
  people: t.field({
    type: [ImportPersonInput],
    ...shownAs('{"Ada Miller":"ada@example.com"}', { entryLimit: importLimits.mapped }),
    description: 'Who the people are whom cells name, and what becomes of holders that do not exist.',
  }),
  makeHolders: t.field({
    type: [HolderKindEnum],
    ...shownAs(['vehicle'], { entryLimit: holderKinds.length }),
    description:
      'Kinds of which a new holder is made for each text that names none, unless `people` says otherwise. By default, such texts are errors, or are left out.',
  }),
  constants: t.field({
    type: [ImportConstantInput],
    ...shownAs('{"category_name":"Inspection"}', { entryLimit: importLimits.mapped }),
    description: 'Values that all rows have, by column. They come before those of the file.',
  }),
  corrections: t.field({
    type: [ImportCorrectionInput],
    ...shownAs('{"Valid to":{"row":17,"to":"2027-02-28"}}', { entryLimit: importLimits.mapped }),
    description: 'Cells that are read as another text.',
  }),
  acceptDamage: t.field({
    type: ['String'],
    ...shownAs(['license_plate'], { entryLimit: importLimits.mapped }),
    description:
      'Columns whose values are imported although a spreadsheet seems to have damaged them, in the names of the preview.',
  }),
  skipRepeats: t.boolean({
    description:
      'True to leave out rows that look like one before them. By default, CREATE_ONLY makes an item of each. Default: false.',
    ...shownAs(true),
  }),
  allowNoDate: t.boolean({
    description:
      'True to import rows without a date as items without one. By default, they are errors. Default: false.',
    ...shownAs(true),
  }),
  atomic: t.boolean({
    description: `True to import all rows or none, at most ${importLimits.atomicRows}. Default: false.`,
    ...shownAs(true),
  }),
  quiet: t.boolean({
    description: 'True if no reminders are sent for dates that are already due. Default: true.',
    ...shownAs(false),
  }),
});

const CreateImportInput = builder.inputType('CreateImportInput', {
  description: 'A file to import, and how to read it.',
  fields: (t) => ({
    kind: t.field({
      type: Kind,
      required: true,
      description: 'The kind of records.',
      ...shownAs('items'),
    }),
    fileName: t.string({ description: "The file's name.", ...shownAs('items.csv') }),
    teamId: t.id({
      description:
        'The workspace that a whole workspace is imported into. Required for that kind, which only administrators import.',
      ...shownAs('018f3c5e-7a10-7000-8000-000000000001'),
    }),
    content: t.string({
      description: `The file in base64, at most ${importLimits.bytes} bytes and ${importLimits.rows} rows.`,
    }),
    resumableUploadId: t.id({
      description:
        'The id of a complete upload at `/v1/resumable-uploads`, instead of `content`. A ZIP file may then be larger.',
      ...shownAs('019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40'),
    }),
    ...optionFields(t),
    again: t.boolean({
      description:
        'True to import a file that was imported with the same options within the last day. Default: false.',
      ...shownAs(true),
    }),
  }),
  extensions: { rules: importRules },
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
        // REST passes the bytes of its body.
        const file = (content as unknown) instanceof Uint8Array ? { bytes: content } : decodeBase64(content);
        if (!file) throw badField(['content'], 'must be base64', 'format');
        return createImport(session, options, file.bytes as Uint8Array);
      },
    }),
    changeImport: t.field({
      type: ImportType,
      nullable: true,
      description:
        'Changes how the file of an import is read, and makes its preview again. Only before it was run.',
      args: {
        id,
        input: t.arg({ type: ChangeImportInput, required: true, description: 'The options.' }),
        ...versionArgument('the import'),
      },
      // The enums above have the words of these types.
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        changeImport(session, id, input as ImportChanges, ifVersion),
    }),
    runImport: t.field({
      type: ImportType,
      nullable: true,
      description: 'Writes the records of an import. It can be run once, when its preview is there.',
      args: { id, ...versionArgument('the import whose preview was seen') },
      resolve: (_root, { id, ifVersion }, { session }) => runImport(session, id, ifVersion),
    }),
    undoImport: t.field({
      type: ImportType,
      nullable: true,
      description:
        'Takes an import back. What it made goes into the bin, and what it changed gets its values again, unless it was changed since. `undoUntil` says how long that is possible.',
      args: { id },
      resolve: (_root, { id }, { session }) => undoImport(session, id),
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
