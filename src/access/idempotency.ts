import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../db/connection/transaction.js';
import { decrypt, encrypt, type Secrets } from '../db/secrets/secrets.js';
import { readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { GatewayError } from '../domain/errors.js';
import { exactText, parseExact } from '../domain/text/json.js';

/** A request with an idempotency key, to be executed only once. */
export interface KeyedRequest {
  /** The value of `Idempotency-Key`, as it was sent. */
  readonly key: string;
  /** Hash of everything that the request contains, which distinguishes it from others. */
  readonly fingerprint: string;
}

/** Answer to this request, or to an earlier one with the same key. */
interface KeyedAnswer<Answer> {
  readonly answer: Answer;
  /** True for a stored answer: nothing was executed now. */
  readonly replayed: boolean;
}

/** Milliseconds for which an answer is stored. */
const lifetime = 24 * 60 * 60 * 1_000;

/** The most expired answers that each new one deletes. It is more than one, so that their number shrinks. */
const sweep = 20;

/**
 * Maximum characters of a stored answer. It is twice the largest request: enough for an answer that repeats
 * its request, while a small request cannot store unlimited data that it did not send, such as an item's
 * other files.
 */
const longestAnswer = 2 * 16 * 1024 * 1024;

/** Text to encrypt: the answer, and the request that it belongs to. */
interface Sealed {
  readonly fingerprint: string;
  /** Undefined if it was too long to be stored. */
  readonly answer?: unknown;
}

/** Creates the text to store for an answer. A write does not fail because its answer is long. */
function textOf({ fingerprint, answer }: Sealed): string {
  const text = exactText({ fingerprint, answer });
  return text.length <= longestAnswer ? text : exactText({ fingerprint });
}

/** Derives an AES-256 key from the caller's token (RFC 5869). It is never stored. */
function keyOf(bearer: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bearer, '', 'idempotency', 32)));
}

/**
 * Returns the encryption of answers. It uses the gateway's key for callers of an issuer, who send a new token
 * every few minutes.
 */
function sealerOf({ caller, secrets, bearer }: Session): Pick<Secrets, 'seal' | 'open'> {
  if (caller.identity && secrets) return secrets;
  if (bearer === undefined) throw new Error('This session has nothing to seal answers with.');
  return {
    seal: async (text, owner) => encrypt(keyOf(bearer), text, owner),
    open: async (sealed, owner) => decrypt(keyOf(bearer), sealed, owner),
  };
}

/** Returns the full name of a key. Keys of different callers are different. */
const nameOf = ({ caller }: Session, key: string) => `${caller.tokenId} ${key}`;

/** Locks the key until the transaction ends. Returns false if another request holds it. */
async function isAlone(tx: Transaction, session: Session, key: string): Promise<boolean> {
  const statement = sql`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(session, key)}, 0)) AS alone`;
  const [row] = await tx.run<{ alone: boolean }>(prepared('idempotency_keys.lock', statement));
  return row?.alone === true;
}

const oldest = ({ now }: Session) => new Date(now.getTime() - lifetime);

/**
 * Reads the stored answer to a request.
 * @throws GatewayError UNPROCESSABLE if the key belongs to another request; CONFLICT for an answer that was
 *   too long to store
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
    throw new GatewayError(
      'UNPROCESSABLE',
      'The `Idempotency-Key` was already used for a different request.',
    );
  }
  if (sealed.answer !== undefined) return sealed;
  const message =
    'The request was already done, but its response was too long to be stored: read the records it wrote.';
  throw new GatewayError('CONFLICT', message);
}

/** Stores an answer, replacing an expired one, and deletes some expired ones. */
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
  await tx.run(prepared('idempotency_keys.keep', statement));
}

/**
 * Executes a request once for its idempotency key, in one transaction with storing its answer. The answer is
 * stored for 24 hours: after a successful write, every repetition gets the same answer; a failure leaves
 * nothing behind.
 * @param work everything that the request does through its session; if it rejects, nothing is committed; it
 *   may run several times because of locks
 * @returns what `work` returned, now or for the first request: a JSON value
 * @throws GatewayError CONFLICT while the same key is in use, or if its answer was too long to store;
 *   UNPROCESSABLE if the key belongs to another request; and what `work` throws
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
  // Looked up after locking: whoever held the lock before has committed.
  const known = await findAnswer(tx, session, request);
  if (known) return { answer: known.answer as Answer, replayed: true };
  if (!alone) {
    const message = 'A request with the same `Idempotency-Key` is still running; try again.';
    throw new GatewayError('CONFLICT', message, { headers: { 'Retry-After': '1' } });
  }
  // Data loaded by an earlier attempt was rolled back.
  session.forgetLoaded();
  const answer = await session.within(tx, work);
  await keepAnswer(tx, session, request.key, { fingerprint: request.fingerprint, answer });
  return { answer, replayed: false };
}
