// Additions that are not in the table of routes: they show what has no version, or answer with a file or in a protocol
// that is not ours. The endpoints (src/http) and the reference (openapi/openapi.ts) are both made of this.

import { complianceStates, requirementStates } from '../domain/compliance.js';
import { importListWords } from '../domain/doors/paths.js';
import type { Route } from '../domain/doors/route.js';
import type { ErrorCode } from '../domain/errors.js';
import { models } from '../domain/models.js';
import { languages } from '../domain/rules.js';
import { demoId } from '../domain/text/demo.js';
import { capitalized } from '../domain/text/names.js';
import { importLimits } from '../imports/options.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { parseMetadata, type ResumableUpload, resumableLimits } from '../uploads/resumable.js';
import {
  alsoAccepted,
  list,
  moment,
  type OpenApiNode,
  object,
  text,
  textOrNull,
  uuid,
  word,
} from './openapi/json-schema.js';
import type { HeaderName } from './openapi/responses.js';

/** An operation that a handler of its own answers. It has a file, or follows another protocol. */
export interface OwnRoute {
  readonly kind: 'own';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operation: string;
  readonly right: 'read' | 'write';
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly errors: readonly ErrorCode[];
  /** Noun of the record that the path names. */
  readonly noun: string;
  /** Headers of a request, in OpenAPI's words. */
  readonly parameters?: readonly OpenApiNode[];
  readonly requestBody?: OpenApiNode;
  /** A success: its status, its content, and the names of its headers. */
  readonly status: number;
  readonly content?: OpenApiNode;
  readonly headers?: readonly HeaderName[];
  readonly success: string;
}

const { bytes: maxBytes } = importLimits;

/** The most requirements that the reference says an answer has. */
const complianceLimit = 10_000;

/** A form with a file. The file's size is not in its schema: clients made for zod would not compile with it. */
const form = object('A form with a CSV file, a workbook or a ZIP file.', {
  file: [`The file, of at most ${maxBytes} bytes.`, { type: 'string', format: 'binary' }],
});

const sentFile = {
  required: false,
  content: { 'multipart/form-data': { schema: form } },
  ...alsoAccepted({
    'text/csv': {
      schema: { type: 'string', maxLength: maxBytes },
      example: 'name,expiration_date\r\nPassport,2031-05-01\r\n',
    },
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
      schema: { type: 'string', format: 'binary', maxLength: maxBytes },
    },
    'application/vnd.oasis.opendocument.spreadsheet': {
      schema: { type: 'string', format: 'binary', maxLength: maxBytes },
    },
    'application/zip': { schema: { type: 'string', format: 'binary', maxLength: maxBytes } },
  }),
};

/** Completes routes, declared by method and path, with what they share. */
const declare = <R extends Route | OwnRoute>(
  shared: Partial<R>,
  table: Readonly<Record<`${R['method']} /v1/${string}`, Partial<R>>>,
): R[] =>
  Object.entries<Partial<R>>(table).map(([key, route]) => {
    const [method, path] = key.split(' ');
    return { ...shared, ...route, method, path } as R;
  });

const digestOwner =
  'The id of a user or contact, or `me`; or `users`, `contacts` or `organization` for the default of all.';

/** The additions that fields of the gateway's schema answer. */
export const additions: readonly Route[] = [
  ...declare<Route>(
    {
      ...{ origin: 'addition', tag: 'Imports', model: 'ImportModel', unversioned: 'import' },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    {
      'GET /v1/imports': {
        ...{ kind: 'all', field: 'imports', list: 'imports', errors: [] },
        summary: "Lists the caller's latest imports, the newest first, at most 100.",
        description: 'Only the person who began an import sees it.',
      },
      'POST /v1/imports': {
        ...{ kind: 'take', field: 'createImport', file: { limit: maxBytes, described: sentFile } },
        summary: 'Stores a CSV file, a workbook or a whole workspace, and makes a preview of its import.',
        description:
          'A worker makes the preview: read the import until its state is `ready`, then run it. The same file with the same options leads to the import of the last day.',
        errors: ['NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
      },
      'GET /v1/imports/{id}': {
        ...{ kind: 'read', field: 'import', lenient: true, errors: ['NOT_FOUND'] },
        summary: 'Reads an import.',
        description:
          'It tells its state, its progress, and the first errors. Only the person who began it reads it.',
      },
      'POST /v1/imports/{id}/run': {
        ...{ kind: 'act', field: 'runImport', lenient: true },
        summary: 'Writes the records of an import.',
        description: 'A worker writes them: read the import to follow it. An import runs once.',
      },
      'POST /v1/imports/{id}/cancel': {
        ...{ kind: 'act', field: 'cancelImport', lenient: true },
        summary: 'Stops an import.',
        description: 'Records that were written before stay.',
      },
      'POST /v1/imports/{id}/undo': {
        ...{ kind: 'act', field: 'undoImport', lenient: true },
        summary: 'Takes an import back.',
        description:
          'What it made goes into the bin, and what it changed gets its values again, unless it was changed since: `undo` names such records. It is possible until `undo_until`, and not for a whole workspace.',
      },
    },
  ),
  ...declare<Route>(
    { ...{ origin: 'addition', tag: 'Document requests', unversioned: 'result' } },
    {
      'POST /v1/documentrequests/bulk': {
        ...{ kind: 'write', field: 'createDocumentRequests', model: 'CreatedDocumentRequestsModel' },
        operation: 'createManyDocumentRequests',
        errors: ['BAD_REQUEST'],
        summary: 'Asks for many documents: each of them, or what records lack.',
        description:
          'What cannot be asked for is in `refused` with the reason, and the others are made. Each recipient gets one mail.',
        example: {
          requests: [
            { category_id: demoId('category', 'Insurance policy'), email: 'ann.lee@example.com' },
            { category_id: demoId('category', 'Insurance policy'), email: 'nobody' },
          ],
          message: 'Front and back, please.',
        },
      },
      'GET /v1/documentrequests/counts': {
        ...{ kind: 'all', right: 'read', field: 'documentRequestCounts', model: 'DocumentRequestCountModel' },
        ...{ list: 'counts', filteredAs: '/v1/documentrequests', errors: ['BAD_REQUEST'] },
        ...{ rows: 'One for each state that a request has.' },
        summary: 'Counts requests for documents by their states.',
        description:
          'It takes the filter of the list. `overdue` are those whose day has passed without an answer.',
      },
    },
  ),
  ...declare<Route>(
    {
      ...{ origin: 'addition', tag: 'Digests', model: 'DigestSettingModel', unversioned: 'digest setting' },
      ...{ right: 'read', errors: ['NOT_FOUND'], named: digestOwner },
    },
    {
      'GET /v1/digests/{id}': {
        ...{ kind: 'read', field: 'digestSetting', summary: 'Reads how somebody gets reminders.' },
        description: 'Only admins read the setting of others than themselves.',
      },
      'PUT /v1/digests/{id}': {
        ...{ kind: 'write', field: 'setDigestSetting', errors: ['NOT_FOUND', 'BAD_REQUEST'] },
        summary: 'Sets how somebody gets reminders: a mail for each item, or one mail a day or a week.',
        description: 'Only admins set it for others than themselves.',
        example: { mode: 'daily', time: '07:30' },
      },
      'DELETE /v1/digests/{id}': {
        ...{ kind: 'delete', field: 'deleteDigestSetting' },
        summary: 'Removes a setting, so that the default applies.',
      },
    },
  ),
  ...declare<Route>(
    {
      ...{ origin: 'addition', tag: 'Exports', model: 'TeamExportModel', unversioned: 'export' },
      ...{ right: 'read', lenient: true, errors: ['NOT_FOUND'] },
    },
    {
      'GET /v1/exports': {
        ...{ kind: 'all', field: 'teamExports', operation: 'listTeamExports', list: 'exports', errors: [] },
        summary: "Lists the caller's exports of workspaces.",
        description: 'They are deleted after a day.',
      },
      'POST /v1/exports': {
        ...{ kind: 'take', field: 'createTeamExport', summary: 'Exports a workspace as a ZIP file.' },
        description:
          'A worker makes it: read the export until its state is `done`. While one is being made, this returns it; a new one replaces the last one.',
      },
      'GET /v1/exports/{id}': {
        ...{ kind: 'read', field: 'teamExport', summary: 'Reads an export of a workspace.' },
        description: 'It tells its state and progress, and where it can be downloaded.',
      },
      'DELETE /v1/exports/{id}': {
        ...{ kind: 'delete', field: 'removeTeamExport', operation: 'deleteTeamExport' },
        summary: 'Deletes an export of a workspace.',
        description: 'If it is being made, that ends.',
      },
    },
  ),
];

const size = { type: 'integer', format: 'int64', minimum: 0, maximum: 999_999_999_999_999 };

/** The members of an upload in pieces, each with description, schema and value. */
const members = {
  id: ["The upload's id.", uuid, ({ id }) => id],
  team_id: ["The workspace's id.", uuid, ({ teamId }) => teamId],
  file_name: ["The file's name.", textOrNull, ({ metadata }) => parseMetadata(metadata).filename],
  content_type: ["The file's media type.", textOrNull, ({ metadata }) => parseMetadata(metadata).filetype],
  length: ['Size of the whole file in bytes.', size, ({ length }) => length],
  offset: ['The number of bytes that have come.', size, ({ offset }) => offset],
  created: ['When it was created.', moment, ({ created }) => created],
  expires_at: ['When it is deleted, if nobody has used it until then.', moment, ({ expiresAt }) => expiresAt],
} satisfies Record<string, readonly [string, OpenApiNode, (upload: ResumableUpload) => unknown]>;

/** Returns an upload in pieces as REST shows it. */
export const shownResumable = (upload: ResumableUpload): object =>
  Object.fromEntries(Object.entries(members).map(([name, [, , value]]) => [name, value(upload)]));

/** The schema of an upload in pieces. */
export const resumableModel = object(
  'A file that comes in pieces. Only the person who created it sees it.',
  Object.fromEntries(Object.entries(members).map(([name, [about, schema]]) => [name, [about, schema]])),
);

const header = (name: string, description: string, example: unknown, schema: OpenApiNode) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { ...schema, examples: [example] },
});

/** Describes a number of bytes in a header. It is a text, because headers are texts in some generated clients. */
const byteHeader = (name: string, description: string, example: string) =>
  header(name, description, example, { type: 'string', maxLength: 15, pattern: '^\\d+$' });

const version = header('Tus-Resumable', 'The version of the protocol.', '1.0.0', {
  ...{ type: 'string', enum: ['1.0.0'] },
});

const metadata = {
  ...header(
    'Upload-Metadata',
    'What is known about the file: keys with values in base64. `filename`, `filetype` and `team_id` have a meaning; others are only returned.',
    'filename bGljZW5jZS5wZGY=,filetype YXBwbGljYXRpb24vcGRm',
    { type: 'string', maxLength: resumableLimits.metadata },
  ),
  required: false,
};

const piece = { type: 'string', format: 'binary', maxLength: resumableLimits.piece };

const told: readonly HeaderName[] = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'];
const shown: readonly HeaderName[] = [...told, 'Upload-Length', 'Upload-Metadata'];
const json = { 'application/json': { schema: { $ref: '#/components/schemas/ResumableUploadModel' } } };

/** Natural keys that a record is asked about by, by its kind. */
export const complianceKeys = {
  vehicle: ['license_plate', 'vin'],
  contact: ['email'],
  company: ['tax_id'],
  location: ['name'],
} as const satisfies Record<HolderKind, readonly string[]>;

/** Returns the operation that answers about a record, by its id or a natural key. */
export const complianceOperation = (kind: HolderKind, isByKey: boolean): string =>
  `complianceOf${capitalized(kind)}${isByKey ? 'ByKey' : ''}`;

const parameter = (name: string, description: string, schema: OpenApiNode, example: unknown) => ({
  ...{ name, in: 'query', required: false, description },
  schema: { ...schema, examples: [example] },
});

const day = { type: 'string', format: 'date', maxLength: 10 };
const dayOrNull = { ...day, type: ['string', 'null'] };

const onDay = parameter(
  'on',
  'The day, which may be past or ahead. Default: today in the workspace of the record.',
  day,
  '2026-12-24',
);

const keyExamples = {
  ...{ license_plate: 'BT 1014', vin: '3AKJHHDR7MSMA1014', email: 'ben@mapleridge.example' },
  ...{ tax_id: 'DE 123456789', name: 'Hamilton yard' },
};

const checkModel = object('The state of one requirement for a record.', {
  requirement: [
    'The requirement.',
    object('A requirement.', { id: ['Its id.', uuid], name: ['Its name.', text] }),
  ],
  state: ['The state.', word(...requirementStates.map((state) => state.toLowerCase()))],
  since: ['The first day of the state, as far as it follows from what is held now.', dayOrNull],
  until: ['The last day of the state, if nothing changes.', dayOrNull],
  item_id: [
    'The item that decides, the one that lasts longest. Null if there is none, or the caller may not see it.',
    { ...uuid, type: ['string', 'null'] },
  ],
  is_too_short: [
    'True if the item is valid on the day, but not for as many days more as it must be.',
    { type: 'boolean' },
  ],
});

/** The schema of an answer about a record's compliance. */
export const complianceModel = object('Whether a record has what it must have on a day.', {
  compliant: ['False if the state is `non_compliant`.', { type: 'boolean' }],
  state: ['The state.', word(...complianceStates.map((state) => state.toLowerCase()))],
  on: ['The day.', day],
  is_past: ['True if the day is past. The answer is about what is held now.', { type: 'boolean' }],
  until: [
    'The last day on which it is not yet non-compliant. Null if it is already, or never will be.',
    dayOrNull,
  ],
  holder: [
    'The record.',
    object('The record that is asked about.', {
      kind: ['Its kind.', word(...holderKinds)],
      id: ['Its id.', uuid],
      name: ['What it is called.', textOrNull],
    }),
  ],
  gaps: ['The requirements that are pending, expired or missing.', list(checkModel, complianceLimit)],
  requirements: ['All requirements that apply, by name.', list(checkModel, complianceLimit)],
});

/** Declares what answers about records of a kind, by id and by natural key. */
function complianceRoutes(kind: HolderKind): OwnRoute[] {
  const { noun, table } = models[capitalized(kind) as 'Vehicle'];
  const shared = {
    tag: 'Compliance',
    noun,
    success: 'The answer.',
    headers: ['ETag'] as const,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ComplianceModel' } } },
  };
  const keys = complianceKeys[kind];
  return declare<OwnRoute>(
    { kind: 'own', right: 'read', status: 200 },
    {
      [`GET /v1/compliance/${table}/{id}` as const]: {
        ...shared,
        operation: complianceOperation(kind, false),
        summary: `Says whether a ${noun} has what it must have.`,
        description: 'It is computed for this answer.',
        parameters: [onDay],
        errors: ['BAD_REQUEST', 'NOT_FOUND', 'NOT_MODIFIED', 'PRECONDITION_FAILED'],
      },
      [`GET /v1/compliance/${table}` as const]: {
        ...shared,
        operation: complianceOperation(kind, true),
        summary: `Says whether the ${noun} with a natural key has what it must have.`,
        description: `Send one of ${keys.join(', ')}. Of several records with the key, a conflict names the ids.`,
        parameters: [
          onDay,
          ...keys.map((key) =>
            parameter(
              key,
              `The ${noun}'s ${key.replace('_', ' ')}.`,
              { type: 'string', maxLength: 255 },
              keyExamples[key],
            ),
          ),
        ],
        errors: ['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT', 'NOT_MODIFIED', 'PRECONDITION_FAILED'],
      },
    },
  );
}

/** The additions that handlers of their own answer. */
export const ownRoutes: readonly OwnRoute[] = [
  ...declare<OwnRoute>(
    { kind: 'own', right: 'read', status: 200 },
    {
      'GET /v1/imports/{id}/result.csv': {
        ...{ tag: 'Imports', noun: 'import', operation: 'importResult', errors: ['NOT_FOUND'] },
        summary: 'Exports the imported file with the outcome of each row.',
        description:
          'It has the columns `_result`, `_id` and `_error` behind those of the file; for a whole workspace, behind the list and the id that the row has there.',
        ...{ success: 'The file.', content: { 'text/csv': {} } },
      },
      'GET /v1/imports/template.xlsx': {
        ...{ tag: 'Imports', noun: 'import', operation: 'importTemplate', errors: [] },
        summary: 'Makes a workbook to fill in and import.',
        description: 'It has the columns of a kind of records, and two examples to write over.',
        parameters: [
          {
            ...parameter('kind', 'The kind of records.', word(...importListWords), 'items'),
            required: true,
          },
          parameter('language', 'The language of the headers. Default: `en`.', word(...languages), 'de'),
        ],
        success: 'The workbook.',
        content: { 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {} },
      },
      'GET /v1/exports/{id}/workspace.zip': {
        ...{ tag: 'Exports', noun: 'export', operation: 'downloadTeamExport' },
        summary: 'Downloads an exported workspace.',
        description: 'Ranges are supported, so that a download can be continued.',
        ...{ success: 'The ZIP file.', content: { 'application/zip': {} } },
        errors: ['NOT_FOUND', 'CONFLICT', 'NOT_MODIFIED', 'PRECONDITION_FAILED'],
      },
    },
  ),
  ...declare<OwnRoute>(
    { kind: 'own', right: 'write', tag: 'Resumable uploads', noun: 'upload' },
    {
      'POST /v1/resumable-uploads': {
        ...{ operation: 'createResumableUpload', summary: 'Begins an upload of a file in pieces.' },
        description:
          'It follows tus 1.0.0, so that its clients can be used. It is kept for a day. `POST /v1/uploads` takes its id once all pieces have come.',
        parameters: [
          version,
          byteHeader('Upload-Length', 'Size of the whole file in bytes.', '13'),
          metadata,
        ],
        ...{ status: 201, success: 'The upload.', headers: ['Location', ...shown], content: json },
        errors: ['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'PRECONDITION_FAILED'],
      },
      'GET /v1/resumable-uploads/{id}': {
        ...{ operation: 'resumableUpload', summary: 'Tells how far an upload in pieces has come.' },
        description: 'HEAD, which clients of tus send with `Tus-Resumable`, returns the same headers.',
        ...{ status: 200, success: 'The upload.', headers: shown, content: json },
        errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
      },
      'PATCH /v1/resumable-uploads/{id}': {
        ...{ operation: 'appendToResumableUpload', summary: 'Appends a piece to an upload.' },
        description: `A piece has at most ${resumableLimits.piece} bytes, and is stored once it has come. Of two pieces for the same place, one is stored.`,
        parameters: [version, byteHeader('Upload-Offset', 'The number of bytes that have come before.', '0')],
        requestBody: {
          ...{ required: true, content: { 'application/offset+octet-stream': { schema: piece } } },
        },
        ...{ status: 204, success: 'The piece is stored.', headers: told },
        errors: [
          'NOT_FOUND',
          'CONFLICT',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
          'PRECONDITION_FAILED',
        ],
      },
      'DELETE /v1/resumable-uploads/{id}': {
        ...{ operation: 'deleteResumableUpload', summary: 'Deletes an upload in pieces.' },
        ...{ description: 'Its bytes are deleted with it.', parameters: [version] },
        ...{ status: 204, success: 'It is deleted.', headers: ['Tus-Resumable'] },
        errors: ['NOT_FOUND', 'PRECONDITION_FAILED'],
      },
    },
  ),
  ...holderKinds.flatMap(complianceRoutes),
];

/** Sentences for the headings of the additions. */
export const headingsOfAdditions = {
  'Document requests': 'Requests for documents, which people answer by a link in a mail.',
  Imports: 'CSV files whose rows become records.',
  Digests: 'One mail a day or a week instead of one for each item.',
  Exports: 'Workspaces as ZIP files.',
  'Resumable uploads': 'Files that come in pieces.',
  Compliance: 'Whether vehicles, people, companies and locations have what they must have.',
} as const;
