import * as z from 'zod';
import type { SmtpServer } from '../mail/mailer.js';

/** Ports of submission: implicit TLS, and STARTTLS (RFC 8314 section 3). */
const ports = { 'smtps:': 465, 'smtp:': 587 } as const;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

function readServer(text: string): SmtpServer | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  const { protocol, hostname, username, password, searchParams } = url;
  const defaultPort = ports[protocol as keyof typeof ports];
  const tls = searchParams.get('tls');
  if (!defaultPort || !hostname || !['', '/'].includes(url.pathname) || url.hash) return undefined;
  if ((tls !== null && tls !== 'required') || [...searchParams.keys()].some((name) => name !== 'tls')) {
    return undefined;
  }
  try {
    const user = decodeURIComponent(username);
    return Object.freeze({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: url.port ? Number(url.port) : defaultPort,
      tls:
        protocol === 'smtps:'
          ? 'implicit'
          : tls === null && loopback.test(hostname)
            ? 'optional'
            : 'required',
      login: user ? Object.freeze({ user, password: decodeURIComponent(password) }) : undefined,
    });
  } catch {
    // A `%` that starts no valid encoding.
    return undefined;
  }
}

/** Mail server as a URL: `smtps://user:password@host:465`, or `smtp://host:587`, which uses STARTTLS. */
export const smtpUrl = z.string().transform((text, context) => {
  const server = readServer(text);
  if (server) return server;
  context.addIssue({
    code: 'custom',
    message: 'smtps://user:password@host:465 or smtp://user:password@host:587, optionally with ?tls=required',
  });
  return z.NEVER;
});
