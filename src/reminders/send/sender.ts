import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { SecretKeyError } from '../../db/secrets/secret-key.js';
import { retryDelay } from '../../domain/load/backoff.js';
import type { Mailer, SendResult } from '../../mail/mailer.js';
import { composeMail, type LinkMaker } from './compose.js';
import { type ClaimedDelivery, claimDeliveries } from './queue.js';
import { createRate } from './rate.js';
import { settleFailed, settleRetry, settleSent } from './settle.js';

/** Outcomes of a try to deliver. */
export const deliveryOutcomes = ['sent', 'cancelled', 'retried', 'failed', 'refused', 'lost'] as const;

/** Outcome of a try to deliver. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Told of each try to deliver, with its milliseconds. */
export type OnDelivered = (outcome: DeliveryOutcome, ms: number) => void;

/** Settings of a sender. */
export interface SenderOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** Host of message ids: that of the sender's address. */
  readonly host: string;
  /** Answers what makes the links; undefined: mails have none. */
  readonly links: () => Promise<LinkMaker | undefined>;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Mails per second at most. */
  readonly rate: number;
  /** Mails under way at most. */
  readonly concurrency?: number;
  /** Milliseconds between two looks into the queue. */
  readonly pollMs?: number;
  /** Milliseconds after which a mail is taken from a process that has died. Sending takes less. */
  readonly leaseMs?: number;
  readonly onDelivered?: OnDelivered | undefined;
  /** Told with each try what is wrong with the mail server; undefined when nothing is. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
}

/** Sends mails until it is stopped. */
export interface Sender {
  /** Takes up no more, and waits for mails under way. What a server has taken is settled. */
  stop(): Promise<void>;
}

/** Milliseconds after its first try in which a mail is tried again. */
const retriedFor = 24 * 3_600_000;

/** Keeps the result of a try. */
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

/** Makes the result of a mail whose links this process cannot make. Another may, or this one with the right settings. */
function withoutKey(error: unknown): SendResult {
  if (!(error instanceof SecretKeyError)) throw error;
  return { outcome: 'failed', reason: error.message, statusCode: undefined, isServerFault: false };
}

/** Sends one claimed mail, and keeps what came of it. */
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
 * Starts sending mails that are due. Any number of processes can: each mail is one's at a time. A process that is killed
 * between the server's answer and its own commit leads to the same mail twice, with one message id.
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
    // What could not be kept is tried again, when its lease ends.
    let outcome: DeliveryOutcome = 'lost';
    try {
      outcome = await deliver(options, delivery, tellServer);
    } catch (err) {
      log.error({ err, delivery: delivery.id }, 'what became of a mail could not be kept');
    }
    options.onDelivered?.(outcome, performance.now() - started);
  }

  /** Takes up what it may; answers whether there may be more. */
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
      // A wake-up that nobody waited for is made up for by the next look.
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
