import { acceptInvitation, findInvitation } from '../../access/invitations.js';
import type { Database } from '../../db/connection/database.js';
import { paths } from '../../domain/doors/paths.js';
import type { HttpResponse } from '../../web/response.js';
import type { Endpoint, Handle, MethodHandler, RequestContext } from '../routing/endpoint.js';
import { secretPageHeaders as headers } from './assets.js';
import { type PageFiles, type PageMode, render, resolveFiles } from './pages.js';

/** Contents of the page of an invitation. */
type InvitationView =
  | {
      readonly state: 'open';
      readonly userName: string;
      readonly email: string;
      readonly organization: string;
    }
  | { readonly state: 'made'; readonly token: string }
  | { readonly state: 'used' | 'ended' | 'unknown' };

/** Escapes a text for HTML. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const closedInvitations = {
  used: [
    'This link has been used',
    'It has already created an access token, and works only once. If that was not you, tell an administrator.',
  ],
  ended: ['This link has expired', 'Ask an administrator for a new invitation.'],
  unknown: [
    'This link does not work',
    'It may be incomplete or mistyped, or replaced by a newer one. Ask an administrator for a new invitation.',
  ],
} as const;

function invitationText(view: InvitationView): readonly [title: string, body: string] {
  if (view.state === 'open') {
    const [name, email, organization] = [view.userName, view.email, view.organization].map(escaped);
    return [
      'You are invited',
      `<p class="lead">${organization} has invited you to use this gateway as <strong>${name}</strong> (${email}).</p>
<p>You need an access token for this. Press the button to create one; it is shown only once.</p>
<form method="post"><button>Create my access token</button></form>`,
    ];
  }
  if (view.state === 'made') {
    return [
      'Your access token',
      `<p class="lead">Store it where you store passwords. It is not shown again, and this link no longer works.</p>
<pre><code id="made-token">${escaped(view.token)}</code></pre>
<p><a class="button" href="${paths.start}#token=${escaped(view.token)}">Sign in with it</a></p>`,
    ];
  }
  const [title, text] = closedInvitations[view.state];
  return [
    title,
    `<p class="lead">${text}</p>\n<p><a class="button" href="${paths.start}">Go to the start page</a></p>`,
  ];
}

/** Renders the page of an invitation. It works without scripts. */
function invitationPage(mode: PageMode, view: InvitationView, files: PageFiles): string {
  const [title, body] = invitationText(view);
  return render(mode, {
    ...files,
    title: `${title} · Expiration gateway`,
    layout: 'reading',
    body: `<div class="refusal">\n<h1>${title}</h1>\n${body}\n</div>`,
  });
}

const statuses = { open: 200, made: 201, used: 410, ended: 410, unknown: 404 } as const;

interface InvitationOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly mode: PageMode;
  /** The console's page, on which people choose how to sign in. Undefined without a console. */
  readonly page: MethodHandler | undefined;
  /** Returns whether people can have a session at the address of a request. */
  readonly takesCookies: (exchange: RequestContext) => boolean;
}

/**
 * Creates the endpoint of invitation links. GET shows the invitation and changes nothing, so link previews do
 * not use it up. POST creates the invited person's token and shows it. With a console, GET shows its page
 * instead, which also takes a password.
 */
export function invitationEndpoint(options: InvitationOptions): Endpoint {
  const { database, clock, mode, page, takesCookies } = options;
  async function answer(view: InvitationView): Promise<HttpResponse> {
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
