import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import { retryDelay } from '../../domain/load/backoff.js';
import type { Mailer, SendResult } from '../../mail/mailer.js';
import { composeMail, type LinkMaker } from './compose.js';
import { type ClaimedDelivery, claimDeliveries } from './queue.js';
import { createRate } from './rate.js';
import { settleFailed, settleRetry, settleSent } from './settle.js';

/** Outcomes of an attempt to deliver. */
export const deliveryOutcomes = ['sent', 'cancelled', 'retried', 'failed', 'refused', 'lost'] as const;

/** Outcome of an attempt to deliver. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Called with each attempt to deliver, with its milliseconds. */
export type OnDelivered = (outcome: DeliveryOutcome, ms: number) => void;

/** Settings of a sender. */
export interface SenderOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** Host of message ids: that of the sender's address. */
  readonly host: string;
  /** Returns the maker of links; undefined if mails have none. */
  readonly links: () => Promise<LinkMaker | undefined>;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Maximum mails per second. */
  readonly rate: number;
  /** Maximum concurrent mails. */
  readonly concurrency?: number;
  /** Milliseconds between two polls of the queue. */
  readonly pollMs?: number;
  /** Milliseconds after which a mail is taken from a process that has died. Sending takes less. */
  readonly leaseMs?: number;
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
async function keep(
  { database, clock }: SenderOptions,
  delivery: ClaimedDelivery,
  result: SendResult,
): Promise<DeliveryOutcome> {
  const now = clock();
  return database.inTransaction(async (tx) => {
    if (result.outcome === 'sent') {
      await settleSent(tx, delivery, now);
      return 'sent';
    }
    if (result.outcome === 'refused') {
      await settleFailed(tx, delivery, result, true, now);
      return 'refused';
    }
    if (now.getTime() - delivery.firstTriedAt.getTime() >= retriedFor) {
      await settleFailed(tx, delivery, result, false, now);
      return 'failed';
    }
    const dueAt = new Date(now.getTime() + retryDelay(delivery.attempts, Math.random()));
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
): Promise<DeliveryOutcome> {
  const { database, mailer, clock } = options;
  const links = await options.links();
  const message = await database
    .inTransaction((tx) => composeMail(tx, delivery, links, clock()))
    .catch(withoutKey);
  if (!message) return 'cancelled';
  if ('outcome' in message) return keep(options, delivery, message);
  const result = await mailer.send(message, clock());
  onResult(result);
  return keep(options, delivery, result);
}

/**
 * Starts sending due mails. Any number of processes can: each mail belongs to one at a time. If a process is
 * killed between the server's answer and its own commit, the same mail is sent twice, with one message id.
 */
export function startSender(options: SenderOptions): Sender {
  const { database, clock, log, host, concurrency = 6, pollMs = 1_000, leaseMs = 120_000 } = options;
  const rate = createRate(options.rate, () => performance.now());
  const underWay = new Set<Promise<void>>();
  let wake = () => {};
  let stopped = false;

  const tellServer = (result: SendResult): void =>
    options.onServer?.(result.outcome === 'failed' && result.isServerFault ? result.reason : undefined);

  async function work(delivery: ClaimedDelivery): Promise<void> {
    const started = performance.now();
    // If the outcome could not be stored, it is retried when its lease ends.
    let outcome: DeliveryOutcome = 'lost';
    try {
      outcome = await deliver(options, delivery, tellServer);
    } catch (err) {
      log.error({ err, delivery: delivery.id }, 'the outcome of a mail could not be stored');
    }
    options.onDelivered?.(outcome, performance.now() - started);
  }

  /** Claims as many mails as it may send; returns whether there may be more. */
  async function takeUp(): Promise<boolean> {
    const count = rate.take(concurrency - underWay.size);
    if (count === 0) return false;
    const now = clock();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const claimed = await claimDeliveries(database, { count, now, leaseUntil, host });
    rate.giveBack(count - claimed.length);
    for (const delivery of claimed) {
      const working = work(delivery).finally(() => {
        underWay.delete(working);
        wake();
      });
      underWay.add(working);
    }
    return claimed.length === count;
  }

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!stopped) {
      const more = await takeUp().catch((err: Error) => {
        log.warn({ reason: err.message }, 'the queue of mails cannot be read');
        return false;
      });
      if (stopped) break;
      // The next poll makes up for a wake-up that nobody waited for.
      if (!more) await sleep(underWay.size < concurrency ? Math.min(pollMs, rate.wait() || pollMs) : pollMs);
    }
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
      await Promise.all(underWay);
      options.mailer.close();
    },
  };
}
