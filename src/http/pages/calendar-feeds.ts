import { Readable } from 'node:stream';
import { type FeedPlace, readFeed } from '../../calendar/feed.js';
import { paths } from '../../domain/doors/paths.js';
import { matchesNone } from '../../web/etag.js';
import { noFeed, noSession } from '../auth/auth.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';

interface CalendarFeedOptions {
  /** The gateway's address, if it is set. */
  readonly publicUrl: string | undefined;
  readonly hasConsole: boolean;
}

/** Creates the endpoint of calendar feeds. Calendar programs send no headers, so its path is the secret. */
export function calendarFeedEndpoint({ publicUrl, hasConsole }: CalendarFeedOptions): Endpoint {
  const handle: Handle = async ({ header }, { session = noSession(), headOnly, origin }) => {
    const place: FeedPlace = { origin: publicUrl ?? origin(), hasConsole };
    const feed = await readFeed(session, place);
    // It was deleted after it was looked up.
    if (!feed) throw noFeed();
    const headers = {
      ETag: feed.tag,
      'Last-Modified': feed.modified.toUTCString(),
      'Cache-Control': 'private, max-age=300',
      'Referrer-Policy': 'no-referrer',
    };
    if (matchesNone(header('if-none-match'), feed.tag)) return { status: 304, headers, body: null };
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': 'text/calendar; charset=utf-8' },
      body: headOnly ? null : Readable.from(feed.parts(), { objectMode: false }),
    };
  };
  return {
    path: paths.calendarFeed,
    door: 'page',
    isSecret: true,
    methods: { GET: { access: 'read', isFeed: true, handle } },
  };
}
