import {
  askForToken,
  forgetToken,
  handOver,
  keepToken,
  shareSession,
  takeToken,
  tellSignOut,
} from './session.js';

/** Finds an element of the page by its id. */
export const byId = (id) => document.getElementById(id);

const [bar, signIn, problem, caller, callerName] = [
  'session',
  'sign-in',
  'sign-in-problem',
  'caller',
  'caller-name',
].map(byId);

/** The field for a token, if there is no console to sign in to. */
const field = signIn.querySelector('input');

/** Milliseconds that other tabs have to answer before the console asks them in place of this page. */
const patience = 300;

/** The sender of this page's requests: a token, the browser's session, or nobody. @typedef {{ token?: string } | undefined} Sender */

/** The headers by which the gateway recognizes a sender. No page of another site can send the second one. @param {Sender} sender */
const headersOf = (sender) => {
  if (!sender) return {};
  return sender.token === undefined
    ? { 'X-Requested-With': 'page' }
    : { Authorization: `Bearer ${sender.token}` };
};

/** Asks the gateway who a sender is. @returns the caller, or the reason why there is none */
async function askCaller(sender) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { Accept: 'application/json', ...headersOf(sender), 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: bar.dataset.caller }),
    cache: 'no-store',
    credentials: sender.token === undefined ? 'same-origin' : 'omit',
  }).catch(() => undefined);
  const { data, errors } = (await response?.json().catch(() => undefined)) ?? {};
  if (data?.me) return { me: data.me };
  // Such as a user without a role.
  if (response?.status === 403 && errors?.[0]) return { reason: errors[0].message };
  if (response?.status === 401) {
    return { isRefused: true, reason: 'This token is not valid: it is mistyped, expired or revoked.' };
  }
  return { reason: 'The gateway does not answer now. Try again in a moment.' };
}

/** Returns whether this browser has a session. */
async function hasSession() {
  const response = await fetch('/session/options', { cache: 'no-store' }).catch(() => undefined);
  const { isSignedIn = false } = (await response?.json().catch(() => undefined)) ?? {};
  return isSignedIn;
}

/** Ends the browser's session. Where there are no cookies, there is none to end. */
const endSession = () =>
  fetch('/session', { method: 'DELETE', headers: headersOf({}) }).catch(() => undefined);

/** Returns the address of the console's sign-in, with the way back to this page. */
function signInAddress() {
  const { pathname, search, hash } = location;
  return `/?return=${encodeURIComponent(pathname + search + hash)}`;
}

/**
 * Runs the sign-in of a page, and shows it in the bar.
 * @param isNeeded sends people who are not signed in to the console
 * @param onEnter called once somebody is signed in
 */
export function startSession({ isNeeded, onEnter }) {
  /** @type {Sender} */
  let sender;

  function show(message = '') {
    caller.hidden = sender === undefined;
    signIn.hidden = !caller.hidden;
    problem.textContent = message;
    field?.toggleAttribute('aria-invalid', message !== '');
  }
  function sendToConsole() {
    if (isNeeded && !field && sender === undefined) location.replace(signInAddress());
  }
  /** Signs out. Loading the page again removes what it has loaded for the person. */
  function leave() {
    forgetToken();
    location.reload();
  }
  async function enter(given, keeping) {
    sender = given;
    const { me, isRefused, reason } = await askCaller(given);
    // Somebody else has signed in in the meantime.
    if (sender !== given) return;
    if (me) {
      if (given.token !== undefined) keepToken(given.token, keeping);
      callerName.textContent = `${me.name} · ${me.role.toLowerCase()}`;
      show();
      onEnter();
      return;
    }
    sender = undefined;
    show(reason);
    if (!isRefused) return;
    // The console tries a stored token itself, and says why it is rejected.
    if (field) forgetToken();
    sendToConsole();
  }
  async function findSession() {
    if (await hasSession()) return enter({});
    askForToken();
    if (!isNeeded || field) show();
    else setTimeout(sendToConsole, patience);
  }

  shareSession({
    token: () => sender?.token,
    onToken(token) {
      if (sender === undefined) enter({ token }, 'memory');
      else sender = { token };
    },
    onSession() {
      // The page may show what another person has loaded.
      if (sender?.token === undefined) location.reload();
    },
    onSignOut: () => {
      if (sender !== undefined) leave();
    },
  });
  byId('sign-out').addEventListener('click', async () => {
    tellSignOut();
    await endSession();
    leave();
  });
  signIn.addEventListener('submit', (event) => {
    event.preventDefault();
    enter({ token: field.value.trim() }, 'tab');
  });
  signIn.addEventListener('click', () => {
    if (!field) signIn.href = signInAddress();
  });
  for (const link of document.querySelectorAll('.bar a')) {
    link.addEventListener('click', ({ ctrlKey, metaKey, shiftKey }) => {
      if (sender?.token !== undefined && !ctrlKey && !metaKey && !shiftKey) handOver(sender.token);
    });
  }

  const found = takeToken();
  if (found) enter({ token: found.token }, found.keeping);
  else findSession();
  return {
    /** The headers by which the gateway recognizes who is signed in. */
    get headers() {
      return headersOf(sender);
    },
    /** Asks for another sign-in, after an answer said that this one is not valid any more. */
    end() {
      // Not signed in yet: the answer is that of askCaller.
      if (caller.hidden) return;
      sender = undefined;
      show('Your sign-in has ended.');
      askForToken();
    },
  };
}
