import { createSecretKey, type KeyObject } from 'node:crypto';
import pino from 'pino';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { createMailer } from '../../src/mail/mailer.js';
import { type DeliveryOutcome, type Sender, startSender } from '../../src/reminders/reminder-worker.js';
import { type MailSink, type MailSinkOptions, startMailSink } from '../mail/smtp.support.js';
import type { World } from './support.js';

/** SECRET_KEY of the tests' gateways. */
export const testKey = 'ab'.repeat(32);

/** The key of the tests' gateways. */
export const secrets = createSecrets({
  secretKey: createSecretKey(Buffer.from(testKey, 'hex')),
  dataDir: 'none',
});

/** The key of the links in the tests' mails. */
export const linkKey = createSecretKey(Buffer.alloc(32, 7));

/** A mail server, and senders with the test's clock. */
export interface Post {
  readonly sink: MailSink;
  /** Outcomes of all attempts so far. */
  readonly outcomes: DeliveryOutcome[];
  /** Starts another sender. */
  start(options?: { leaseMs: number }): Sender;
  /** Sends at a given time until a number of attempts have ended. */
  send(time: string, tries?: number): Promise<void>;
  close(): Promise<void>;
}

/** Settings of the mail server, and the key of links. */
export type PostOptions = MailSinkOptions & { readonly keyOfLinks?: KeyObject };

/** Starts a mail server for a world's mails. */
export async function openPost(
  world: Pick<World, 'database'>,
  { keyOfLinks = linkKey, ...options }: PostOptions = {},
): Promise<Post> {
  const sink = await startMailSink(options);
  const clock = { now: new Date(0) };
  const outcomes: DeliveryOutcome[] = [];
  const senders: Sender[] = [];
  let tell = () => {};
  const start: Post['start'] = (settings) => {
    const sender = startSender({
      database: world.database,
      mailer: createMailer({
        server: { host: '127.0.0.1', port: sink.port, tls: 'optional', login: undefined },
        from: 'Expiry <expiry@example.com>',
        replyTo: undefined,
        withoutTls: false,
      }),
      host: 'example.com',
      links: async () => ({ origin: 'https://expiry.example.com', key: keyOfLinks, open: secrets.open }),
      clock: () => clock.now,
      log: pino({ level: 'silent' }),
      rate: 1_000,
      pollMs: 20,
      ...settings,
      onDelivered: (outcome) => {
        outcomes.push(outcome);
        tell();
      },
    });
    senders.push(sender);
    return sender;
  };
  return {
    sink,
    outcomes,
    start,
    send: async (time, tries = 1) => {
      clock.now = new Date(time);
      const wanted = outcomes.length + tries;
      const done = new Promise<void>((resolve) => {
        tell = () => {
          if (outcomes.length >= wanted) resolve();
        };
      });
      if (senders.length === 0) start();
      await done;
    },
    close: async () => {
      await Promise.all(senders.map((sender) => sender.stop()));
      await sink.close();
    },
  };
}
