import { GatewayError } from '../../domain/errors.js';
import { drawPage } from '../../uploads/reading/draw-page.js';
import { type Answer, revalidated } from '../../web/answer.js';
import { matchesNone } from '../../web/etag.js';
import type { Incoming } from '../routing/endpoint.js';
import type { StoredFile } from './stored-file.js';

/** Pages that wait to be drawn in a process. Each drawing has a processor and memory of its own. */
const mostWaiting = 8;

/** Reads the number of a page. @returns null if it is none that a file could have */
export function pageNumberIn(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

/** Draws pages of files, one at a time. */
export class PageDrawer {
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Answers with the picture of a page (JPEG). A file never changes, so its id and the page are the version.
   * @throws GatewayError NOT_FOUND if the file has no such page, or it cannot be drawn; UNAVAILABLE if too many wait
   */
  async answer(
    { header }: Incoming,
    { id, size, read }: StoredFile,
    page: number,
    isHead: boolean,
  ): Promise<Answer> {
    const caching = { ETag: `"${id}-${page}"`, ...revalidated };
    if (matchesNone(header('if-none-match'), caching.ETag))
      return { status: 304, headers: caching, body: null };
    const drawn = await this.#inTurn(async () => drawPage(await read(0, size), page));
    if (!drawn) throw new GatewayError('NOT_FOUND', `The file has no page ${page} that can be shown.`);
    const { jpeg, count } = drawn;
    const headers = {
      ...caching,
      'Content-Type': 'image/jpeg',
      'Content-Length': String(jpeg.length),
      'X-Page-Count': String(count),
      // A link is a secret, which nothing may pass on.
      'Referrer-Policy': 'no-referrer',
    };
    return { status: 200, headers, body: isHead ? null : new Uint8Array(jpeg) };
  }

  /** Runs a drawing after those before it. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting)
      throw new GatewayError('UNAVAILABLE', 'Too many pages are being drawn; try again.', {
        headers: { 'Retry-After': '2' },
      });
    this.#waiting += 1;
    const run = this.#last.then(work);
    this.#last = run.catch(() => {});
    try {
      return await run;
    } finally {
      this.#waiting -= 1;
    }
  }
}
