import { ask } from './api.js';
import { byId } from './elements.js';

/** The name under which all pages of this gateway keep the token. */
const key = 'expiration-gateway.token';

/**
 * The token of this tab, else the one that the console was asked to keep for the browser; one that is typed here is the
 * tab's alone. A browser that keeps nothing forgets it with the page.
 */
const store = {
  read() {
    try {
      return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(token) {
    try {
      if (token === undefined) for (const kept of [sessionStorage, localStorage]) kept.removeItem(key);
      else if (token !== localStorage.getItem(key)) sessionStorage.setItem(key, token);
    } catch {
      // The page goes on with the token that it has.
    }
  },
};

/** Takes the token out of the address, where it would stay in the browser's history: `/#token=…`. */
function tokenFromAddress() {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** A token of the gateway's own, whole: it is tried without a click. */
const whole = /^egw_[\w-]{43}$/;

/**
 * Runs signing in and out: with the token that this tab has, that the address brings, or that is typed.
 * @param onEnter called with the token once the gateway has accepted it
 * @param onLeave called when there is no token, at first and after signing out; the form is shown then
 */
export function startSession({ caller: query, onEnter, onLeave }) {
  const [form, field, problem, caller] = ['sign-in', 'token', 'sign-in-problem', 'caller'].map(byId);
  const button = form.querySelector('button');
  let token;
  let attempts = 0;

  function ended(message = '') {
    token = undefined;
    caller.hidden = true;
    form.hidden = false;
    button.disabled = false;
    button.textContent = message && field.value ? 'Try again' : 'Sign in';
    problem.textContent = message;
    if (message) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
    onLeave();
  }
  function leave(message) {
    attempts++;
    store.write(undefined);
    field.value = '';
    ended(message);
    field.focus();
  }
  async function enter(typed) {
    const attempt = ++attempts;
    button.disabled = true;
    button.textContent = 'Signing in…';
    problem.textContent = '';
    try {
      const { data } = await ask(query, {}, typed);
      if (attempt !== attempts) return;
      token = typed;
      store.write(token);
      form.reset();
      form.hidden = true;
      caller.hidden = false;
      byId('caller-name').textContent = `${data.me.name} · ${data.me.role.toLowerCase()}`;
      caller.title = data.me.email;
      onEnter(token);
    } catch (error) {
      if (attempt !== attempts) return;
      if (error.refused) return leave(error.message);
      // The token may be right: it is there for the next try.
      field.value = typed;
      ended(error.message);
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    enter(field.value.trim());
  });
  field.addEventListener('input', () => {
    if (whole.test(field.value.trim())) enter(field.value.trim());
  });
  byId('sign-out').addEventListener('click', () => leave());
  window.addEventListener('hashchange', () => {
    const brought = tokenFromAddress();
    if (brought !== undefined) enter(brought);
  });

  const first = tokenFromAddress() ?? store.read();
  if (first === undefined) ended();
  else enter(first);
  return {
    enter,
    leave,
    get token() {
      return token;
    },
  };
}
