import { paths } from '../../domain/doors/paths.js';

/** Contents of the banner that a terminal shows once the gateway serves. */
export interface Greeting {
  readonly url: string;
  readonly version: string;
  /** The admin token that was just created. */
  readonly token: string | undefined;
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
  // A browser cannot open the address of all interfaces.
  const origin = url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');
  return `${origin}${paths.start}#token=${token}`;
}

/** Formats the banner at a terminal: address, sign-in, first steps, and how to stop it. */
export function formatBanner({ url, version, token, program, editor }: Greeting): string {
  const makeToken = `${program} token create --name me --role admin`;
  const rows = [
    ['Address', url],
    token === undefined ? ['Open', `${url}/`] : ['Sign in', signInLink(url, token)],
    token === undefined ? undefined : ['', '(an admin token; shown only once)'],
    ['Try', `curl ${url}${paths.rest}/vehicles -H "Authorization: Bearer ${token ?? '$TOKEN'}"`],
    ['Explore', editor ? `${url}${paths.graphql} and ${url}${paths.docs}` : `${url}${paths.docs}`],
    [token === undefined ? 'New token' : 'More tokens', makeToken],
  ].filter((row) => row !== undefined);
  const lines = rows.map(([name = '', text]) => `  ${name.padEnd(14)}${text}`);
  return ['', `  Expiration gateway ${version}`, '', ...lines, '', '  Press Ctrl-C to stop.', ''].join('\n');
}
