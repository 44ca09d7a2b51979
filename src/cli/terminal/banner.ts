import { paths } from '../../domain/doors/paths.js';

/** Contents of the banner that a terminal shows once the gateway serves. */
export interface Greeting {
  readonly url: string;
  readonly version: string;
  /** The admin token that was just created. */
  readonly token: string | undefined;
  /** The secret of the link that sets up a new gateway. */
  readonly setup: string | undefined;
  /** Command line that starts this program. */
  readonly program: string;
  /** True if browsers get a working editor. */
  readonly editor: boolean;
}

/**
 * Creates the link that signs in. The fragment stays in the browser: it reaches no server and no log (RFC
 * 3986 §3.5).
 */
export function signInLink(url: string, token: string): string {
  return `${openable(url)}${paths.start}#token=${token}`;
}

/** Creates the link of the page that sets up a new gateway. Its secret stays in the browser, too. */
export function setupLink(url: string, secret: string): string {
  return `${openable(url)}${paths.setup}#${secret}`;
}

/** Returns an address that browsers can open: that of all interfaces is none. */
const openable = (url: string) => url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');

/** Formats the banner at a terminal: address, sign-in, first steps, and how to stop it. */
export function formatBanner({ url, version, token, setup, program, editor }: Greeting): string {
  const makeToken = `${program} token create --name me --role admin`;
  const signIn = token === undefined ? ['Open', `${url}/`] : ['Sign in', signInLink(url, token)];
  const rows = [
    ['Address', url],
    setup === undefined ? signIn : ['Set up', setupLink(url, setup)],
    setup !== undefined ? ['', '(for the first person; works once)'] : undefined,
    setup === undefined && token !== undefined ? ['', '(an admin token; shown only once)'] : undefined,
    ['Try', `curl ${url}${paths.rest}/vehicles -H "Authorization: Bearer ${token ?? '$TOKEN'}"`],
    ['Explore', editor ? `${url}${paths.graphql} and ${url}${paths.docs}` : `${url}${paths.docs}`],
    [token === undefined ? 'New token' : 'More tokens', makeToken],
  ].filter((row) => row !== undefined);
  const lines = rows.map(([name = '', text]) => `  ${name.padEnd(14)}${text}`);
  return ['', `  Expiration gateway ${version}`, '', ...lines, '', '  Press Ctrl-C to stop.', ''].join('\n');
}
