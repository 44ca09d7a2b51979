import type { GraphQLSchema } from 'graphql';
import {
  type ExportKind,
  exportKinds,
  exportPath,
  importKindWords,
  teamExportPath,
} from '../../domain/doors/paths.js';
import type { ErrorCode } from '../../domain/errors.js';
import { exportedList } from '../routes.js';
import {
  alsoAccepted,
  type Components,
  count,
  list,
  moment,
  type OpenApiNode,
  object,
  text,
  textOrNull,
  uuid,
  word,
} from './json-schema.js';
import { describeListParameters, query } from './parameters.js';
import { describeAnswers, describeFile, type HeaderName } from './responses.js';

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
    responses: describeFile(components),
  };
}

/** Describes the paths of exported files. */
export function describeExports(gateway: GraphQLSchema, components: Components): OpenApiNode {
  return Object.fromEntries(
    exportKinds.map((kind) => [exportPath(kind), { get: describeExport(gateway, components, kind) }]),
  );
}

/** The most bytes of a file. A test compares it with the limit. */
const maxBytes = 16 * 1024 * 1024;

const column = object('A column of a file.', {
  header: ['Its header in the file.', text],
  column: ['The member that it is imported to. Null if it is not imported.', textOrNull],
});

const listPreview = object('What would become of a list of a workspace. Attached files are one, too.', {
  list: ['Its name.', text],
  rows: ['Its rows.', count],
  created: ['Records that would be created.', count],
  updated: ['Records that would be updated.', count],
  unchanged: ['Records that are already as the list says.', count],
  failed: ['Rows that cannot be imported.', count],
  imported: ['False for a list that is not imported at all.', { type: 'boolean' }],
});

const leftOut = object('Cells that name what exists neither in the file nor here. They are left out.', {
  list: ['The list.', text],
  column: ['The column.', text],
  cells: ['The number of cells.', count],
});

const rowError = object('Why a row cannot be imported.', {
  list: ['The list of the row, in an import of a whole workspace.', textOrNull],
  row: ['The line of the file, from 1.', count],
  column: ['The header of the column, if it is one.', textOrNull],
  value: ['The beginning of the value.', textOrNull],
  message: ['What is wrong.', text],
});

const damageWords = ['lost_zeros', 'rounded'] as const;

const damagedColumn = object('Values of a column that a spreadsheet seems to have damaged.', {
  column: ['The column.', text],
  damage: [
    'What seems to have happened: 0012 became 12, or 12345678901234567 became 1.23E+16.',
    word(...damageWords),
  ],
  cells: ['The number of values.', count],
  before: ['The value of the first record.', text],
  after: ['Its value in the file.', text],
  accepted: ['True if the values are imported nevertheless.', { type: 'boolean' }],
});

const change = object('A value that a row changes.', {
  column: ['The column.', text],
  before: ['The value that the record has; null if it has none.', textOrNull],
  after: ['The value as it will be stored.', textOrNull],
  damage: [
    'What a spreadsheet seems to have done to it; null if nothing.',
    // Generators of clients take null for no word of an enum.
    { anyOf: [{ type: 'string', enum: [...damageWords] }, { type: 'null' }] },
  ],
  left_out: ['True if the record keeps its value because of that.', { type: 'boolean' }],
});

const shownRow = object('A row as it would be.', {
  row: ['The line of the file, from 1.', count],
  action: ['What would be done.', word('created', 'updated', 'unchanged', 'failed')],
  changes: ['The values that it changes.', list(change, 2_000)],
  values: [
    'Its texts by column, as the file has them.',
    { type: 'object', additionalProperties: text, maxProperties: 2_000 },
  ],
});

/** Describes an import as REST shows it. */
function importSchema({ ref }: Components): OpenApiNode {
  const workspace = ref('schemas', 'ImportWorkspaceModel', () =>
    object('A workspace that would be imported.', {
      name: ['The name that it had where it was exported.', text],
      exported: ['When it was exported.', moment],
      gateway: ['The version of the gateway that exported it.', text],
      bytes: [
        'Bytes of its attached files.',
        { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      ],
      lists: [
        'Its lists.',
        list(
          ref('schemas', 'ImportListPreviewModel', () => listPreview),
          20,
        ),
      ],
      left_out: [
        'Cells that are left out.',
        list(
          ref('schemas', 'ImportLeftOutModel', () => leftOut),
          100,
        ),
      ],
    }),
  );
  const preview = ref('schemas', 'ImportPreviewModel', () =>
    object('What an import would do. Nothing is written for it.', {
      columns: [
        'The columns of the file.',
        list(
          ref('schemas', 'ImportColumnModel', () => column),
          2_000,
        ),
      ],
      created: ['Records that would be created.', count],
      updated: ['Records that would be updated.', count],
      unchanged: ['Records that are already as the file says.', count],
      failed: ['Rows that cannot be imported.', count],
      errors: [
        'The first 100 errors.',
        list(
          ref('schemas', 'ImportRowErrorModel', () => rowError),
          100,
        ),
      ],
      warnings: [
        'The first 100 cells that can be imported, but are probably wrong.',
        list(
          ref('schemas', 'ImportRowErrorModel', () => rowError),
          100,
        ),
      ],
      damaged: [
        'Values that a spreadsheet seems to have damaged, by column. Records keep theirs, unless `accept_damage` names the column.',
        list(
          ref('schemas', 'ImportDamagedColumnModel', () => damagedColumn),
          2_000,
        ),
      ],
      rows: [
        'The first 20 rows.',
        list(
          ref('schemas', 'ImportRowModel', () => shownRow),
          20,
        ),
      ],
      workspace: [
        'The workspace that would be imported; null for a CSV file.',
        { anyOf: [workspace, { type: 'null' }] },
      ],
    }),
  );
  return object(
    'A CSV file whose rows become records, or a ZIP file with a whole workspace. Only the person who created it sees it.',
    {
      id: ["The import's id.", uuid],
      file_name: ["The file's name.", textOrNull],
      error: ['Why it failed.', textOrNull],
      row_count: ['Rows of the file, once it has been read.', count],
      done_count: ['Rows processed so far.', count],
      created_count: ['Records created so far.', count],
      updated_count: ['Records updated so far.', count],
      unchanged_count: ['Records that already were as the file says.', count],
      failed_count: ['Rows that could not be imported.', count],
      created: ['When it was created.', moment],
      modified: ['When it last changed.', moment],
      mode: ['What it does with records that exist.', word('create_only', 'upsert', 'update_only')],
      kind: ['The kind of records.', word(...importKindWords)],
      state: ['How far it has come.', word('reading', 'ready', 'running', 'done', 'cancelled', 'failed')],
      preview: ['What running it would do.', { anyOf: [preview, { type: 'null' }] }],
    },
  );
}

const flag = (name: string, description: string, standard: boolean) =>
  query(name, description, !standard, { type: 'boolean', default: standard });

const parameters = [
  { ...query('kind', 'The kind of records.', 'items', word(...importKindWords)), required: true },
  query('file_name', "The file's name.", 'items.csv', { type: 'string', maxLength: 255 }),
  query(
    'team_id',
    'The workspace that a whole workspace is imported into. Required for it.',
    '018f3c5e-7a10-7000-8000-000000000001',
    uuid,
  ),
  query(
    'resumable_upload_id',
    'The id of a complete upload at `/v1/resumable-uploads`, instead of a body. A ZIP file may then be larger.',
    '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
    uuid,
  ),
  query('mode', 'What to do with records that exist, ignoring case.', 'upsert', {
    ...word('create_only', 'upsert', 'update_only'),
    default: 'create_only',
  }),
  query('encoding', 'The encoding of a file without a byte order mark.', 'windows_1252', {
    ...word('utf_8', 'windows_1252'),
    default: 'utf_8',
  }),
  query(
    'date_format',
    'The order in dates that are not `YYYY-MM-DD`. Without it, they are errors.',
    'DMY',
    word('YMD', 'DMY', 'MDY'),
  ),
  query(
    'mapping',
    'A JSON object with the column of each header that is not recognized, or null to leave it out.',
    '{"Valid to":"expiration_date"}',
    { type: 'string', maxLength: 65_536 },
  ),
  {
    ...query(
      'accept_damage',
      'A column whose values are imported although a spreadsheet seems to have damaged them. Can be repeated.',
      ['license_plate'],
      { type: 'array', items: { type: 'string', maxLength: 255 }, maxItems: 1_000 },
    ),
    style: 'form',
    explode: true,
  },
  flag('atomic', 'True to import all rows or none, at most 5,000.', false),
  flag('quiet', 'True if no reminders are sent for dates that are already due.', true),
  flag('again', 'True to import a file that was imported with the same options within the last day.', false),
];

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The import's id. Anything but a UUID matches none.",
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
};

/** A form with a file. The file's size is not in its schema: clients made for zod would not compile with it. */
const form = object('A form with a CSV or ZIP file.', {
  file: [`The file, of at most ${maxBytes} bytes.`, { type: 'string', format: 'binary' }],
});

/** Describes the paths of imports. */
export function describeImports(components: Components): OpenApiNode {
  const shown = {
    'application/json': { schema: components.ref('schemas', 'ImportModel', () => importSchema(components)) },
  };
  const listed = {
    'application/json': {
      schema: object('The latest imports.', {
        imports: [
          'The imports, the newest first.',
          {
            type: 'array',
            maxItems: 100,
            items: components.ref('schemas', 'ImportModel', () => importSchema(components)),
          },
        ],
      }),
    },
  };
  const operation = (operationId: string, summary: string, rest: OpenApiNode) => ({
    operationId,
    'x-origin': 'addition',
    tags: ['Imports'],
    summary,
    ...rest,
  });
  const of = (status: number, description: string, ...codes: readonly ErrorCode[]) =>
    describeAnswers(components, status, { description, content: shown }, codes);
  return {
    '/v1/imports': {
      get: operation('imports', "Lists the caller's latest imports, the newest first, at most 100.", {
        description: 'Only the person who began an import sees it.',
        parameters: [],
        responses: describeAnswers(components, 200, { description: 'The imports.', content: listed }, []),
      }),
      post: operation(
        'createImport',
        'Stores a CSV file or a whole workspace, and makes a preview of its import.',
        {
          description:
            'A worker makes the preview: read the import until its state is `ready`, then run it. The same file with the same options leads to the import of the last day.',
          parameters,
          requestBody: {
            required: false,
            content: { 'multipart/form-data': { schema: form } },
            ...alsoAccepted({
              'text/csv': {
                schema: { type: 'string', maxLength: maxBytes },
                example: 'name,expiration_date\r\nPassport,2031-05-01\r\n',
              },
              'application/zip': { schema: { type: 'string', format: 'binary', maxLength: maxBytes } },
            }),
          },
          responses: of(
            201,
            'The import.',
            'NOT_FOUND',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
          ),
        },
      ),
    },
    '/v1/imports/{id}': {
      get: operation('import', 'Reads an import.', {
        description:
          'It tells its state, its progress, and the first errors. Only the person who began it reads it.',
        parameters: [id],
        responses: of(200, 'The import.', 'NOT_FOUND'),
      }),
    },
    '/v1/imports/{id}/run': {
      post: operation('runImport', 'Writes the records of an import.', {
        description: 'A worker writes them: read the import to follow it. An import runs once.',
        parameters: [id],
        responses: of(200, 'The import.', 'NOT_FOUND', 'CONFLICT'),
      }),
    },
    '/v1/imports/{id}/cancel': {
      post: operation('cancelImport', 'Stops an import.', {
        description: 'Records that were written before stay.',
        parameters: [id],
        responses: of(200, 'The import.', 'NOT_FOUND', 'CONFLICT'),
      }),
    },
    '/v1/imports/{id}/result.csv': {
      get: operation('importResult', 'Exports the imported file with the outcome of each row.', {
        description:
          'It has the columns `_result`, `_id` and `_error` behind those of the file; for a whole workspace, behind the list and the id that the row has there.',
        parameters: [id],
        responses: describeFile(components, ['NOT_FOUND']),
      }),
    },
  };
}

/** The most bytes of a piece. A test compares it with the limit. */
const maxPieceBytes = 8 * 1024 * 1024;

/**
 * A number of bytes in a header. It is described as a text, because headers are texts in some generated
 * clients.
 */
const bytesInHeader = { type: 'string', maxLength: 15, pattern: '^\\d+$' };

const bytes = { type: 'integer', format: 'int64', minimum: 0, maximum: 999_999_999_999_999 };

/** An upload as REST shows it. */
const uploadModel = object('A file that comes in pieces. Only the person who created it sees it.', {
  id: ["The upload's id.", uuid],
  team_id: ["The workspace's id.", uuid],
  file_name: ["The file's name.", textOrNull],
  content_type: ["The file's media type.", textOrNull],
  length: ['Size of the whole file in bytes.', bytes],
  offset: ['The number of bytes that have come.', bytes],
  created: ['When it was created.', moment],
  expires_at: ['When it is deleted, if nobody has used it until then.', moment],
});

const uploadId = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The upload's id. Anything but a UUID matches none.",
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
};

const header = (name: string, description: string, example: unknown, schema: OpenApiNode) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { ...schema, examples: [example] },
});

const version = header('Tus-Resumable', 'The version of the protocol.', '1.0.0', {
  type: 'string',
  enum: ['1.0.0'],
});

const metadata = {
  ...header(
    'Upload-Metadata',
    'What is known about the file: keys with values in base64. `filename`, `filetype` and `team_id` have a meaning; others are only returned.',
    'filename bGljZW5jZS5wZGY=,filetype YXBwbGljYXRpb24vcGRm',
    { type: 'string', maxLength: 4_096 },
  ),
  required: false,
};

/** Describes the paths of uploads in pieces. */
export function describeResumableUploads(components: Components): OpenApiNode {
  const model = components.ref('schemas', 'ResumableUploadModel', () => uploadModel);
  const operation = (operationId: string, summary: string, rest: OpenApiNode) => ({
    operationId,
    'x-origin': 'addition',
    tags: ['Resumable uploads'],
    summary,
    ...rest,
  });
  const content = { 'application/json': { schema: model } };
  const told: readonly HeaderName[] = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'];
  const shown: readonly HeaderName[] = [...told, 'Upload-Length', 'Upload-Metadata'];
  const answers = (
    status: number,
    description: string,
    names: readonly HeaderName[],
    ...codes: readonly ErrorCode[]
  ) =>
    describeAnswers(
      components,
      status,
      { description, names, ...(names.includes('Upload-Length') && { content }) },
      codes,
    );
  return {
    '/v1/resumable-uploads': {
      post: operation('createResumableUpload', 'Begins an upload of a file in pieces.', {
        description:
          'It follows tus 1.0.0, so that its clients can be used. It is kept for a day. `POST /v1/uploads` takes its id once all pieces have come.',
        parameters: [
          version,
          header('Upload-Length', 'Size of the whole file in bytes.', '13', bytesInHeader),
          metadata,
        ],
        responses: answers(
          201,
          'The upload.',
          ['Location', ...shown],
          ...(['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'PRECONDITION_FAILED'] as const),
        ),
      }),
    },
    '/v1/resumable-uploads/{id}': {
      get: operation('resumableUpload', 'Tells how far an upload in pieces has come.', {
        description: 'HEAD, which clients of tus send, returns the same headers.',
        parameters: [uploadId],
        responses: answers(200, 'The upload.', shown, 'NOT_FOUND'),
      }),
      patch: operation('appendToResumableUpload', 'Appends a piece to an upload.', {
        description: `A piece has at most ${maxPieceBytes} bytes, and is stored once it has come. Of two pieces for the same place, one is stored.`,
        parameters: [
          uploadId,
          version,
          header('Upload-Offset', 'The number of bytes that have come before.', '0', bytesInHeader),
        ],
        requestBody: {
          required: true,
          content: {
            'application/offset+octet-stream': {
              schema: { type: 'string', format: 'binary', maxLength: maxPieceBytes },
            },
          },
        },
        responses: answers(
          204,
          'The piece is stored.',
          told,
          ...([
            'NOT_FOUND',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'PRECONDITION_FAILED',
          ] as const),
        ),
      }),
      delete: operation('deleteResumableUpload', 'Deletes an upload in pieces.', {
        description: 'Its bytes are deleted with it.',
        parameters: [uploadId, version],
        responses: answers(204, 'It is deleted.', ['Tus-Resumable'], 'NOT_FOUND', 'PRECONDITION_FAILED'),
      }),
    },
  };
}

/** An export as REST shows it. */
const exportModel = object('A workspace as a ZIP file. Only the person who created it sees it, for a day.', {
  id: ["The export's id.", uuid],
  team_id: ["The workspace's id.", uuid],
  state: ['How far it has come.', word('running', 'done', 'failed')],
  error: ['Why it failed.', textOrNull],
  progress: ['How much of it is written, in percent.', { ...count, maximum: 100 }],
  file_count: ['The number of attached files that it contains, once it is known.', count],
  size: [
    'Its size in bytes; while it is being made, of what is written.',
    { type: 'integer', format: 'int64', minimum: 0 },
  ],
  download_url: [
    'The address of the ZIP file. It needs no access token and works for an hour. Null until the export can be downloaded.',
    textOrNull,
  ],
  created: ['When it was created.', moment],
  modified: ['When it last changed.', moment],
  expires_at: ['When it is deleted.', moment],
});

const exportId = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The export's id. Anything but a UUID matches none.",
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
};

const teamId = {
  ...query('team_id', "The workspace's id.", '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b41', uuid),
  required: true,
};

/** Describes the paths of exports of workspaces. */
export function describeTeamExports(components: Components): OpenApiNode {
  const model = components.ref('schemas', 'TeamExportModel', () => exportModel);
  const operation = (operationId: string, summary: string, rest: OpenApiNode) => ({
    operationId,
    'x-origin': 'addition',
    tags: ['Exports'],
    summary,
    ...rest,
  });
  const json = (schema: OpenApiNode) => ({ 'application/json': { schema } });
  const of = (status: number, description: string, ...codes: readonly ErrorCode[]) =>
    describeAnswers(components, status, { description, content: json(model) }, codes);
  const all = object("The caller's exports.", { exports: ['The newest first.', list(model, 100)] });
  return {
    '/v1/exports': {
      get: operation('listTeamExports', "Lists the caller's exports of workspaces.", {
        description: 'They are deleted after a day.',
        responses: describeAnswers(components, 200, { description: 'The exports.', content: json(all) }),
      }),
      post: operation('createTeamExport', 'Exports a workspace as a ZIP file.', {
        description:
          'A worker makes it: read the export until its state is `done`. While one is being made, this returns it; a new one replaces the last one.',
        parameters: [teamId],
        responses: of(201, 'The export.', 'NOT_FOUND'),
      }),
    },
    '/v1/exports/{id}': {
      get: operation('teamExport', 'Reads an export of a workspace.', {
        description: 'It tells its state and progress, and where it can be downloaded.',
        parameters: [exportId],
        responses: of(200, 'The export.', 'NOT_FOUND'),
      }),
      delete: operation('deleteTeamExport', 'Deletes an export of a workspace.', {
        description: 'If it is being made, that ends.',
        parameters: [exportId],
        responses: describeAnswers(components, 204, { description: 'It is deleted.' }, ['NOT_FOUND']),
      }),
    },
    [teamExportPath('{id}')]: {
      get: operation('downloadTeamExport', 'Downloads an exported workspace.', {
        description: 'Ranges are supported, so that a download can be continued.',
        parameters: [exportId],
        responses: describeAnswers(
          components,
          200,
          { description: 'The ZIP file.', content: { 'application/zip': {} } },
          ['NOT_FOUND', 'CONFLICT', 'NOT_MODIFIED', 'PRECONDITION_FAILED'],
        ),
      }),
    },
  };
}
