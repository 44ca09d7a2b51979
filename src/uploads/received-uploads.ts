import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import type { Database, SendStatement } from '../db/connection/database.js';
import { isUnlinked, unavailableOf } from '../db/connection/errors.js';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { updateRows } from '../db/sql/write.js';
import { type Caller, ownTokenId, personOf } from '../domain/caller.js';
import { groupBy, inBatches } from '../domain/collections.js';
import { formatDate } from '../domain/dates.js';
import { argumentError, badField, GatewayError, movedViolations } from '../domain/errors.js';
import { base64Length, decodeBase64, FileContent, largestFile } from '../domain/files.js';
import { type EventHead, entityTypes, eventTypes } from '../domain/models.js';
import { check, newId, rules } from '../domain/rules.js';
import { exactText, roundNumbers } from '../domain/text/json.js';
import { camelCase } from '../domain/text/names.js';
import { holderTagNames, sentTags, tellsDate } from '../domain/uploads/upload.js';
import { expirationItems } from '../items/expiration-items.js';
import { outboxSql } from '../records/event-logs.js';
import { transact } from '../records/record.js';
import { aboutRules, fileLocked, toDecisionError } from './filed-uploads.js';
import { type SentUpload, sentUpload, uploadNotifications, uploadTitle } from './notifications.js';
import { firstReading, type MailFile } from './reading/read-document.js';
import { findFinished, readFinished, useResumable } from './resumable.js';

/** Action of a stored file. Notifications of other actions are stored but ignored. */
const STORED_ACTION = 'fp.upload';

/** Statuses of files that are not there, or not yet. */
const unfinished: ReadonlySet<string> = new Set(['failed', 'intransit']);

/** Returns the status of a file that is not there; null for all others. */
function unfinishedStatus({ text }: SentUpload): string | null {
  const status = text?.status?.trim().toLowerCase() ?? '';
  return unfinished.has(status) ? status : null;
}

/**
 * Computes the deduplication key: the sender's id and action, or else a hash of everything. A file that is in transit and
 * then stored is announced twice with one id.
 */
function computeDedupeKey(sent: SentUpload, raw: Uint8Array | undefined): string {
  const status = unfinishedStatus(sent);
  if (sent.id !== null) return `${sent.id}:${sent.action ?? ''}${status === null ? '' : `:${status}`}`;
  const content = raw ?? exactText(sent);
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Writes a BigInt as text, because JSON has none. PostgreSQL reads the digits of a string as well. */
const bigintAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Creates the row of a notification and its event, for `storeSql`. */
function toRow(sent: SentUpload, { caller, now }: Session, dedupeKey: string, teamId = caller.user.teamId) {
  const { id: notification_id, action, timestamp } = sent;
  const { uploadTags: own, ...file }: Partial<NonNullable<SentUpload['text']>> = sent.text ?? {};
  const uploadTags = own ?? sent.uploadTags;
  const { filename = null } = file;
  return {
    ...file,
    id: newId(),
    organization_id: caller.organizationId,
    team_id: teamId,
    access_token_id: ownTokenId(caller),
    user_id: caller.user.id,
    user_name: caller.user.name,
    notification_id,
    action,
    timestamp,
    upload_tags: uploadTags ? roundNumbers(uploadTags) : null,
    upload_tags_text: uploadTags ? exactText(uploadTags) : null,
    dedupe_key: dedupeKey,
    state: action === STORED_ACTION && unfinishedStatus(sent) === null ? 'RECEIVED' : 'IGNORED',
    received_at: now,
    event_id: newId(),
    description: `${uploadTitle({ filename, action })} was received`,
  };
}

type Row = ReturnType<typeof toRow>;

/** Creates the announcement of a stored notification to other processes. */
function toEventHead({ id, event_id, organization_id, team_id }: Row): EventHead {
  return {
    id: event_id,
    typeId: eventTypes['scan received'],
    organizationId: organization_id,
    teamId: team_id,
    entities: [{ id, typeId: entityTypes.uploadNotification }],
    more: false,
  };
}

/** SQL that stores notifications, and the events of new ones. A notification to be filed is due at once. */
const storeSql = `
  WITH sent AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS sent (
      id uuid, organization_id uuid, team_id uuid, access_token_id uuid, user_id uuid, user_name text,
      notification_id bigint, action text, "timestamp" bigint, container text, url text, filename text,
      client text, key text, type text, status text, size bigint, upload_tags jsonb, upload_tags_text text, dedupe_key text,
      state upload_state, received_at timestamptz, event_id uuid, description text
    )
  ), stored AS (
    INSERT INTO upload_notifications (
      id, organization_id, team_id, access_token_id, user_id, notification_id, action, "timestamp", container,
      url, filename, client, key, type, status, size, upload_tags, upload_tags_text, dedupe_key, state, received_at,
      modified, due_at
    )
    SELECT
      id, organization_id, team_id, access_token_id, user_id, notification_id, action, "timestamp", container,
      url, filename, client, key, type, status, size, upload_tags, upload_tags_text, dedupe_key, state, received_at,
      received_at, CASE WHEN state = 'RECEIVED' THEN received_at END
    FROM sent
    ON CONFLICT (organization_id, dedupe_key) DO NOTHING
    RETURNING id
  ), logged AS (
    INSERT INTO event_logs (id, organization_id, team_id, type_id, description, user_id, user_name, created)
    SELECT event_id, organization_id, team_id, ${eventTypes['scan received']}, description, user_id, user_name,
      received_at
    FROM sent JOIN stored USING (id)
    RETURNING id, organization_id, team_id, created
  ), ${outboxSql.sql}, related AS (
    INSERT INTO event_log_entities (event_id, entity_id, type_id, position)
    SELECT event_id, id, ${entityTypes.uploadNotification}, 0 FROM sent JOIN stored USING (id)
  )
  SELECT id FROM stored`;

const noWorkspace = new GatewayError(
  'FORBIDDEN',
  'The token has no workspace in which this could be stored.',
);

/** The store of notifications: the database, or a transaction. */
interface Store {
  /** Sends a statement as a transaction of its own, or in a savepoint. */
  readonly query: SendStatement;
  readonly announce: (heads: readonly EventHead[]) => void;
}

/**
 * Stores notifications and their events with one statement. It also makes them due, so that a notification
 * always has its job. Duplicates are skipped.
 * @returns the ids of the rows that were stored
 */
async function storeRows(at: Store, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  try {
    // In the same order everywhere, to prevent deadlocks between batches with the same keys.
    const sorted = [...rows].sort((a, b) => (a.dedupe_key < b.dedupe_key ? -1 : 1));
    const stored = await at.query<{ id: string }>(
      prepared('upload_notifications.receive', {
        text: storeSql,
        values: [JSON.stringify(sorted, bigintAsText)],
      }),
    );
    const ids = new Set(stored.map(({ id }) => id));
    at.announce(rows.filter(({ id }) => ids.has(id)).map(toEventHead));
    return ids;
  } catch (error) {
    // The workspace was deleted after the token was looked up.
    if (isUnlinked(error)) throw noWorkspace;
    throw error;
  }
}

interface Received {
  readonly row: Row;
  readonly caller: Caller;
}

/** The most notifications in one statement, so that none takes long. */
const largestBatch = 100;

/** Stores notifications of callers with the same scope. */
function storeGroup(database: Database, group: readonly Received[]): Promise<ReadonlySet<string>> {
  // Groups are never empty.
  const { caller } = group[0] as Received;
  const at: Store = {
    query: (statement) => database.query(statement, caller),
    announce: (heads) => database.announce(heads),
  };
  return despiteDeadlocks(() =>
    storeRows(
      at,
      group.map(({ row }) => row),
    ),
  );
}

/** Stores notifications; returns for each whether it was stored. */
async function storeBatch(database: Database, batch: readonly Received[]): Promise<boolean[]> {
  const groups = groupBy(batch, ({ caller }) => database.viewOf(caller));
  const stored = await Promise.all(groups.map((group) => storeGroup(database, group)));
  return batch.map(({ row }) => stored.some((ids) => ids.has(row.id)));
}

/** Receives the notifications of a database in this process, in batches. */
class UploadReceiver {
  /** Stores a notification; returns whether it was not a duplicate. */
  readonly take: (received: Received) => Promise<boolean>;
  /** Called when a notification that must be filed was stored. */
  readonly listeners = new Set<() => void>();

  constructor(database: Database) {
    this.take = inBatches<Received, boolean>(
      largestBatch,
      (batch) => storeBatch(database, batch),
      (error) => unavailableOf(error) !== undefined,
      () => setImmediate(),
    );
  }
}

/**
 * Registers a listener that is called when this process has stored an upload.
 * @returns a function that removes the listener
 */
export function onUploadReceived(database: Database, listener: () => void): () => void {
  const { listeners } = database.service(UploadReceiver);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells the workers of this process that there is an upload to work on. */
export function wakeUploadWorkers(database: Database): void {
  for (const listener of database.service(UploadReceiver).listeners) listener();
}

/** Stores a notification inside a transaction. Workers find it when they next poll the queue. */
function storeInTransaction(around: Transaction, row: Row): Promise<unknown> {
  const part: Store = {
    query: (statement) => around.inTransaction((tx) => tx.run(statement)),
    announce: (heads) => void around.pendingEvents.push(...heads),
  };
  return storeRows(part, [row]);
}

/**
 * Stores an upload notification with its event; a duplicate changes nothing. It is committed when the promise
 * resolves, or with the session's transaction.
 * @param raw bytes of the request
 * @returns the deduplication key, by which duplicates find the first one
 * @throws GatewayError BAD_REQUEST naming the member that cannot be stored; FORBIDDEN for a token without
 *   workspaces
 */
export async function receiveUpload(
  session: Session,
  input: object,
  raw: Uint8Array | undefined,
): Promise<string> {
  const sent = check(sentUpload, input);
  if (session.caller.teamIds.length === 0) throw noWorkspace;
  const dedupeKey = computeDedupeKey(sent, raw);
  const row = toRow(sent, session, dedupeKey);
  const around = session.transaction;
  if (around) {
    await storeInTransaction(around, row);
    return dedupeKey;
  }
  const { take } = session.database.service(UploadReceiver);
  if ((await take({ row, caller: session.caller })) && row.state === 'RECEIVED')
    wakeUploadWorkers(session.database);
  return dedupeKey;
}

/** Finds the stored notification with a deduplication key; null if not visible. */
export async function findReceived(
  session: Session,
  dedupeKey: string,
): Promise<RowOf<'UploadNotification'> | null> {
  const [found] = await readRows(session, 'UploadNotification', { where: { dedupeKey } });
  return found ?? null;
}

/** Rules of what is sent with a file. */
export const addUploadRules = aboutRules.extend({
  holderId: rules.uuid,
  vehicleVin: rules.line,
  licensePlate: rules.line,
  holderEmail: rules.line,
  companyId: rules.uuid,
  companyTaxId: rules.line,
  content: z
    .string()
    .meta({ maxLength: base64Length(largestFile) })
    .nullish(),
  resumableUploadId: rules.uuid,
  fileName: rules.line,
  contentType: rules.line,
  trustScan: z.boolean().nullish(),
});

/** A file that a caller sends, and where it belongs. */
interface NewUpload extends z.input<typeof addUploadRules> {
  readonly file?: File | null;
}

/** A file's bytes, and what is known about it besides what the caller says. */
interface SentFile {
  readonly content: FileContent;
  readonly name: string | null;
  readonly type: string | null;
  readonly teamId?: string;
  /** By which another try finds the upload. */
  readonly dedupeKey: string;
}

const tooLarge = () => new GatewayError('PAYLOAD_TOO_LARGE', `A file may have at most ${largestFile} bytes.`);

const emptyFile = (name: keyof NewUpload) => badField([name], 'is empty', 'required');

/** Returns the key that an upload has whose bytes came in pieces. */
const resumableKey = (id: string) => `resumable:${id.toLowerCase()}`;

/** Reads a file whose bytes came in pieces. @throws GatewayError BAD_REQUEST; CONFLICT; PAYLOAD_TOO_LARGE */
async function resumableFile(session: Session, id: string): Promise<SentFile> {
  const finished = await findFinished(session, id).catch((error) => {
    if (!(error instanceof GatewayError) || error.code !== 'NOT_FOUND') throw error;
    throw badField(['resumableUploadId'], 'names no resumable upload that exists', 'reference');
  });
  if (finished.length === 0) throw emptyFile('resumableUploadId');
  if (finished.length > largestFile) throw tooLarge();
  const content = new FileContent(await readFinished(session, finished));
  const { filename: name, filetype: type, teamId } = finished;
  return { content, name, type, teamId, dedupeKey: resumableKey(id) };
}

/** Reads a file's bytes. @throws GatewayError BAD_REQUEST if there are none; PAYLOAD_TOO_LARGE */
async function sentFile(
  session: Session,
  { file, content }: NewUpload,
  resumableUploadId: string | null,
): Promise<SentFile> {
  if (resumableUploadId) {
    if (file == null && content == null) return resumableFile(session, resumableUploadId);
    throw badField(['resumableUploadId'], 'cannot be sent together with `content` or `file`');
  }
  if ((file == null) === (content == null))
    throw argumentError('BAD_REQUEST', 'Send one of `content`, `file` and `resumableUploadId`.', ['content']);
  const read = file ? new FileContent(new Uint8Array(await file.arrayBuffer())) : decodeBase64(content ?? '');
  const name = file ? 'file' : 'content';
  if (!read) throw badField([name], 'must be base64', 'format');
  if (read.bytes.length === 0) throw emptyFile(name);
  if (read.bytes.length > largestFile) throw tooLarge();
  const about = { name: file?.name || null, type: file?.type || null };
  return { ...about, content: read, dedupeKey: `sent:${newId()}` };
}

/** Finds the upload that a file in pieces has become already. */
async function findUsed({ resumableUploadId: id }: NewUpload, session: Session) {
  const found = id == null ? null : await findReceived(session, resumableKey(id));
  return found?.userId === personOf(session.caller).id ? found : null;
}

/** Returns the workspace of a new upload. @throws GatewayError BAD_REQUEST for one that the caller does not see */
function teamOf({ caller }: Session, named: string | null | undefined): string {
  if (caller.teamIds.length === 0) throw noWorkspace;
  const teamId = named?.toLowerCase() ?? caller.user.teamId;
  if (named && !caller.teamIds.includes(teamId))
    throw badField(['teamId'], 'names no workspace that exists', 'reference');
  return teamId;
}

/** Names an error's members as the caller does. The upload keeps what was sent as tags. */
function toInputError(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'BAD_REQUEST') return error;
  return toDecisionError(
    movedViolations(error, (violation) =>
      violation.path[0] === 'upload_Tags'
        ? { ...violation, path: [camelCase(String(violation.path[1]))] }
        : violation,
    ),
  );
}

/**
 * Stores a file as an upload, and files it at once. It goes under the named item, or under a new one. A worker
 * then reads it, unless the date was sent, and stores what it suggests. A file that came in pieces is used
 * once: whoever sends its id again gets the same upload.
 * @throws GatewayError BAD_REQUEST naming the wrong member; PAYLOAD_TOO_LARGE; FORBIDDEN for a token without
 *   workspaces; CONFLICT while pieces are missing
 */
export async function addUpload(session: Session, input: NewUpload): Promise<RowOf<'UploadNotification'>> {
  try {
    return await addFile(session, input);
  } catch (error) {
    // Another request has used the pieces, now or long ago.
    const used = error instanceof GatewayError && (await findUsed(input, session));
    if (used) return used;
    throw toInputError(error);
  }
}

async function addFile(session: Session, input: NewUpload): Promise<RowOf<'UploadNotification'>> {
  const { file: _file, ...given } = input;
  const { teamId, expirationDate, resumableUploadId, ...sent } = check(addUploadRules, given);
  const { content, dedupeKey, ...about } = await sentFile(session, input, resumableUploadId);
  const team = teamOf(session, teamId ?? about.teamId);
  const tags = {
    ...(sent.expirationItemId && { expiration_item_id: sent.expirationItemId }),
    ...(sent.name && { name: sent.name }),
    ...(expirationDate && { expiration_date: formatDate(expirationDate) }),
    ...(sent.category && { category: sent.category }),
    ...(sent.contactEmail && { contact_email: sent.contactEmail }),
    ...(sent.trustScan && { trust_scan: true }),
    ...Object.fromEntries(
      holderTagNames.flatMap((name) => {
        const value = (sent as Readonly<Record<string, unknown>>)[camelCase(name)];
        return value ? [[name, value]] : [];
      }),
    ),
  };
  const type = sent.contentType ?? about.type;
  const notification = check(sentUpload, {
    ...{ action: STORED_ACTION },
    text: {
      ...{ filename: sent.fileName ?? about.name, type, size: BigInt(content.bytes.length) },
      ...(Object.keys(tags).length > 0 && { uploadTags: tags }),
    },
  });
  const row = toRow(notification, session, dedupeKey, team);
  const filed = await transact(session, expirationItems, async (tx) => {
    await storeInTransaction(tx, row);
    const upload = await uploadNotifications.rows.lock(tx, row.id);
    if (!upload) throw resumableUploadId ? usedMeanwhile : noWorkspace;
    const next = tellsDate(upload) ? null : firstReading(content.bytes);
    if (resumableUploadId) await useResumable(tx, resumableUploadId);
    return fileLocked(tx, session, upload, { fetched: { content, contentType: type } }, undefined, next);
  });
  if (!session.transaction) wakeUploadWorkers(session.database);
  return filed;
}

/** A file that somebody sent without an account. */
interface HeldFile extends Pick<SentFile, 'content' | 'type'> {
  readonly name: string;
}

/**
 * Stores a file as an upload under an item that keeps it. Until somebody decides, it is in the inbox.
 * `wakeUploadWorkers` lets it be read, once the transaction is committed.
 * @param session of the gateway itself, in the workspace of the item
 * @throws GatewayError like `fileLocked`
 */
export async function receiveHeldFile(
  tx: Transaction,
  session: Session,
  { content, name, type }: HeldFile,
  itemId: string,
  dedupeKey: string,
): Promise<void> {
  const notification = check(sentUpload, {
    ...{ action: STORED_ACTION },
    text: {
      ...{ filename: name, type, size: BigInt(content.bytes.length) },
      uploadTags: { expiration_item_id: itemId },
    },
  });
  const row = { ...toRow(notification, session, dedupeKey), access_token_id: null };
  await storeInTransaction(tx, row);
  const upload = await uploadNotifications.rows.lock(tx, row.id);
  if (!upload) throw noWorkspace;
  const next = firstReading(content.bytes);
  await fileLocked(tx, session, upload, { fetched: { content, contentType: type } }, undefined, next);
  await updateRows(tx, 'UploadNotification', { id: row.id }, { needsReview: true });
}

/** Tags of a mail that say nothing about its files. */
const ofMailOnly: ReadonlySet<string> = new Set(['name', 'expiration_date']);

/** Returns the tags of a mail that hold for each of its files. */
function tagsOfFiles(mail: RowOf<'UploadNotification'>): Record<string, unknown> | null {
  const tags = Object.entries((sentTags(mail) ?? {}) as Record<string, unknown>);
  const kept = tags.filter(([name]) => !ofMailOnly.has(name.toLowerCase()));
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/**
 * Stores a file of a mail as an upload. It is filed at once by the mail's tags, and a worker then reads it. If the mail is
 * read again, each of its files is still stored once.
 * @param session of whoever sent the mail
 * @throws GatewayError like `fileLocked`
 */
export function addMailFile(
  session: Session,
  mail: RowOf<'UploadNotification'>,
  { name, type, bytes }: MailFile,
  index: number,
): Promise<void> {
  const uploadTags = tagsOfFiles(mail);
  const notification = check(sentUpload, {
    ...{ action: STORED_ACTION },
    text: { ...{ filename: name, type, size: BigInt(bytes.length) }, ...(uploadTags && { uploadTags }) },
  });
  const row = toRow(notification, session, `mail:${mail.id}:${index}`, mail.teamId);
  return transact(session, expirationItems, async (tx) => {
    await storeInTransaction(tx, row);
    const upload = await uploadNotifications.rows.lock(tx, row.id);
    if (!upload) return;
    const fetched = { content: new FileContent(bytes), contentType: type };
    await fileLocked(tx, session, upload, { fetched }, undefined, firstReading(bytes));
  });
}

/** The 409 for a file in pieces that another request is using. */
const usedMeanwhile = new GatewayError('CONFLICT', 'The resumable upload was used by another request.');
