import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly mail: Email;
}

export interface MailSink {
  readonly port: number;
  readonly taken: TakenMail[];
  close(): Promise<void>;
}

const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
/** A certificate for `localhost`, signed by `test/fixtures/tls/ca.crt`. */
export const certificate = { cert: read('localhost.crt'), key: read('localhost.key') };

/** Starts a mail server on a free port of this machine, which keeps what it takes. */
export async function startMailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH'],
    hideSTARTTLS: true,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks).toString();
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        taken.push({
          from,
          to: rcptTo.map(({ address }) => address),
          raw,
          mail: await PostalMime.parse(raw),
        });
        callback(null, 'taken');
      });
    },
  });
  // Clients that give up, or do not trust a certificate, are none of its business.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, taken, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Makes the error with which a server answers. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
