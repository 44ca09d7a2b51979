import { onlyWhen, startLoop } from '../db/queue/loop.js';
import type { QueueWorkerSettings } from '../db/queue/queue.js';
import { closeRequests, queueRequestMails } from './mails.js';

/** Settings of requests for documents. */
export interface RequestOptions extends Pick<QueueWorkerSettings, 'database' | 'clock' | 'log' | 'isSure'> {
  /** Milliseconds between two looks. */
  readonly requestsMs?: number | undefined;
}

/**
 * Ends requests for documents that are needed no more, and queues mails, at an interval.
 * @param isMailSetUp whether there is a mail server; nothing is queued without one
 * @returns a function that stops it, and waits for a look in progress
 */
export function startRequests(
  { database, clock, log, isSure, requestsMs = 10_000 }: RequestOptions,
  isMailSetUp: () => boolean,
): () => Promise<void> {
  const onError = ({ message }: Error) =>
    log.warn({ reason: message }, 'requests for documents cannot be looked through');
  const look = async () => {
    // A request that cannot be closed keeps no mail from being sent.
    try {
      while (await closeRequests(database, clock()));
    } catch (error) {
      onError(error as Error);
    }
    if (isMailSetUp()) while (await queueRequestMails(database, clock()));
  };
  return startLoop(onlyWhen(isSure, look), requestsMs, onError).stop;
}
