import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { despiteDeadlocks, inTransaction } from '../db/connection/transaction.js';
import { decrypt, encrypt, type Secrets } from '../db/secrets/secrets.js';
import { type Session, type Transaction, within } from '../db/sql/scope.js';
import { GatewayError } from '../domain/errors.js';
import { forgetLoaded } from '../records/loaders.js';

/** A request that is to be done once, however often it is sent. */
export interface KeyedRequest {
  /** The value of `Idempotency-Key`, as it was sent. */
  readonly key: string;
  /** What tells the request from others: a hash of all that it asks for. */
  readonly fingerprint: string;
}

/** What a request was answered, now or before. */
export interface Answered<Answer> {
  readonly answer: Answer;
  /** Whether it is the answer to an earlier request, and nothing was done now. */
  readonly replayed: boolean;
}

/** Milliseconds for which an answer is kept. */
const lifetime = 24 * 60 * 60 * 1_000;

/** Answers past their time that a new one takes along, at most: more than one, so that they become fewer. */
const sweep = 20;

/**
 * Characters of an answer that is kept: twice the largest request, so that whatever an answer repeats of its request
 * is kept, and a small request cannot store without end what it did not send, such as an item's other files.
 */
const longestAnswer = 2 * 16 * 1024 * 1024;

/** What is encrypted: the answer, and what it is the answer to. */
interface Sealed {
  readonly fingerprint: string;
  /** Absent: it was too long to be kept. */
  readonly answer?: unknown;
}

/** What is kept of an answer; a write does not fail because its answer is long. */
function textOf({ fingerprint, answer }: Sealed): string {
  const text = JSON.stringify({ fingerprint, answer });
  return text.length <= longestAnswer ? text : JSON.stringify({ fingerprint });
}

/** A key of AES-256 that follows from the caller's token (RFC 5869), so that it is needed nowhere else. */
function keyOf(bearer: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', bearer, '', 'idempotency', 32)));
}

/** What seals answers. A caller known by an issuer sends another token every few minutes, so the gateway's key does. */
function sealerOf({ caller, secrets, bearer }: Session): Secrets {
  if (caller.identity && secrets) return secrets;
  if (bearer === undefined) throw new Error('This session has nothing to seal answers with.');
  return {
    seal: async (text, owner) => encrypt(keyOf(bearer), text, owner),
    open: async (sealed, owner) => decrypt(keyOf(bearer), sealed, owner),
  };
}

/** What a key is one of: callers' keys do not meet. */
const nameOf = ({ caller }: Session, key: string) => `${caller.tokenId} ${key}`;

/** Whether nobody else is at a request with the key now. It stays so until the transaction ends, however it does. */
async function isAlone(tx: Transaction, session: Session, key: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ alone: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${nameOf(session, key)}, 0)) AS alone`;
  return row?.alone === true;
}

const oldest = ({ now }: Session) => new Date(now.getTime() - lifetime);

/**
 * The answer that is kept for a request.
 * @throws GatewayError UNPROCESSABLE when the key is another request's; CONFLICT for an answer too long to be kept
 */
async function findAnswer(
  tx: Transaction,
  session: Session,
  { key, fingerprint }: KeyedRequest,
): Promise<Sealed | undefined> {
  const row = await tx.idempotencyKey.findFirst({
    where: { callerId: session.caller.tokenId, key, created: { gt: oldest(session) } },
  });
  if (!row) return undefined;
  const sealed: Sealed = JSON.parse(await sealerOf(session).open(row.sealed, nameOf(session, key)));
  if (sealed.fingerprint !== fingerprint) {
    throw new GatewayError('UNPROCESSABLE', 'The `Idempotency-Key` was sent with another request before.');
  }
  if (sealed.answer !== undefined) return sealed;
  const message = 'The request was done before, and its answer was too long to be kept: read what it wrote.';
  throw new GatewayError('CONFLICT', message);
}

/** Keeps an answer, in place of one whose time is over, and deletes some of those that nobody asks for any more. */
async function keepAnswer(tx: Transaction, session: Session, key: string, sealed: Sealed): Promise<void> {
  const { caller, now } = session;
  const bytes = await sealerOf(session).seal(textOf(sealed), nameOf(session, key));
  await tx.$executeRaw`
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
}

/**
 * Does a request's work once for its key, in one transaction with the answer that is kept for 24 hours: what is
 * written is answered alike ever after, and work that fails leaves nothing behind.
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
): Promise<Answered<Answer>> {
  return despiteDeadlocks(() => inTransaction(session, (tx) => onceIn(tx, session, request, work)));
}

/** `once` in its transaction. */
async function onceIn<Answer>(
  tx: Transaction,
  session: Session,
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Answered<Answer>> {
  const alone = await isAlone(tx, session, request.key);
  // Looked for after the lock is had: whoever had it before has committed.
  const known = await findAnswer(tx, session, request);
  if (known) return { answer: known.answer as Answer, replayed: true };
  if (!alone) {
    const message = 'A request with the same `Idempotency-Key` is not finished yet; try again.';
    throw new GatewayError('CONFLICT', message, { headers: { 'Retry-After': '1' } });
  }
  // What an attempt before has loaded is undone.
  forgetLoaded(session);
  const answer = await within(session, tx, work);
  await keepAnswer(tx, session, request.key, { fingerprint: request.fingerprint, answer });
  return { answer, replayed: false };
}
