import { paths } from '../../domain/doors/paths.js';

/** Contents of the banner that a terminal shows once the gateway serves. */
export interface Greeting {
  readonly url: string;
  readonly version: string;
  /** The admin token that was made just now. */
  readonly token: string | undefined;
  /** Command line that starts this program. */
  readonly program: string;
  /** True when browsers are shown an editor that works. */
  readonly editor: boolean;
}

/** Makes the link that signs in. A fragment stays in the browser: no server and no log gets to know it (RFC 3986 §3.5). */
export function signInLink(url: string, token: string): string {
  // Every interface is none that a browser could ask.
  const origin = url.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, '//localhost');
  return `${origin}${paths.start}#token=${token}`;
}

/** Writes the greeting at a terminal: address, sign-in, first steps, and how to stop it. */
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
