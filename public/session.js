/**
 * The sign-in of the console, the GraphQL editor and the REST reference, and how tabs share it. A session is in a cookie
 * that no script can read. A token is kept for the tab that it was entered in.
 */

/** The storage of a token: this tab, or only memory. @typedef {'tab' | 'memory'} Keeping */

/**
 * A message between tabs: a request for a token, a new session, a sign-out, or a token with the one that it replaces.
 * @typedef {'ask' | 'in' | 'out' | { before?: string | undefined, token: string }} Message
 */

const tokenName = 'expiration-gateway.token';
const handedName = 'expiration-gateway.handed-token';

/** Reads a stored text; undefined if the browser stores nothing. @param {'localStorage' | 'sessionStorage'} storage @param {string} name */
export function readKept(storage, name) {
  try {
    return window[storage].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a text under a name, or deletes it. Without storage, the page works all the same.
 * @param {'localStorage' | 'sessionStorage'} storage @param {string} name @param {string | undefined} text
 */
export function keep(storage, name, text) {
  try {
    if (text === undefined) window[storage].removeItem(name);
    else window[storage].setItem(name, text);
  } catch {
    // Continue without storage.
  }
}

/** Reads the token that is stored for this tab. */
export const storedToken = () => readKept('sessionStorage', tokenName);

/** Deletes the token that is stored for this tab. */
export const forgetToken = () => keep('sessionStorage', tokenName, undefined);

/** Stores a token for this tab. @param {string} token @param {Keeping} keeping */
export function keepToken(token, keeping) {
  if (keeping === 'tab') keep('sessionStorage', tokenName, token);
}

/** Moves a token that an earlier version stored for the whole browser into this tab. */
function takeOverToken() {
  const token = readKept('localStorage', tokenName);
  if (token === undefined) return;
  keep('localStorage', tokenName, undefined);
  keepToken(token, 'tab');
}

/** Passes a token that is only in memory to the next page of this tab. That page deletes it at once. @param {string} token */
export function handOver(token) {
  if (token !== storedToken()) keep('sessionStorage', handedName, token);
}

/** Removes a token from the address (`#token=…`), so that it does not stay in the browser's history. */
export function takeFragment() {
  const [, found] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (found === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** Calls a function with each token that a link brings to this page from now on. @param {(token: string) => unknown} onToken */
export function followFragment(onToken) {
  window.addEventListener('hashchange', () => {
    const brought = takeFragment();
    if (brought !== undefined) onToken(brought);
  });
}

/** Finds the token of this page: from the previous page, or in storage. @returns {{ token: string, keeping: Keeping } | undefined} */
export function takeToken() {
  const handed = readKept('sessionStorage', handedName);
  keep('sessionStorage', handedName, undefined);
  if (handed !== undefined) return { token: handed, keeping: 'memory' };
  takeOverToken();
  const token = storedToken();
  return token === undefined ? undefined : { token, keeping: 'tab' };
}

/** Deletes a database of this browser. @param {string} name */
function eraseDatabase(name) {
  try {
    indexedDB.deleteDatabase(name);
  } catch {
    // A browser that refuses it has kept nothing.
  }
}

/** Deletes what this browser keeps of what somebody has read and typed (console/src/data/kept.ts). */
export const eraseKept = () => eraseDatabase('kept');

/** Deletes all that this browser keeps for somebody, also files that are not sent (console/src/camera/store.ts). */
export function eraseAll() {
  eraseKept();
  eraseDatabase('camera');
}

/** Opens the channel between tabs; undefined if the browser has none. */
function openChannel() {
  try {
    return new BroadcastChannel('expiration-gateway.session');
  } catch {
    return undefined;
  }
}

const channel = openChannel();

/** Sends a message to the other tabs. @param {Message} message */
const tell = (message) => channel?.postMessage(message);

/** Milliseconds that other tabs have to answer. */
const patience = 300;

/** Asks the other tabs for their token. Waits until those that have one have answered. */
export function askForToken() {
  tell('ask');
  return new Promise((resolve) => setTimeout(resolve, patience));
}

/** Tells the other tabs that the browser has a new session. */
export const tellSignIn = () => tell('in');

/** Signs out the other tabs. */
export const tellSignOut = () => tell('out');

/** Sends a renewed token to the tabs that have the old one. @param {string} before @param {string} token */
export const tellRenewal = (before, token) => tell({ before, token });

/**
 * Shares the sign-in of this page with the other tabs.
 * @param {object} page
 * @param {() => string | undefined} page.token returns the current token of this page
 * @param {(token: string) => void} page.onToken called with a first token, or with one that replaces the current one
 * @param {() => void} page.onSession called if the browser has a new session
 * @param {() => void} page.onSignOut
 */
export function shareSession({ token, onToken, onSession, onSignOut }) {
  channel?.addEventListener('message', ({ data }) => {
    const own = token();
    if (data === 'out') onSignOut();
    else if (data === 'in') onSession();
    else if (data !== 'ask') {
      if (data.before === own) onToken(data.token);
    } else if (own !== undefined) tell({ token: own });
  });
  // A page that the browser restores from memory may have missed a sign-out.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
