import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { onlyWhen, startLoop } from '../../db/queue/loop.js';
import { sweep } from '../../db/queue/sweep.js';
import { type Keep, type QueueWorkerSettings, startQueueWorker } from '../../db/queue/worker.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import type { Secrets } from '../../db/secrets/secrets.js';
import { sql } from '../../db/sql/sql.js';
import { addDays } from '../../domain/status.js';
import type { Post, PostResult } from '../../outbound/post.js';
import { openHeaders } from '../headers.js';
import { openSecrets } from '../secrets.js';
import { messageIdOf, signatureHeaders } from '../signature.js';
import { fanOut, type RecordReader } from './fan-out.js';
import { type ClaimedMessage, claimMessages, readSecrets } from './queue.js';
import { type MessageOutcome, releaseMessage, settleMessage } from './settle.js';

/** Days for which messages and attempts are kept. */
export const keptDays = 30;

/** Milliseconds between two looks for messages that are too old. */
const sweepMs = 60 * 60_000;

/** Listeners of messages. */
export interface MessageEvents {
  /** Called with each attempt to send, with its milliseconds. */
  readonly onSent?: ((outcome: MessageOutcome, ms: number) => void) | undefined;
}

/** Settings of webhooks in a process. */
export interface WebhooksOptions extends QueueWorkerSettings, MessageEvents {
  readonly secrets: Pick<Secrets, 'open'>;
  readonly post: Post;
  /** Loads the function that reads records. Without endpoints, nobody needs it. */
  readonly loadReader: () => Promise<RecordReader>;
  /** Returns the gateway's public address, for links to the console. */
  readonly origin: () => Promise<string | undefined>;
}

/** Result for a message that this process cannot sign. Another may, or this one with the right key. */
const withoutKey: PostResult = {
  ...{ status: null, isLate: false, ms: 0, responseStart: '', retryAfter: null },
  error: 'The message cannot be signed: this process needs the same SECRET_KEY as `serve`.',
};

/** Returns the headers of a message. They are undefined if this process lacks the key of its secrets. */
async function headersOf(
  { database, secrets }: WebhooksOptions,
  { endpointId, messageId, body, sealedHeaders }: ClaimedMessage,
  at: Date,
): Promise<Record<string, string> | undefined> {
  const sealed = await readSecrets(database, endpointId, at);
  try {
    const own = await openHeaders(secrets, { id: endpointId, sealedHeaders });
    const keys = await openSecrets(secrets, sealed);
    return { ...own, ...signatureHeaders({ id: messageIdOf(messageId), at, body }, keys) };
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

/** Signs and sends one message, and stores the result. */
async function send(
  options: WebhooksOptions,
  message: ClaimedMessage,
  signal: AbortSignal,
  keep: Keep,
): Promise<MessageOutcome> {
  const { database, clock, post } = options;
  const at = clock();
  let result: PostResult;
  try {
    const headers = await headersOf(options, message, at);
    result = headers ? await post(message.url, headers, message.body, signal) : withoutKey;
  } catch (error) {
    if (!signal.aborted) throw error;
    await keep(() => database.inTransaction((tx) => releaseMessage(tx, message, clock())));
    return 'lost';
  }
  const times = [at, clock()] as const;
  return keep(() => database.inTransaction((tx) => settleMessage(tx, message, result, times)));
}

/** Deletes messages after their time, with their deliveries and attempts. */
export function sweepMessages(database: Pick<Database, 'inTransaction'>, now: Date): Promise<number> {
  const where = sql`created < ${addDays(now, -keptDays)}::timestamptz`;
  return sweep(database, { table: 'webhook_messages', where, order: 'created' });
}

const warn = (log: Logger, what: string) => (error: Error, isFirst: boolean) => {
  if (isFirst) log.warn({ reason: error.message }, what);
};

/**
 * Makes messages from events, and sends them to the endpoints. Any number of processes may do so: each event
 * and each delivery belongs to one at a time. If a process is killed between the receiver's answer and its
 * own commit, the same message is sent twice, with one id.
 * @returns a function that stops it; messages in progress are put back
 */
export function startWebhooks(options: WebhooksOptions): () => Promise<void> {
  const { database, clock, log, onSent, loadReader, origin, concurrency = 64 } = options;
  const readRecord: RecordReader = async (...about) => (await loadReader())(...about);
  const sending = startQueueWorker<ClaimedMessage, MessageOutcome>({
    ...{ leaseMs: 30_000, ...options, concurrency, onTried: onSent },
    ...{ table: 'webhook_deliveries', jobs: 'webhook messages', unstored: 'lost' },
    // Half of the places are kept for endpoints that answer quickly.
    claim: (claim) => claimMessages(database, claim, Math.max(0, Math.ceil(claim.count - concurrency / 2))),
    work: (message, signal, keep) => send(options, message, signal, keep),
  });
  const making = startLoop(
    onlyWhen(options.isSure, async () => {
      for (let made = 1; made > 0; ) {
        made = await fanOut({ database, clock, log, readRecord, origin });
        if (made > 0) sending.wake();
      }
    }),
    options.pollMs ?? 500,
    warn(log, 'The messages of webhooks cannot be made'),
  );
  const sweeping = startLoop(
    onlyWhen(options.isSure, () => sweepMessages(database, clock())),
    sweepMs,
    warn(log, 'Old messages of webhooks cannot be deleted'),
  );
  sweeping.wake();
  return async () => {
    await Promise.all([making.stop(), sweeping.stop()]);
    await sending.stop();
  };
}
