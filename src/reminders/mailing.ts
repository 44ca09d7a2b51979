import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { createMailer, hostOf, type MailSettings } from '../mail/mailer.js';
import { type ReminderOptions, startReminders } from './reminders.js';
import type { LinkMaker } from './send/compose.js';
import { type OnDelivered, startSender } from './send/sender.js';
import { watchServer } from './send/server-watch.js';

/** Listeners of decisions and mails. */
export interface MailingEvents {
  readonly onDecided?: ReminderOptions['onDecided'];
  readonly onDelivered?: OnDelivered | undefined;
  /** Called after each attempt with the mail server's problem; undefined if there is none. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
}

/** Settings of reminders in a process. */
export interface MailingOptions extends MailingEvents {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey' | 'open'>;
  /** True to create a missing key here. Links signed with a key that `serve` does not have would not work. */
  readonly makesKey: boolean;
  /** Undefined: nothing is decided or sent. */
  readonly mail: MailSettings | undefined;
  /** Maximum mails per second of this process. */
  readonly rate: number;
  /** Origin at which people reach the gateway. Without it, mails have no links. */
  readonly origin: string | undefined;
  /** Address for all reminders of the demo. Without it, they are not sent. */
  readonly demoMailTo?: string | undefined;
}

/** Derives the key that signs the links of mails, and is used for nothing else. */
export function linkKey(secrets: Pick<Secrets, 'keyFor'>): Promise<KeyObject> {
  return secrets.keyFor('links of mails');
}

/** Finds the maker of mails' links. Without the key of `serve`, mails have none until the key exists. */
async function findLinks({
  origin,
  secrets,
  makesKey,
}: Pick<MailingOptions, 'origin' | 'secrets' | 'makesKey'>): Promise<LinkMaker | undefined> {
  if (origin === undefined || !(makesKey || (await secrets.hasKey()))) return undefined;
  const { open } = secrets;
  return { origin, open, key: await linkKey(secrets) };
}

/** Warns at the start if mails have no links because the key is missing. */
async function warnWithoutKey({ secrets, makesKey, log }: MailingOptions): Promise<void> {
  const hasKey = makesKey || (await secrets.hasKey().catch(() => false));
  if (!hasKey) log.warn('Mails have no links, and invitations wait: set the same SECRET_KEY as for serve');
}

/**
 * Decides about reminders and sends them by mail. The log says at once whether mail is set up: otherwise
 * people would miss reminders only when something has expired.
 * @returns a function that stops both, and waits for mails in progress
 */
export function startMailing(options: MailingOptions): () => Promise<void> {
  const { database, clock, log, mail, origin, rate, onDecided, onDelivered, onServer, demoMailTo } = options;
  const stopReminders = startReminders({
    ...{ database, clock, log, onDecided, demoMailTo },
    isMailSetUp: mail !== undefined,
  });
  if (!mail) {
    log.info('Mail is not set up: no reminders are sent until SMTP_URL and MAIL_FROM are set');
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
