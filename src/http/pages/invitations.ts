import { acceptInvitation, findInvitation } from '../../access/invitations.js';
import type { Database } from '../../db/connection/database.js';
import { paths } from '../../domain/doors/paths.js';
import type { Answer } from '../../web/answer.js';
import type { Endpoint, Handle, MethodHandler } from '../routing/endpoint.js';
import type { Exchange } from '../routing/exchange.js';
import { secretPageHeaders as headers } from './assets.js';
import { type InvitationView, invitationPage } from './invitation-text.js';
import type { PageMode } from './page-texts.js';
import { resolveFiles } from './pages.js';

const statuses = { open: 200, made: 201, used: 410, ended: 410, unknown: 404 } as const;

export interface InvitationOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly mode: PageMode;
  /** The console's page, on which people choose how to sign in. Undefined without a console. */
  readonly page: MethodHandler | undefined;
  /** Returns whether people can have a session at the address of a request. */
  readonly takesCookies: (exchange: Exchange) => boolean;
}

/**
 * Creates the endpoint of invitation links. GET shows the invitation and changes nothing, so link previews do
 * not use it up. POST creates the invited person's token and shows it. With a console, GET shows its page
 * instead, which also takes a password.
 */
export function invitationEndpoint(options: InvitationOptions): Endpoint {
  const { database, clock, mode, page, takesCookies } = options;
  async function answer(view: InvitationView): Promise<Answer> {
    const body = invitationPage(mode, view, await resolveFiles(['style.css', 'reading.css']));
    return { status: statuses[view.state], headers, body };
  }
  async function look(secret: string): Promise<InvitationView> {
    const found = await findInvitation(database, secret, clock());
    if (!found) return { state: 'unknown' };
    return found.state === 'open' ? { ...found, state: found.state } : { state: found.state };
  }
  const show: Handle = async (request, exchange, ...rest) => {
    const view = await look(request.id ?? '');
    const isChosen = page && view.state === 'open' && takesCookies(exchange);
    return isChosen ? page.handle(request, exchange, ...rest) : answer(view);
  };
  const make: Handle = async ({ id = '' }) => {
    const token = await acceptInvitation(database, id, clock());
    return answer(token === undefined ? await look(id) : { state: 'made', token });
  };
  return {
    path: paths.invitation,
    door: 'page',
    isSecret: true,
    methods: {
      GET: { access: 'public', handle: show },
      POST: { access: 'public', handle: make },
    },
  };
}
