import { startLoop } from '../db/queue/loop.js';
import type { QueueWorkerSettings } from '../db/queue/worker.js';
import type { Secrets } from '../db/secrets/secrets.js';
import { createMailer, hostOf, type MailSettings } from '../mail/mailer.js';
import type { MailServer } from './mail-server.js';
import { type ReminderOptions, startReminders } from './reminders.js';
import type { LinkMaker } from './send/compose.js';
import { type OnDelivered, startSender } from './send/sender.js';
import { watchServer } from './send/server-watch.js';

/** Listeners of decisions and mails. */
export interface MailingEvents {
  readonly onDecided?: ReminderOptions['onDecided'];
  readonly onDelivered?: OnDelivered | undefined;
  /** Called with each attempt to send a chat message, with its milliseconds. */
  readonly onChat?: OnDelivered | undefined;
  /** Called after each attempt with the mail server's problem; undefined if there is none. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
}

/** Settings of reminders in a process. */
export interface MailingOptions
  extends MailingEvents,
    Pick<QueueWorkerSettings, 'database' | 'clock' | 'log' | 'isSure'> {
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey' | 'open'>;
  /** True to create a missing key here. Links signed with a key that `serve` does not have would not work. */
  readonly makesKey: boolean;
  /** The mail server. While there is none, nothing is decided or sent. */
  readonly server: MailServer;
  /** Called when the mail server is set up or removed. */
  readonly onSetUp?: ((isSetUp: boolean) => void) | undefined;
  /** Milliseconds between two looks at whether another mail server was set up. */
  readonly lookMs?: number;
  /** Maximum mails per second of this process. */
  readonly rate: number;
  /** Address for all reminders of the demo. Without it, they are not sent. */
  readonly demoMailTo?: string | undefined;
}

/** Purpose of the key that signs the links of mails. */
export const mailLinkPurpose = 'links of mails';

/** Finds the maker of mails' links. Without the key of `serve`, mails have none until the key exists. */
async function findLinks(
  { secrets, makesKey }: Pick<MailingOptions, 'secrets' | 'makesKey'>,
  origin: string | undefined,
): Promise<LinkMaker | undefined> {
  if (origin === undefined || !(makesKey || (await secrets.hasKey()))) return undefined;
  const { open } = secrets;
  return { origin, open, key: await secrets.keyFor(mailLinkPurpose) };
}

/** Warns at the start if mails have no links because the key is missing. */
async function warnWithoutKey({ secrets, makesKey, log }: MailingOptions): Promise<void> {
  const hasKey = makesKey || (await secrets.hasKey().catch(() => false));
  if (!hasKey) log.warn('Mails have no links, and invitations wait: set the same SECRET_KEY as for serve');
}

/** Sends mails through one server until it is stopped. */
function startSending(options: MailingOptions, mail: MailSettings, origin: string | undefined) {
  const { database, clock, log, isSure, rate, onDelivered, onServer } = options;
  const { host: server, port } = mail.server;
  log.info({ server, port, links: origin !== undefined }, 'Reminders are sent by mail');
  if (origin !== undefined) void warnWithoutKey(options);
  const mailer = createMailer(mail);
  const watch = watchServer({ check: mailer.check, log, onServer });
  const sender = startSender({
    ...{ database, mailer, clock, log, isSure, rate, onDelivered, onServer: watch.note },
    links: () => findLinks(options, origin),
    host: hostOf(mail.from),
  });
  return async () => {
    watch.stop();
    await sender.stop();
  };
}

/**
 * Decides about reminders and sends them by mail. If an administrator sets another mail server, the new one
 * is used from then on. The log says at once whether mail is set up: otherwise people would miss reminders
 * only when something has expired.
 * @returns a function that stops both, and waits for mails in progress
 */
export function startMailing(options: MailingOptions): () => Promise<void> {
  const { database, clock, log, isSure, server, onDecided, onSetUp, demoMailTo, lookMs = 5_000 } = options;
  let used: string | undefined;
  let isSetUp = false;
  let isStopped = false;
  let stopSending = async () => {};

  async function look(): Promise<void> {
    const { mail, origin, problem } = await server.read();
    const found = JSON.stringify({ mail, origin, problem });
    if (isStopped || found === used) return;
    await stopSending();
    stopSending = async () => {};
    [used, isSetUp] = [found, mail !== undefined];
    onSetUp?.(isSetUp);
    if (mail) stopSending = startSending(options, mail, origin);
    else if (problem !== undefined) log.warn({ reason: problem }, 'The settings of mail cannot be used');
    else log.info('Mail is not set up: no reminders are sent until it is (SMTP_URL, or the console)');
  }

  const looking = startLoop(look, lookMs, ({ message }, isFirst) => {
    if (isFirst) log.warn({ reason: message }, 'The settings of mail cannot be read');
  });
  looking.wake();
  const stopReminders = startReminders({
    ...{ database, clock, log, isSure, onDecided, demoMailTo },
    isMailSetUp: () => isSetUp,
  });
  return async () => {
    isStopped = true;
    await looking.stop();
    await Promise.all([stopReminders(), stopSending()]);
  };
}
