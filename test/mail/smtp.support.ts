import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server received it. */
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

/** Settings of a mail server. */
export interface MailSinkOptions extends SMTPServerOptions {
  /** Returns the error with which a message is refused, if it is. */
  readonly refuseData?: () => Error | null;
}

/** Starts a mail server on a free port of this machine, which stores what it receives. */
export async function startMailSink({ refuseData, ...options }: MailSinkOptions = {}): Promise<MailSink> {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH'],
    hideSTARTTLS: true,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const error = refuseData?.();
        if (error) {
          callback(error);
          return;
        }
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
  // Ignore clients that give up, or do not trust the certificate.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, taken, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Creates the error that a server answers with. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
