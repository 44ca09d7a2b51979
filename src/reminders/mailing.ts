import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { createMailer, hostOf, type MailSettings } from '../mail/mailer.js';
import { type ReminderOptions, startReminders } from './reminders.js';
import type { LinkMaker } from './send/compose.js';
import { type OnDelivered, startSender } from './send/sender.js';
import { watchServer } from './send/server-watch.js';

/** Listeners of what is decided and sent. */
export interface MailingEvents {
  readonly onDecided?: ReminderOptions['onDecided'];
  readonly onDelivered?: OnDelivered | undefined;
  /** Told of each try what is wrong with the mail server; undefined when nothing is. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
}

/** Settings of reminders as a process needs them. */
export interface MailingOptions extends MailingEvents {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey' | 'open'>;
  /** True to make a missing key here. One that `serve` does not have makes links that open nothing. */
  readonly makesKey: boolean;
  /** Absent: nothing is decided and nothing is sent. */
  readonly mail: MailSettings | undefined;
  /** Mails per second of this process at most. */
  readonly rate: number;
  /** Origin at which people reach the gateway; absent: mails have no links. */
  readonly origin: string | undefined;
  /** Address that all reminders of the demo go to; absent: nowhere. */
  readonly demoMailTo?: string | undefined;
}

/** Derives the key that signs the links of mails, and opens nothing else. */
export function linkKey(secrets: Pick<Secrets, 'keyFor'>): Promise<KeyObject> {
  return secrets.keyFor('links of mails');
}

/** Finds what makes the links of mails. Without the key of `serve` there are none, until it is there. */
async function findLinks({
  origin,
  secrets,
  makesKey,
}: Pick<MailingOptions, 'origin' | 'secrets' | 'makesKey'>): Promise<LinkMaker | undefined> {
  if (origin === undefined || !(makesKey || (await secrets.hasKey()))) return undefined;
  const { open } = secrets;
  return { origin, open, key: await linkKey(secrets) };
}

/** Says at the start that mails have no links for want of a key. */
async function warnWithoutKey({ secrets, makesKey, log }: MailingOptions): Promise<void> {
  const hasKey = makesKey || (await secrets.hasKey().catch(() => false));
  if (!hasKey) log.warn('Mails have no links, and invitations wait: set the SECRET_KEY that serve has');
}

/**
 * Decides what is to be told, and sends it by mail. The log says at once whether mail is set up: reminders that nobody
 * sends would be missed only when something has expired.
 * @returns stops both, and waits for mails under way
 */
export function startMailing(options: MailingOptions): () => Promise<void> {
  const { database, clock, log, mail, origin, rate, onDecided, onDelivered, onServer, demoMailTo } = options;
  const stopReminders = startReminders({
    ...{ database, clock, log, onDecided, demoMailTo },
    isMailSetUp: mail !== undefined,
  });
  if (!mail) {
    log.info('Mail is not set up: no reminder is sent until SMTP_URL and MAIL_FROM are');
    return stopReminders;
  }
  const { host: server, port } = mail.server;
  log.info({ server, port, links: origin !== undefined }, 'Reminders are sent by mail');
  const links = () => findLinks(options);
  if (origin !== undefined) void warnWithoutKey(options);
  const mailer = createMailer(mail);
  const watch = watchServer({ check: mailer.check, log, onServer });
  const sender = startSender({
    ...{ database, mailer, links, clock, log, rate, onDelivered, onServer: watch.note },
    host: hostOf(mail.from),
  });
  return async () => {
    watch.stop();
    await Promise.all([stopReminders(), sender.stop()]);
  };
}
