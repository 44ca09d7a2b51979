/** The ids of requests in progress in this process, the oldest first. */
export const requestsInProgress = new Set<string>();

/** Ids that a line of the log has at most. */
const maxLoggedIds = 20;

/**
 * Tells which requests a fault may be of that came from nowhere. To know the one, every promise would have to carry its
 * request (AsyncLocalStorage), which Node 20 does by hooks on all promises.
 */
export const requestsUnderWay = (): string[] => [...requestsInProgress].slice(-maxLoggedIds);
