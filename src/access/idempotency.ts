import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import { decrypt, encrypt, type Secrets } from '../db/secrets/secrets.js';
import { readRows } from '../db/sql/select.js';
import { GatewayError } from '../domain/errors.js';
import { exactText, parseExact } from '../domain/text/exact-json.js';
import { Prisma } from '../generated/prisma/client.js';

const { sql } = Prisma;

/** A request that is to be done once, however often it is sent. */
export interface KeyedRequest {
  /** The value of `Idempotency-Key`, as it was sent. */
  readonly key: string;
  /** Hash of all that the request asks for, which tells it from others. */
  readonly fingerprint: string;
}

/** Answer to a request, from now or before. */
export interface KeyedAnswer<Answer> {
  readonly answer: Answer;
  /** True for the answer to an earlier request: nothing was done now. */
  readonly replayed: boolean;
}

/** Milliseconds for which an answer is kept. */
const lifetime = 24 * 60 * 60 * 1_000;

/** Most expired answers that a new one deletes. They are more than one, so that they become fewer. */
const sweep = 20;

/**
 * Most characters of an answer that is kept. They are twice the largest request, so that whatever an answer repeats of its request
 * is kept, and a small request cannot store without end what it did not send, such as an item's other files.
 */
const longestAnswer = 2 * 16 * 1024 * 1024;

/** Text to encrypt: the answer, and the request that it is for. */
interface Sealed {
  readonly fingerprint: string;
  /** Absent: it was too long to be kept. */
  readonly answer?: unknown;
}

/** Makes the text to keep of an answer. A write does not fail because its answer is long. */
function textOf({ fingerprint, answer }: Sealed): string {
  const text = exactText({ fingerprint, answer });
  return text.length <= longestAnswer ? text : exactText({ fingerprint });
}

/** Derives a key of AES-256 from the caller's token (RFC 5869). It is kept nowhere. */
function keyOf(bearer: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bearer, '', 'idempotency', 32)));
}

/** Returns the encryption of answers. A caller known by an issuer sends another token every few minutes, so the gateway's key does. */
function sealerOf({ caller, secrets, bearer }: Session): Pick<Secrets, 'seal' | 'open'> {
  if (caller.identity && secrets) return secrets;
  if (bearer === undefined) throw new Error('This session has nothing to seal answers with.');
  return {
    seal: async (text, owner) => encrypt(keyOf(bearer), text, owner),
    open: async (sealed, owner) => decrypt(keyOf(bearer), sealed, owner),
  };
}

/** Returns the owner of a key. Callers' keys do not meet. */
const nameOf = ({ caller }: Session, key: string) => `${caller.tokenId} ${key}`;

/** Locks the key, unless another request has it now. It stays so until the transaction ends, however it does. */
async function isAlone(tx: Transaction, session: Session, key: string): Promise<boolean> {
  const statement = sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(session, key)}, 0)) AS alone`;
  const [row] = await tx.run<{ alone: boolean }>(named('idempotency_keys.lock', statement));
  return row?.alone === true;
}

const oldest = ({ now }: Session) => new Date(now.getTime() - lifetime);

/**
 * Reads the answer that is kept for a request.
 * @throws GatewayError UNPROCESSABLE when the key is another request's; CONFLICT for an answer too long to be kept
 */
async function findAnswer(
  tx: Transaction,
  session: Session,
  { key, fingerprint }: KeyedRequest,
): Promise<Sealed | undefined> {
  const where = { callerId: session.caller.tokenId, key, created: { gt: oldest(session) } };
  const [row] = await readRows(tx, 'IdempotencyKey', { where });
  if (!row) return undefined;
  const text = await sealerOf(session).open(row.sealed, nameOf(session, key));
  const sealed = parseExact(text) as Sealed;
  if (sealed.fingerprint !== fingerprint) {
    throw new GatewayError('UNPROCESSABLE', 'The `Idempotency-Key` was sent with another request before.');
  }
  if (sealed.answer !== undefined) return sealed;
  const message = 'The request was done before, and its answer was too long to be kept: read what it wrote.';
  throw new GatewayError('CONFLICT', message);
}

/** Stores an answer, in place of an expired one, and deletes some that are expired. */
async function keepAnswer(tx: Transaction, session: Session, key: string, sealed: Sealed): Promise<void> {
  const { caller, now } = session;
  const bytes = await sealerOf(session).seal(textOf(sealed), nameOf(session, key));
  const statement = sql`
    WITH over AS (
      SELECT caller_id, key FROM idempotency_keys
      WHERE created <= ${oldest(session)} AND (caller_id, key) <> (${caller.tokenId}::uuid, ${key})
      ORDER BY created LIMIT ${sweep} FOR UPDATE SKIP LOCKED
    ), swept AS (
      DELETE FROM idempotency_keys USING over
      WHERE (idempotency_keys.caller_id, idempotency_keys.key) = (over.caller_id, over.key)
    )
    INSERT INTO idempotency_keys (caller_id, key, organization_id, sealed, created)
    VALUES (${caller.tokenId}::uuid, ${key}, ${caller.organizationId}::uuid, ${bytes}, ${now})
    ON CONFLICT (caller_id, key) DO UPDATE SET sealed = excluded.sealed, created = excluded.created`;
  await tx.run(named('idempotency_keys.keep', statement));
}

/**
 * Does a request's work once for its key, in one transaction with its answer. The answer is kept for 24 hours: what
 * is written is answered alike ever after, and work that fails leaves nothing behind.
 * @param work all that the request does through its session; rejects to have none of it committed, and may run
 *   several times when others' locks stand in its way
 * @returns what `work` gave, now or when the request was sent first: a JSON value
 * @throws GatewayError CONFLICT while the same key is at work, or when it was done with an answer too long to be kept; UNPROCESSABLE for another request's key; and what
 *   `work` throws
 */
export function once<Answer>(
  session: Session,
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<KeyedAnswer<Answer>> {
  return despiteDeadlocks(() => session.inTransaction((tx) => onceIn(tx, session, request, work)));
}

async function onceIn<Answer>(
  tx: Transaction,
  session: Session,
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<KeyedAnswer<Answer>> {
  const alone = await isAlone(tx, session, request.key);
  // Looked for after the lock is had: whoever had it before has committed.
  const known = await findAnswer(tx, session, request);
  if (known) return { answer: known.answer as Answer, replayed: true };
  if (!alone) {
    const message = 'A request with the same `Idempotency-Key` is not finished yet; try again.';
    throw new GatewayError('CONFLICT', message, { headers: { 'Retry-After': '1' } });
  }
  // What an attempt before has loaded is undone.
  session.forgetLoaded();
  const answer = await session.within(tx, work);
  await keepAnswer(tx, session, request.key, { fingerprint: request.fingerprint, answer });
  return { answer, replayed: false };
}
