import {
  askForToken,
  eraseAll,
  eraseKept,
  followFragment,
  forgetToken,
  handOver,
  keepToken,
  shareSession,
  takeFragment,
  takeToken,
  tellSignOut,
} from './session.js';

/** Finds an element of the page by its id. */
export const byId = (id) => document.getElementById(id);

const [bar, signIn, problem, caller, callerName, question] = [
  'session',
  'sign-in',
  'sign-in-problem',
  'caller',
  'caller-name',
  'other-token',
].map(byId);

/** The field for a token, if there is no console to sign in to. */
const field = signIn.querySelector('input');

/** The sender of this page's requests: a token, the browser's session, or nobody. @typedef {{ token?: string } | undefined} Sender */

const noAnswer = 'The gateway does not answer now. Try again in a moment.';

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
  return { isUnknown: true, reason: noAnswer };
}

/** Returns whether this browser has a session; undefined if the gateway does not say. */
async function hasSession() {
  const response = await fetch('/session/options', { cache: 'no-store' }).catch(() => undefined);
  return (await response?.json().catch(() => undefined))?.isSignedIn;
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
  /** The user who is signed in. @type {{ id: string, name: string, role: string } | undefined} */
  let user;
  /** The last sign-in. It is false if the gateway did not say who that is. @type {Promise<boolean>} */
  let entering = Promise.resolve(true);
  /** A token of a link, while it is found out who is signed in without it. @type {string | undefined} */
  let brought;
  /** A token of a link, while the person decides about it. @type {string | undefined} */
  let offered;

  function show(message = '') {
    caller.hidden = sender === undefined;
    signIn.hidden = !caller.hidden;
    problem.textContent = message;
    field?.toggleAttribute('aria-invalid', message !== '');
  }
  function forget() {
    sender = undefined;
    user = undefined;
  }
  function sendToConsole() {
    if (isNeeded && !field && sender === undefined && brought === undefined)
      location.replace(signInAddress());
  }
  /** Signs out. Loading the page again removes what it has loaded for the person. */
  function leave() {
    forgetToken();
    eraseAll();
    location.reload();
  }
  /** Asks who a sender is, and shows them. @returns whether the gateway has said it */
  async function tryToEnter(given, keeping) {
    sender = given;
    const { me, isRefused, isUnknown = false, reason } = await askCaller(given);
    // Somebody else has signed in in the meantime.
    if (sender !== given) return true;
    if (me) {
      user = me;
      if (given.token !== undefined) keepToken(given.token, keeping);
      callerName.textContent = `${me.name} · ${me.role.toLowerCase()}`;
      show();
      onEnter();
      return true;
    }
    forget();
    show(reason);
    if (!isRefused) return !isUnknown;
    if (given.token === undefined) eraseKept();
    // The console tries a stored token itself, and says why it is rejected.
    if (field) forgetToken();
    sendToConsole();
    return true;
  }
  function enter(given, keeping) {
    entering = tryToEnter(given, keeping);
    return entering;
  }
  /** Signs in with the session of the browser, or as another tab. @returns whether the gateway has answered */
  async function findSession() {
    const isThere = await hasSession();
    if (isThere) return enter({});
    const answered = askForToken();
    if (!isNeeded || field) show(isThere === undefined && brought !== undefined ? noAnswer : '');
    await answered;
    const isKnown = (await entering) && isThere !== undefined;
    sendToConsole();
    return isKnown;
  }
  /** Signs in as this tab, the browser or another tab is signed in. @returns whether the gateway has answered */
  async function enterAsBefore() {
    const found = takeToken();
    const isKnown = await (found ? enter({ token: found.token }, found.keeping) : entering);
    return isKnown && (user !== undefined || findSession());
  }
  /** Signs in with the token of a link. If somebody else is signed in, it asks first. */
  async function bring(token) {
    brought = token;
    const isKnown = user !== undefined || (await enterAsBefore());
    brought = undefined;
    if (!isKnown) return sendToConsole();
    if (!user || sender?.token === token) return enter({ token }, 'tab');
    const { me, reason } = await askCaller({ token });
    if (!me) return show(reason);
    if (!user || me.id === user.id) return enter({ token }, 'tab');
    byId('other-token-text').textContent =
      `You are signed in as ${user.name}. Use the token of this link instead?`;
    question.returnValue = '';
    offered = token;
    if (!question.open) question.showModal();
  }
  function start() {
    const token = takeFragment();
    if (token !== undefined) return bring(token);
    const found = takeToken();
    return found ? enter({ token: found.token }, found.keeping) : findSession();
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
  question.addEventListener('close', () => {
    if (question.returnValue === 'use') enter({ token: offered }, 'tab');
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

  followFragment(bring);
  start();
  return {
    /** The headers by which the gateway recognizes who is signed in. */
    get headers() {
      return headersOf(sender);
    },
    /** Asks for another sign-in, after an answer said that this one is not valid any more. */
    end() {
      // Not signed in yet: the answer is that of askCaller.
      if (caller.hidden) return;
      forget();
      eraseKept();
      show('Your sign-in has ended.');
      askForToken();
    },
  };
}
