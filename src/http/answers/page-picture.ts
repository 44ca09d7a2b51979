import type { Caller } from '../../domain/caller.js';
import { GatewayError } from '../../domain/errors.js';
import { FairQueue } from '../../domain/load/shares.js';
import { drawPage } from '../../uploads/reading/draw-page.js';
import { ReaderEnded } from '../../uploads/reading/reader-process.js';
import { type Answer, revalidated } from '../../web/answer.js';
import { matchesNone } from '../../web/etag.js';
import type { Incoming } from '../routing/endpoint.js';
import type { StoredFile } from './stored-file.js';

/** Pages that are drawn at once, each in a process of its own. */
const places = 2;

/** The most pages that wait for an organization and for a person. */
const mostWaiting = { organization: 32, person: 8 };

/** A file whose pages are drawn. */
interface DrawnFile extends Pick<StoredFile, 'id'> {
  /** Reads all bytes. */
  readonly read: () => Promise<Uint8Array>;
  /** Takes the memory for the file and its copy on the way to the program. @throws GatewayError if there is none */
  readonly takeMemory: () => void;
}

/** Reads the number of a page. @returns null if it is none that a file could have */
export function pageNumberIn(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null;
}

/** Creates the error for a page that cannot even wait. */
const tooMany = () =>
  new GatewayError('UNAVAILABLE', 'Too many pages are being drawn; try again.', {
    headers: { 'Retry-After': '2' },
  });

/** Creates the 503 for a page whose drawing process somebody else has ended. */
const ended = (cause: ReaderEnded) =>
  new GatewayError('UNAVAILABLE', 'The page cannot be drawn now; try again.', {
    cause,
    headers: { 'Retry-After': '1' },
  });

/** Draws pages of files. Organizations take turns, and so do the people of each. */
export class PageDrawer {
  readonly #queue = new FairQueue(places, { ...mostWaiting, refusal: tooMany });

  /**
   * Answers with the picture of a page (JPEG). A file never changes, so its id and the page are the version.
   * @throws GatewayError NOT_FOUND if the file has no such page, or it cannot be drawn; UNAVAILABLE if too many wait
   *   already, or the drawing process was ended from outside
   */
  async answer(
    { header }: Incoming,
    { id, read, takeMemory }: DrawnFile,
    page: number,
    { organizationId, user, tokenId }: Caller,
    isHead: boolean,
  ): Promise<Answer> {
    const caching = { ETag: `"${id}-${page}"`, ...revalidated };
    if (matchesNone(header('if-none-match'), caching.ETag))
      return { status: 304, headers: caching, body: null };
    const draw = async () => {
      takeMemory();
      return drawPage(await read(), page).catch((error) => {
        throw error instanceof ReaderEnded ? ended(error) : error;
      });
    };
    const drawn = await this.#queue.run({ organizationId, personId: user.id ?? tokenId }, draw);
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
}
