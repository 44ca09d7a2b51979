/** Questions to another process, which answers with messages. */
export interface Questions<T> {
  /**
   * Asks a question.
   * @param send gets the question's number
   */
  ask(send: (id: number) => void): Promise<T>;
  /** Resolves the question of this number; ignores unknown ones. */
  answer(id: number, value: T): void;
}

/** Creates the list of open questions. */
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
