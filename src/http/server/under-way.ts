/** Ids of the requests in progress in this process, oldest first. */
export const requestsInProgress = new Set<string>();

/** The most ids that one log line lists. */
const maxLoggedIds = 20;

/**
 * Lists the requests that an unhandled error may belong to. Finding the exact one would need
 * AsyncLocalStorage, which on Node 20 hooks into every promise.
 */
export const recentRequestIds = (): string[] => [...requestsInProgress].slice(-maxLoggedIds);
