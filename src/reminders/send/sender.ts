import { type Keep, type QueueWorkerSettings, startQueueWorker } from '../../db/queue/worker.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import { nextAttemptAt } from '../../domain/load/backoff.js';
import { createRate } from '../../domain/load/quota.js';
import type { Mailer, SendResult } from '../../mail/mailer.js';
import { composeMail, type LinkMaker } from './compose.js';
import { type ClaimedDelivery, claimDeliveries } from './queue.js';
import { settleFailed, settleRetry, settleSent } from './settle.js';

/** Outcomes of an attempt to deliver. */
export const deliveryOutcomes = ['sent', 'cancelled', 'retried', 'failed', 'refused', 'lost'] as const;

/** Outcome of an attempt to deliver. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Called with each attempt to deliver, with its milliseconds. */
export type OnDelivered = (outcome: DeliveryOutcome, ms: number) => void;

/** Settings of a sender. */
export interface SenderOptions extends QueueWorkerSettings {
  readonly mailer: Mailer;
  /** Host of message ids: that of the sender's address. */
  readonly host: string;
  /** Returns the maker of links; undefined if mails have none. */
  readonly links: () => Promise<LinkMaker | undefined>;
  /** Maximum mails per second. */
  readonly rate: number;
  readonly onDelivered?: OnDelivered | undefined;
  /** Called after each attempt with the mail server's problem; undefined if there is none. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
}

/** Sends mails until it is stopped. */
export interface Sender {
  /** Claims no more mails, and waits for those in progress. Mails that a server has accepted are settled. */
  stop(): Promise<void>;
}

/** Milliseconds after its first attempt for which a mail is retried. */
const retriedFor = 24 * 3_600_000;

/** Stores the result of an attempt. */
async function settle(
  { database }: SenderOptions,
  delivery: ClaimedDelivery,
  result: SendResult,
  now: Date,
): Promise<DeliveryOutcome> {
  return database.inTransaction(async (tx) => {
    if (result.outcome === 'sent') {
      await settleSent(tx, delivery, now);
      return 'sent';
    }
    if (result.outcome === 'refused') {
      await settleFailed(tx, delivery, result, true, now);
      return 'refused';
    }
    const dueAt = nextAttemptAt({ ms: retriedFor }, delivery, now);
    if (!dueAt) {
      await settleFailed(tx, delivery, result, false, now);
      return 'failed';
    }
    await settleRetry(tx, delivery, result, dueAt);
    return 'retried';
  });
}

/**
 * Creates the result for a mail whose links this process cannot create. Another process may, or this one with
 * the right settings.
 */
function withoutKey(error: unknown): SendResult {
  if (!(error instanceof SecretKeyError)) throw error;
  const { message: reason } = error;
  const about = { statusCode: undefined, isServerFault: false };
  return { outcome: 'failed', reason, failure: 'MAIL_LINKS_UNAVAILABLE', ...about };
}

/** Sends one claimed mail, and stores the result. */
async function deliver(
  options: SenderOptions,
  delivery: ClaimedDelivery,
  onResult: (result: SendResult) => void,
  keep: Keep,
): Promise<DeliveryOutcome> {
  const { database, mailer, clock } = options;
  const store = (result: SendResult) => {
    const now = clock();
    return keep(() => settle(options, delivery, result, now));
  };
  const links = await options.links();
  const message = await database
    .inTransaction((tx) => composeMail(tx, delivery, links, clock()))
    .catch(withoutKey);
  if (!message) return 'cancelled';
  if ('outcome' in message) return store(message);
  const result = await mailer.send(message, clock());
  onResult(result);
  return store(result);
}

/**
 * Starts sending due mails. Any number of processes can: each mail belongs to one at a time. If a process is
 * killed between the server's answer and its own commit, or loses the database for longer than its lease, the same mail
 * may be sent twice, with one message id.
 */
export function startSender(options: SenderOptions): Sender {
  const { database, host } = options;
  const noteServer = (result: SendResult): void =>
    options.onServer?.(result.outcome === 'failed' && result.isServerFault ? result.reason : undefined);
  const sending = startQueueWorker<ClaimedDelivery, DeliveryOutcome>({
    // A mail cannot be taken back: a process that only pauses must not lose it to another.
    ...{ concurrency: 6, leaseMs: 120_000, ...options, onTried: options.onDelivered },
    ...{ table: 'deliveries', jobs: 'mails', unstored: 'lost' },
    rate: createRate(options.rate, () => performance.now()),
    claim: (claim) => claimDeliveries(database, { ...claim, host }),
    work: (delivery, _signal, keep) => deliver(options, delivery, noteServer, keep),
  });
  return {
    async stop() {
      await sending.stop();
      options.mailer.close();
    },
  };
}
