import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { createMailer, hostOf, type MailSettings } from '../mail/mailer.js';
import { startReminders } from './reminders.js';
import { type OnDelivered, startSender } from './send/sender.js';

/** Settings of reminders as a process needs them. */
export interface MailingOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'keyFor'>;
  /** Absent: nothing is decided and nothing is sent. */
  readonly mail: MailSettings | undefined;
  /** Mails per second of this process at most. */
  readonly rate: number;
  /** Origin at which people reach the gateway; absent: mails have no links. */
  readonly origin: string | undefined;
  readonly onDelivered?: OnDelivered | undefined;
}

/** Derives the key that signs the links of mails, and opens nothing else. */
export function linkKey(secrets: Pick<Secrets, 'keyFor'>): Promise<KeyObject> {
  return secrets.keyFor('links of mails');
}

/**
 * Decides what is to be told, and sends it by mail. The log says at once whether mail is set up: reminders that nobody
 * sends would be missed only when something has expired.
 * @returns stops both, and waits for mails under way
 */
export function startMailing(options: MailingOptions): () => Promise<void> {
  const { database, clock, log, mail, secrets, origin, rate, onDelivered } = options;
  const stopReminders = startReminders({ database, clock, log, isMailSetUp: mail !== undefined });
  if (!mail) {
    log.info('Mail is not set up: no reminder is sent until SMTP_URL and MAIL_FROM are');
    return stopReminders;
  }
  const { host: server, port } = mail.server;
  log.info({ server, port, links: origin !== undefined }, 'Reminders are sent by mail');
  const links = async () => (origin === undefined ? undefined : { origin, key: await linkKey(secrets) });
  const mailer = createMailer(mail);
  const sender = startSender({
    ...{ database, mailer, links, clock, log, rate, onDelivered },
    host: hostOf(mail.from),
  });
  return async () => {
    await Promise.all([stopReminders(), sender.stop()]);
  };
}
