/** Questions to another process whose answers come as messages. */
export interface Questions<T> {
  /**
   * Asks.
   * @param send is given the question's number
   */
  ask(send: (id: number) => void): Promise<T>;
  /** Resolves the question of this number; ignores one that nobody waits for. */
  answer(id: number, value: T): void;
}

/** Makes the list of questions that wait for their answers. */
export function createQuestions<T>(): Questions<T> {
  const open = new Map<number, (value: T) => void>();
  let last = 0;
  return {
    ask: (send) =>
      new Promise((resolve) => {
        last += 1;
        open.set(last, resolve);
        send(last);
      }),
    answer(id, value) {
      open.get(id)?.(value);
      open.delete(id);
    },
  };
}
