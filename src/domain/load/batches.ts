interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Returns a function that processes its arguments in batches. Arguments that arrive during a batch form the
 * next one. So a single caller need not wait for others, and a crowd shares the cost of a statement and its
 * commit.
 * @param largest maximum items of a batch
 * @param work processes the items of a batch, with results in their order
 * @param isShared returns whether a failure was not caused by an item; after any other failure, each item of
 *   the batch is tried separately, so that none fails because of the others
 * @param gather is awaited before each batch is formed, to collect arguments of the same moment
 */
export function inBatches<Item, Result>(
  largest: number,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  isShared: (error: unknown) => boolean,
  gather: () => Promise<unknown> | undefined = () => undefined,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || isShared(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await settle([one]);
    }
  }

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const gathered = gather();
      if (gathered) await gathered;
      await settle(waiting.splice(0, largest));
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void drain();
    });
}
