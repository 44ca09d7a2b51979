import type { Database } from '../db/connection/database.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import {
  deleteParts,
  partBytes,
  partsReader,
  readArchive,
  type StoredParts,
  storedParts,
  storePart,
} from '../db/files/file-parts.js';
import { notFrozen, sweep } from '../db/queue/queue.js';
import { visibleRowSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, insertReturning } from '../db/sql/write.js';
import { personOf } from '../domain/caller.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { decodeBase64, type FileContent, largestFile } from '../domain/files.js';
import { isUuid, newId } from '../domain/rules.js';

/** Limits of uploads in pieces. */
export const resumableLimits = {
  /** The most bytes of a piece. */
  piece: partBytes,
  /** The most pieces of a file. */
  pieces: 16_384,
  /** Hours for which a file is kept that nobody uses. */
  hours: 24,
  /** The most unfinished uploads of a workspace. */
  open: 1_000,
  /** The most characters of what the sender tells about a file. */
  metadata: 4_096,
} as const;

/** Details that a sender tells about a file that comes in pieces. */
interface SentMetadata {
  readonly filename: string | null;
  readonly filetype: string | null;
  readonly teamId: string | null;
}

const badMetadata = () =>
  new GatewayError(
    'BAD_REQUEST',
    `Upload-Metadata must be keys with values in base64, separated by commas, of at most ${resumableLimits.metadata} characters.`,
  );

/**
 * Parses the header `Upload-Metadata` (tus 1.0.0, creation). Unknown keys are kept for the sender alone.
 * @throws GatewayError BAD_REQUEST
 */
export function parseMetadata(header: string | null): SentMetadata {
  const entries = new Map<string, string>();
  if (header !== null && header.length > resumableLimits.metadata) throw badMetadata();
  for (const pair of header?.split(',') ?? []) {
    const [, key, value = ''] = /^ *([\x21-\x7e]+)(?: +([\w+/=]*))? *$/.exec(pair) ?? [];
    const content = decodeBase64(value);
    if (key === undefined || !content || entries.has(key)) throw badMetadata();
    entries.set(key, Buffer.from(content.bytes).toString());
  }
  const text = (key: string) => entries.get(key) || null;
  return { filename: text('filename'), filetype: text('filetype'), teamId: text('team_id') };
}

interface Row {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  /** Size of the whole file in bytes. */
  readonly length: number;
  readonly metadata: string | null;
  readonly created: Date;
  readonly expiresAt: Date;
}

/** A file that comes in pieces, as its sender sees it. */
export interface ResumableUpload extends Row {
  /** Bytes that have come. */
  readonly offset: number;
}

const shownSql = sql`record.id, record.organization_id AS "organizationId", record.team_id AS "teamId",
  record.content_length::float8 AS length, record.upload_metadata AS metadata, record.created,
  record.expires_at AS "expiresAt"`;

/** Returns the condition on the caller's own upload. @throws GatewayError NOT_FOUND for what is no id */
function ownUpload({ caller, now }: Session, id: string) {
  if (!isUuid(id)) throw notFound('resumable upload', id);
  return { id: id.toLowerCase(), userId: personOf(caller).id, expiresAt: { gt: now } };
}

const readerOf = ({ database, transaction }: Session) => partsReader(database, transaction);

const partsOf = (session: Session, row: Pick<Row, 'id'>): Promise<StoredParts> =>
  storedParts(readerOf(session).run, row);

async function findRow(session: Session, id: string): Promise<Row> {
  const where = visibleRowSql(session, 'ResumableUpload', ownUpload(session, id));
  const statement = sql`SELECT ${shownSql} FROM resumable_uploads AS record WHERE ${where}`;
  const [found] = await session.read<Row>(prepared('resumable_uploads.get', statement));
  if (!found) throw notFound('resumable upload', id);
  return found;
}

/** Finds one of the caller's uploads, and how far it has come. @throws GatewayError NOT_FOUND */
export async function findResumable(session: Session, id: string): Promise<ResumableUpload> {
  const row = await findRow(session, id);
  return { ...row, offset: (await partsOf(session, row)).size };
}

/**
 * Refuses an upload for which a workspace has no room.
 * @param space bytes that all unfinished uploads of a workspace may have together
 * @throws GatewayError TOO_MANY_REQUESTS
 */
async function checkRoom(
  session: Session,
  tx: Transaction,
  { teamId, length }: Pick<Row, 'teamId' | 'length'>,
  space: number,
): Promise<void> {
  const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`resumable ${teamId}`}, 0))`;
  await tx.run(prepared('resumable_uploads.lock', lock));
  const where = visibleRowSql(session, 'ResumableUpload', { teamId, expiresAt: { gt: session.now } });
  const statement = sql`
    SELECT count(*)::int AS count, coalesce(sum(content_length), 0)::float8 AS size
    FROM resumable_uploads AS record WHERE ${where}`;
  const [{ count, size } = { count: 0, size: 0 }] = await tx.run<StoredParts>(
    prepared('resumable_uploads.sum', statement),
  );
  if (count < resumableLimits.open && size + length <= space) return;
  const what =
    count < resumableLimits.open ? `${space} bytes in unfinished uploads` : `${count} unfinished uploads`;
  throw new GatewayError(
    'TOO_MANY_REQUESTS',
    `A workspace may have at most ${what}: use or delete one of them, or try again when some have expired.`,
    { headers: { 'Retry-After': '3600' } },
  );
}

/** A file that is about to come. */
interface NewResumable {
  /** Its size in bytes. */
  readonly length: number;
  /** The header `Upload-Metadata`. */
  readonly metadata: string | null;
}

/**
 * Creates an upload whose bytes come in pieces. It is for the named workspace, or else for the caller's own.
 * @param space bytes that all unfinished uploads of a workspace may have together
 * @throws GatewayError BAD_REQUEST; NOT_FOUND for a workspace that the caller does not see; PAYLOAD_TOO_LARGE;
 *   TOO_MANY_REQUESTS if the workspace has no room
 */
export async function createResumable(
  session: Session,
  { length, metadata }: NewResumable,
  space: number,
): Promise<ResumableUpload> {
  const { caller, now } = session;
  const teamId = parseMetadata(metadata).teamId ?? caller.user.teamId;
  if (!caller.teamIds.includes(teamId.toLowerCase())) throw notFound('workspace', teamId);
  // A larger one could be sent, but not be used.
  if (length > largestFile)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `A file may have at most ${largestFile} bytes.`);
  const place = { organizationId: caller.organizationId, teamId: teamId.toLowerCase() };
  const shown = { ...place, id: newId(), created: now, length, metadata };
  const expiresAt = new Date(now.getTime() + resumableLimits.hours * 3_600_000);
  await session.inTransaction(async (tx) => {
    await checkRoom(session, tx, shown, space);
    await insertReturning(tx, 'ResumableUpload', {
      ...{ ...place, id: shown.id, userId: personOf(caller).id, contentLength: BigInt(length) },
      ...{ uploadMetadata: metadata, created: now, expiresAt },
    });
  });
  return { ...shown, expiresAt, offset: 0 };
}

const wrongOffset = (offset: number) =>
  new GatewayError('CONFLICT', `Upload-Offset must be ${offset}: so many bytes have come.`);

/**
 * Appends a piece to an upload. It is committed when the promise resolves. Of two pieces at the same place,
 * one is stored.
 * @param offset index of its first byte
 * @returns the upload as it is then
 * @throws GatewayError NOT_FOUND; CONFLICT for another place than the end; PAYLOAD_TOO_LARGE beyond the length
 */
export async function appendPiece(
  session: Session,
  id: string,
  offset: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ResumableUpload> {
  const row = await findRow(session, id);
  const before = await partsOf(session, row);
  if (before.size !== offset) throw wrongOffset(before.size);
  const end = offset + bytes.length;
  if (end > row.length)
    throw new GatewayError('PAYLOAD_TOO_LARGE', `The file has ${row.length} bytes, as Upload-Length said.`);
  if (bytes.length === 0) return { ...row, offset };
  if (before.count >= resumableLimits.pieces)
    throw new GatewayError(
      'PAYLOAD_TOO_LARGE',
      `A file may have at most ${resumableLimits.pieces} pieces: send larger ones.`,
    );
  let now: StoredParts | undefined;
  const isStored = await storePart(
    session,
    row,
    { number: before.count, position: offset, bytes },
    async (tx) => {
      // Pieces of an upload take turns, and a deleted one gets no more.
      const lock = sql`SELECT FROM resumable_uploads WHERE id = ${row.id}::uuid FOR UPDATE`;
      if ((await tx.run(prepared('resumable_uploads.lock_row', lock))).length === 0) return false;
      now = await storedParts((statement) => tx.run(statement), row);
      return now.size === offset && now.count === before.count;
    },
  );
  if (isStored) return { ...row, offset: end };
  if (!now) throw notFound('resumable upload', id);
  throw now.size === offset
    ? new GatewayError('CONFLICT', 'The piece could not be stored in time; send it again.')
    : wrongOffset(now.size);
}

/** Deletes one of the caller's uploads with its bytes. @throws GatewayError NOT_FOUND */
export async function deleteResumable(session: Session, id: string): Promise<void> {
  const deleted = await session.inTransaction((tx) =>
    deleteRows(tx, 'ResumableUpload', ownUpload(session, id)),
  );
  if (deleted === 0) throw notFound('resumable upload', id);
}

/** A file all of whose pieces have come. */
interface FinishedUpload extends ResumableUpload, Omit<SentMetadata, 'teamId'> {}

/**
 * Finds one of the caller's uploads that is complete. `readArchive` reads its bytes.
 * @throws GatewayError NOT_FOUND; CONFLICT while pieces are missing
 */
export async function findFinished(session: Session, id: string): Promise<FinishedUpload> {
  const found = await findResumable(session, id);
  if (found.offset !== found.length)
    throw new GatewayError(
      'CONFLICT',
      `The resumable upload is not complete: ${found.offset} of ${found.length} bytes have come.`,
    );
  const { filename, filetype } = parseMetadata(found.metadata);
  return { ...found, filename, filetype };
}

/**
 * Reads all bytes of a complete upload into memory.
 * @throws GatewayError CONFLICT if some are gone meanwhile
 */
export async function readFinished(session: Session, upload: FinishedUpload): Promise<FileContent['bytes']> {
  const bytes = await readArchive(readerOf(session), upload, 0, upload.length);
  if (!bytes && upload.length > 0)
    throw new GatewayError('CONFLICT', 'The resumable upload has lost bytes: continue it.');
  return new Uint8Array(bytes ?? []);
}

/** Deletes a complete upload with its bytes, in the transaction that uses them. */
export const useResumable = (tx: Transaction, id: string): Promise<number> =>
  deleteRows(tx, 'ResumableUpload', { id: id.toLowerCase() });

/** Deletes expired uploads with their bytes. */
export async function forgetResumable(database: Database, now: Date): Promise<void> {
  const where = sql`expires_at <= ${now}::timestamptz`;
  const statement = sql`
    SELECT id FROM resumable_uploads AS upload WHERE ${where} AND ${notFrozen('upload')} ORDER BY expires_at LIMIT 1000`;
  const expired = await database.query<{ id: string }>(prepared('resumable_uploads.expired', statement));
  for (const upload of expired) await deleteParts(database, upload);
  await sweep(database, { table: 'resumable_uploads', where, order: 'expires_at', page: 100 });
}
