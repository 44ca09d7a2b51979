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

/** Asks the gateway who a token belongs to. @returns the caller, or the reason why there is none */
async function askCaller(token) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query: bar.dataset.caller }),
    cache: 'no-store',
    credentials: 'omit',
  }).catch(() => undefined);
  const { data } = (await response?.json().catch(() => undefined)) ?? {};
  if (data?.me) return { me: data.me };
  if (response?.status === 401) {
    return { isRefused: true, reason: 'This token is not valid: it is mistyped, expired or revoked.' };
  }
  return { reason: 'The gateway does not answer now. Try again in a moment.' };
}

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
  let token;

  function show(message = '') {
    caller.hidden = token === undefined;
    signIn.hidden = !caller.hidden;
    problem.textContent = message;
    field?.toggleAttribute('aria-invalid', message !== '');
  }
  function sendToConsole() {
    if (isNeeded && !field && token === undefined) location.replace(signInAddress());
  }
  /** Signs out. Loading the page again removes what it has loaded for the person. */
  function leave() {
    forgetToken();
    location.reload();
  }
  async function enter(given, keeping) {
    token = given;
    const { me, isRefused, reason } = await askCaller(given);
    // Another token was entered in the meantime.
    if (token !== given) return;
    if (me) {
      keepToken(token, keeping);
      callerName.textContent = `${me.name} · ${me.role.toLowerCase()}`;
      show();
      onEnter();
      return;
    }
    token = undefined;
    show(reason);
    if (!isRefused) return;
    // The console tries a stored token itself, and says why it is rejected.
    if (field) forgetToken();
    sendToConsole();
  }

  shareSession({
    token: () => token,
    onToken(given) {
      if (token === undefined) enter(given, 'memory');
      else token = given;
    },
    onSignOut: () => {
      if (token !== undefined) leave();
    },
  });
  byId('sign-out').addEventListener('click', () => {
    tellSignOut();
    leave();
  });
  signIn.addEventListener('submit', (event) => {
    event.preventDefault();
    enter(field.value.trim(), 'tab');
  });
  signIn.addEventListener('click', () => {
    if (!field) signIn.href = signInAddress();
  });
  for (const link of document.querySelectorAll('.bar a')) {
    link.addEventListener('click', ({ ctrlKey, metaKey, shiftKey }) => {
      if (token !== undefined && !ctrlKey && !metaKey && !shiftKey) handOver(token);
    });
  }

  const found = takeToken();
  if (found) enter(found.token, found.keeping);
  else {
    askForToken();
    if (!isNeeded || field) show();
    else setTimeout(sendToConsole, patience);
  }
  return {
    get token() {
      return token;
    },
    /** Asks for another sign-in, after an answer said that the token is not valid any more. */
    end() {
      // Not signed in yet: the answer is that of askCaller.
      if (caller.hidden) return;
      token = undefined;
      show('Your sign-in has ended.');
      askForToken();
    },
  };
}
