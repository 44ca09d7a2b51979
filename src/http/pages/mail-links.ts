import type { KeyObject } from 'node:crypto';
import type { Database } from '../../db/connection/database.js';
import { paths } from '../../domain/doors/paths.js';
import { type LinkPurpose, readLink } from '../../mail/links.js';
import { actOnLink, type LinkResult, lookAtLink, snoozeDays } from '../../reminders/links/act.js';
import type { Answer } from '../../web/answer.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';
import { secretPageHeaders } from './assets.js';
import { linkPage } from './link-text.js';
import { resolveFiles } from './pages.js';

const statuses = { open: 200, done: 200, undone: 200, changed: 409, gone: 410, unknown: 404 } as const;

/** Headers of the page, which loads styles and submits a form to itself. */
const headers = {
  ...secretPageHeaders,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
} as const;

/** Default days of a snooze. */
const defaultSnoozeDays = 7;

export interface MailLinkOptions {
  readonly database: Database;
  readonly clock: () => Date;
  /** Returns the key that signs links. */
  readonly key: () => Promise<KeyObject>;
}

/**
 * Creates the endpoint of links in mails. GET shows what a link does but changes nothing, because mail
 * servers open links before people do. POST does it, whatever its body: mail programs send a body of their
 * own (RFC 8058).
 */
export function mailLinkEndpoint({ database, clock, key }: MailLinkOptions): Endpoint {
  async function answer(
    purpose: LinkPurpose | undefined,
    result: LinkResult,
    isItemOnly = false,
  ): Promise<Answer> {
    const { styles } = await resolveFiles(['style.css', 'reading.css']);
    const body = linkPage(purpose?.action, result, isItemOnly, styles);
    return { status: statuses[result.state], headers, body };
  }
  const read = async (token: string) => readLink(await key(), token, clock());
  const show: Handle = async ({ id = '' }) => {
    const purpose = await read(id);
    return answer(purpose, purpose ? await lookAtLink(database, purpose, clock()) : { state: 'unknown' });
  };
  const act: Handle = async ({ id = '', query }) => {
    const purpose = await read(id);
    if (!purpose) return answer(purpose, { state: 'unknown' });
    const given = new URLSearchParams(query);
    const days = snoozeDays.find((count) => String(count) === given.get('days')) ?? defaultSnoozeDays;
    const isItemOnly = given.get('only') === 'item';
    const choice = { days, isItemOnly, isUndone: given.get('undo') === 'on' };
    return answer(purpose, await actOnLink(database, purpose, choice, clock()), isItemOnly);
  };
  return {
    path: paths.mailLink,
    door: 'page',
    isSecret: true,
    methods: {
      GET: { access: 'public', handle: show },
      POST: { access: 'public', handle: act },
    },
  };
}
