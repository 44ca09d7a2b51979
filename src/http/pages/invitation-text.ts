import { paths } from '../../domain/doors/paths.js';
import { type PageFiles, type PageMode, render } from './page-texts.js';

/** Contents of the page of an invitation. */
export type InvitationView =
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
export function invitationPage(mode: PageMode, view: InvitationView, files: PageFiles): string {
  const [title, body] = invitationText(view);
  return render(mode, {
    ...files,
    title: `${title} · Expiration gateway`,
    layout: 'reading',
    body: `<div class="refusal">\n<h1>${title}</h1>\n${body}\n</div>`,
  });
}
