/** Bounded queue of messages for one reader, in order. */
export interface Mailbox<T> {
  /** @returns false when it is full, or closed */
  put(item: T): boolean;
  /**
   * Takes what waits, as soon as there is anything; undefined when the mailbox is closed. One reader at a time.
   * @throws what the mailbox was closed with
   */
  take(): Promise<readonly T[] | undefined>;
  /** Closes the queue and drops what waits. Closing again changes nothing. */
  close(error?: Error): void;
}

/**
 * Makes a mailbox.
 * @param capacity how many can wait
 * @param most how many are taken at once
 */
export function createMailbox<T>(capacity: number, most: number): Mailbox<T> {
  let waiting: T[] = [];
  let closed: { readonly error: Error | undefined } | undefined;
  let wake: (() => void) | undefined;
  return {
    put(item) {
      if (closed || waiting.length >= capacity) return false;
      waiting.push(item);
      wake?.();
      return true;
    },
    async take() {
      if (waiting.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed?.error) throw closed.error;
      return closed ? undefined : waiting.splice(0, most);
    },
    close(error) {
      closed ??= { error };
      waiting = [];
      wake?.();
    },
  };
}
