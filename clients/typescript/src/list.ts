/** A page's position in its list. The records are beside it, in a member of their own. */
export interface Page {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

/** Records of a page. */
type Item<P> = Extract<P[keyof P], readonly unknown[]>[number];

/** A page, with the parameters of the next one. */
export interface Turn<P> {
  readonly page: P;
  readonly next: Readonly<Record<string, string>> | undefined;
}

/** Reads the parameters of the next page from `Link`. */
export function nextOf(link: string | null): Turn<Page>['next'] {
  const [, url] = /<([^<>]*)>[^<>]*;\s*rel="?next\b/.exec(link ?? '') ?? [];
  // Only the parameters, so that no header can send a token elsewhere.
  return url === undefined ? undefined : Object.fromEntries(new URL(url, 'http://gateway').searchParams);
}

/** A list. `for await` iterates over all records, and `await` reads one page. Nothing is requested before. */
export class List<P extends Page> implements PromiseLike<P>, AsyncIterable<Item<P>> {
  readonly #turn: (parameters?: Turn<P>['next']) => Promise<Turn<P>>;
  readonly #isWhole: boolean;

  constructor(turn: (parameters?: Turn<P>['next']) => Promise<Turn<P>>, isWhole: boolean) {
    this.#turn = turn;
    this.#isWhole = isWhole;
  }

  /** Iterates over the pages, from the requested one to the last. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    // With a cursor, no record is missed or repeated when others are created or deleted meanwhile.
    let next: Turn<P>['next'] = this.#isWhole ? { cursor: '' } : undefined;
    do {
      const turn = await this.#turn(next);
      yield turn.page;
      next = turn.next;
    } while (next);
  }

  /** Iterates over the records of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item<P>, void, undefined> {
    for await (const page of this.pages()) yield* Object.values(page).find(Array.isArray) ?? [];
  }

  /** Reads one page: `await` calls this. */
  // biome-ignore lint/suspicious/noThenProperty: `await client.vehicles.list()` is meant to read the first page.
  then<A = P, B = never>(
    onPage?: ((page: P) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#turn()
      .then(({ page }) => page)
      .then(onPage, onError);
  }
}
