interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Returns a function that works on its arguments in batches. What arrives while a batch is under way makes up
 * the next one, so that nobody waits for company, and a crowd shares the cost of a statement and of its
 * commit.
 * @param largest items of a batch at most
 * @param work answers the items of a batch in their order
 * @param isShared whether work failed for a reason that is not one item's: after any other, each item of the
 * batch is tried alone, so that none fails by its company
 * @param gather is waited for before each batch is made up, for what comes at the same time
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
