/** Bounded queue of messages for one reader, in order. */
export interface Mailbox<T> {
  /** @returns false if it is full or closed */
  put(item: T): boolean;
  /**
   * Waits for messages and takes them; undefined once the mailbox is closed. Only one reader at a time.
   * @throws the error that the mailbox was closed with
   */
  take(): Promise<readonly T[] | undefined>;
  /** Closes the queue and drops its messages. Closing it again has no effect. */
  close(error?: Error): void;
}

/**
 * Creates a mailbox.
 * @param capacity the most messages that may wait
 * @param most the most messages taken at once
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
