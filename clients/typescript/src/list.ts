/** A page's place in its list. Its records are beside it, under a name of their own. */
export interface Page {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

/** Records of a page. */
type Item<P> = Extract<P[keyof P], readonly unknown[]>[number];

/** A page, and the parameters that lead to the next one. */
export interface Turn<P> {
  readonly page: P;
  readonly next: Readonly<Record<string, string>> | undefined;
}

/** Reads from `Link` what leads to the next page. */
export function nextOf(link: string | null): Turn<Page>['next'] {
  const [, url] = /<([^<>]*)>[^<>]*;\s*rel="?next\b/.exec(link ?? '') ?? [];
  // Its parameters alone, so that no header leads a token elsewhere.
  return url === undefined ? undefined : Object.fromEntries(new URL(url, 'http://gateway').searchParams);
}

/**
 * A list: `for await` goes through all records, and `await` reads one page. Nothing is asked for before.
 */
export class List<P extends Page> implements PromiseLike<P>, AsyncIterable<Item<P>> {
  readonly #turn: (parameters?: Turn<P>['next']) => Promise<Turn<P>>;
  readonly #isWhole: boolean;

  constructor(turn: (parameters?: Turn<P>['next']) => Promise<Turn<P>>, isWhole: boolean) {
    this.#turn = turn;
    this.#isWhole = isWhole;
  }

  /** Goes through the pages, from the one that was asked for to the last. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    // By a cursor no record is missed or met twice because of others that come and go meanwhile.
    let next: Turn<P>['next'] = this.#isWhole ? { cursor: '' } : undefined;
    do {
      const turn = await this.#turn(next);
      yield turn.page;
      next = turn.next;
    } while (next);
  }

  /** Goes through the records of all pages. */
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
