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

/** Groups entries by a key, in the order of the first of each. */
export function groupBy<T>(entries: readonly T[], keyOf: (entry: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return [...groups.values()];
}

/**
 * Values attached to parsed documents and plans, like in a WeakMap. They are stored in the objects
 * themselves: V8 frees WeakMap entries only in a full garbage collection, even if their keys are gone, and
 * copies everything they lead to as if it were in use. Unlike with a WeakMap, a copy of an object has the
 * same values. For other objects, use an ordinary field.
 */
export class WeakCache<Of extends object, Value> {
  readonly #key = Symbol();

  get(of: Of): Value | undefined {
    return (of as { readonly [key: symbol]: Value | undefined })[this.#key];
  }

  /** Returns the value of an object, creating it if there is none. */
  ensure(of: Of, make: () => Value): Value {
    let value = this.get(of);
    if (value === undefined) {
      value = make();
      this.set(of, value);
    }
    return value;
  }

  /** Sets the value of an object. */
  set(of: Of, value: Value | undefined): void {
    (of as { [key: symbol]: Value | undefined })[this.#key] = value;
  }
}
