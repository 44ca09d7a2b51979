import { onlyWhen, startLoop } from '../db/queue/loop.js';
import type { QueueWorkerSettings } from '../db/queue/queue.js';
import type { AskingSettings } from '../domain/document-requests.js';
import { askByThemselves } from './by-itself.js';
import { closeRequests, queueRequestMails } from './mails.js';

/** Settings of requests for documents. */
export interface RequestOptions extends Pick<QueueWorkerSettings, 'database' | 'clock' | 'log' | 'isSure'> {
  readonly asking?: AskingSettings | undefined;
  /** Milliseconds between two looks. */
  readonly requestsMs?: number | undefined;
}

/**
 * Ends, makes and sends requests for documents at an interval. Requirements make theirs by themselves.
 * @param isMailSetUp whether there is a mail server; nothing is queued without one
 * @returns a function that stops it, and waits for a look in progress
 */
export function startRequests(
  { database, clock, log, isSure, asking, requestsMs = 10_000 }: RequestOptions,
  isMailSetUp: () => boolean,
): () => Promise<void> {
  const onError = ({ message }: Error) =>
    log.warn({ reason: message }, 'requests for documents cannot be looked through');
  const notEnded = (err: Error, id: string) =>
    log.error({ err, id }, 'a request for a document cannot be ended');
  const notQueued = (err: Error, link: string) =>
    log.error({ err, link }, 'a mail that asks for documents cannot be queued');
  // Each look goes on with the next open requests, so that its cost is bounded.
  const walk = {};
  const look = async () => {
    // A request that cannot be closed or made keeps no mail from being sent.
    for (const work of [
      () => closeRequests(database, clock(), walk, notEnded),
      () => askByThemselves(database, clock(), onError, asking),
    ]) {
      try {
        while (await work());
      } catch (error) {
        onError(error as Error);
      }
    }
    if (isMailSetUp()) while (await queueRequestMails(database, clock(), asking, notQueued));
  };
  return startLoop(onlyWhen(isSure, look), requestsMs, onError).stop;
}
