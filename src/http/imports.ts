import { Readable } from 'node:stream';
import { guarded, resultHeaders, writeCsv } from '../csv/columns.js';
import { readFile } from '../csv/import/read-file.js';
import type { Session } from '../db/connection/session.js';
import { GatewayError } from '../domain/errors.js';
import { contentDisposition } from '../domain/files.js';
import {
  cancelImport,
  createImport,
  fileInPieces,
  findImport,
  type ImportResult,
  listImports,
  readImportResult,
  runImport,
  type ShownImport,
} from '../imports/imports.js';
import {
  importLimits,
  isOfWorkspace,
  type NewImport,
  type Preview,
  type RowError,
} from '../imports/options.js';
import { readBatch } from '../imports/queue.js';
import { badParameter, readFlag, readParameter } from '../rest/lists/list.js';
import { refuseUnknownParameters } from '../rest/strict.js';
import { memberName, percentDecoded, readParameters } from '../web/parameters.js';
import { type HttpResponse, jsonType } from '../web/response.js';
import { noSession } from './auth/auth.js';
import { badForm, formIn, isMultipart, multipartOverheadBytes } from './request/request.js';
import type { Endpoint, Handle } from './routing/endpoint.js';

/** Returns an import in the names of REST. */
function shownByRest({ options, ...shown }: ShownImport): Record<string, unknown> {
  const { kind, state, preview, ...others } = shown;
  const members = Object.entries({ ...others, mode: options.mode.toLowerCase() }).map(([name, value]) => [
    memberName(name),
    value instanceof Date ? value.toISOString() : value,
  ]);
  const words = { kind: kind.toLowerCase(), state: state.toLowerCase() };
  return { ...Object.fromEntries(members), ...words, preview: preview && shownPreview(preview) };
}

/** Returns a preview in the names of REST. */
export function shownPreview({ workspace, ...preview }: Preview) {
  const { errors, warnings = [], damaged = [], rows } = preview;
  const withList = (error: RowError) => ({ list: null, ...error });
  const { leftOut, ...others } = workspace ?? {};
  return {
    ...preview,
    errors: errors.map(withList),
    warnings: warnings.map(withList),
    damaged: damaged.map((column) => ({ ...column, damage: column.damage.toLowerCase() })),
    rows: rows.map(({ changes = [], ...row }) => ({
      ...row,
      changes: changes.map(({ damage, leftOut: left_out, ...change }) => ({
        ...{ ...change, damage: damage?.toLowerCase() ?? null, left_out },
      })),
    })),
    workspace: workspace ? { ...others, left_out: leftOut } : null,
  };
}

/** Writes the result file of an import. The rows of a whole workspace come some at a time. */
export const resultFile = async (session: Session, shown: ShownImport) =>
  isOfWorkspace(shown)
    ? writeTeamResult(session, shown.id)
    : writeResult(await readImportResult(session, shown.id));

/** Yields the outcomes of a whole workspace's rows as CSV, some at a time. */
async function* writeTeamResult(session: Session, id: string): AsyncGenerator<string> {
  yield writeCsv([['list', 'id', ...resultHeaders]]);
  for (let number = 0; ; number++) {
    const results = await readBatch(session.database, { id }, number);
    if (!results) return;
    const rows = results.map(([action, here, error, list = '', rowId = '']) => [
      ...[list, rowId, action, here ?? '', error ?? ''].map(guarded),
    ]);
    if (rows.length > 0) yield writeCsv(rows);
  }
}

/** Writes the imported file with the outcome of each row. All cells are guarded, also of a file from elsewhere. */
async function writeResult({ content, options, results }: ImportResult): Promise<string> {
  const { headers, rows } = await readFile(content, options);
  const lines: string[][] = [[...headers.map(guarded), ...resultHeaders]];
  for await (const { cells } of rows) {
    const [action = 'pending', id, error] = results[lines.length - 1] ?? [];
    // A row with fewer cells than headers would shift its outcome.
    const filled = [...cells, ...Array(Math.max(0, headers.length - cells.length)).fill('')];
    lines.push([...filled, action, id ?? '', error ?? ''].map(guarded));
  }
  return writeCsv(lines);
}

/** Checks that a body is CSV, a ZIP file, or a form. @throws GatewayError UNSUPPORTED_MEDIA_TYPE */
function checkFileType(contentType: string | null): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (
    type !== undefined &&
    [
      ...['text/csv', 'application/vnd.ms-excel', 'text/tab-separated-values', 'multipart/form-data'],
      ...['application/zip', 'application/x-zip-compressed'],
    ].includes(type)
  )
    return;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be the file, as text/csv or application/zip, or a form with it, as multipart/form-data.',
  );
}

/** Reads the file of a body: all of it, or the part `file`. */
async function readFileSent(
  contentType: string | null,
  body: Uint8Array,
): Promise<{ readonly content: Uint8Array; readonly name?: string }> {
  if (!isMultipart(contentType)) return { content: body };
  const file = (await formIn(contentType, body)).get('file');
  if (file === null || typeof file === 'string') throw badForm('The part "file" must be the file.');
  return { content: new Uint8Array(await file.arrayBuffer()), name: file.name };
}

/** Reads a parameter that is a word, in the gateway's spelling. */
const readWord = (query: URLSearchParams, name: string): string | undefined =>
  readParameter(query, name)?.toUpperCase().replaceAll('-', '_');

/** Reads the mapping: JSON with a column for each header. */
function readMapping(query: URLSearchParams): NewImport['mapping'] {
  const text = readParameter(query, 'mapping');
  if (text === undefined) return undefined;
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    sent = undefined;
  }
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw badParameter('mapping', 'must be a JSON object with a column for each header');
  return Object.entries(sent).map(([header, column]) => ({
    header,
    column: column === null ? null : String(column),
  }));
}

/** The parameters of a new import. */
const taken = [
  ...['kind', 'file_name', 'team_id', 'mode', 'encoding', 'date_format', 'mapping', 'accept_damage'],
  ...['atomic', 'quiet', 'again', 'resumable_upload_id'],
];

/** Reads the options of an import. Their rules are checked later, for both APIs. */
const readOptions = (query: URLSearchParams) =>
  ({
    kind: readWord(query, 'kind'),
    fileName: readParameter(query, 'file_name'),
    teamId: readParameter(query, 'team_id'),
    mode: readWord(query, 'mode'),
    encoding: readWord(query, 'encoding'),
    dateFormat: readWord(query, 'date_format'),
    mapping: readMapping(query),
    acceptDamage: query.has('accept_damage') ? query.getAll('accept_damage') : undefined,
    atomic: readFlag(query, 'atomic', false),
    quiet: readFlag(query, 'quiet', true),
    again: readFlag(query, 'again', false),
  }) as NewImport;

const list: Handle = async (request, { session = noSession() }) => {
  refuseUnknownParameters(readParameters(request.query), []);
  const shown = await listImports(session);
  return {
    status: 200,
    headers: { ...jsonType, 'Cache-Control': 'no-store' },
    body: JSON.stringify({ imports: shown.map(shownByRest) }),
  };
};

const answerWith = (
  shown: ShownImport,
  status = 200,
  headers: Record<string, string> = {},
): HttpResponse => ({
  status,
  headers: { ...jsonType, 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(shownByRest(shown)),
});

const idIn = (id: string | undefined) => percentDecoded(id ?? '') ?? '';

const create: Handle = async (request, { session = noSession(), body }) => {
  const query = readParameters(request.query);
  refuseUnknownParameters(query, taken);
  const options = readOptions(query);
  const pieces = readParameter(query, 'resumable_upload_id');
  const contentType = request.header('content-type');
  if (pieces === undefined) checkFileType(contentType);
  else if (body.byteLength > 0) throw badParameter('resumable_upload_id', 'must come without a body');
  const { content, name }: { content: Parameters<typeof createImport>[2]; name?: string } =
    pieces === undefined
      ? await readFileSent(contentType, body)
      : { content: await fileInPieces(session, options, pieces) };
  const made = await createImport(session, { ...options, fileName: options.fileName ?? name }, content);
  return answerWith(made, 201, { Location: `/v1/imports/${made.id}` });
};

const act =
  (action: typeof findImport): Handle =>
  async (request, { session = noSession() }) =>
    answerWith(await action(session, idIn(request.id)));

const result: Handle = async (request, { session = noSession() }) => {
  const shown = await findImport(session, idIn(request.id));
  const name = (shown.fileName ?? 'import.csv').replace(/(\.csv|\.zip)?$/i, '-result.csv');
  const file = await resultFile(session, shown);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
    },
    body: typeof file === 'string' ? file : Readable.from(file, { objectMode: false }),
  };
};

/** Creates the endpoints of imports. */
export function importEndpoints(): Endpoint[] {
  const door = 'rest';
  const body = {
    limit: ({ header }: { header: (name: string) => string | null }) =>
      importLimits.bytes + (isMultipart(header('content-type')) ? multipartOverheadBytes : 0),
    // A file that came in pieces has no body.
    check: ({ header }: { header: (name: string) => string | null }) => {
      if (header('content-type') !== null) checkFileType(header('content-type'));
    },
  };
  return [
    {
      path: '/v1/imports',
      door,
      methods: { GET: { access: 'read', handle: list }, POST: { access: 'write', body, handle: create } },
    },
    { path: '/v1/imports/{id}', door, methods: { GET: { access: 'read', handle: act(findImport) } } },
    { path: '/v1/imports/{id}/run', door, methods: { POST: { access: 'write', handle: act(runImport) } } },
    {
      path: '/v1/imports/{id}/cancel',
      door,
      methods: { POST: { access: 'write', handle: act(cancelImport) } },
    },
    { path: '/v1/imports/{id}/result.csv', door, methods: { GET: { access: 'read', handle: result } } },
  ];
}
