import type { Logger } from 'pino';
import { despiteDeadlocks } from '../db/connection/transaction.js';
import { onlyWhen, startLoop, type TimeGate } from '../db/queue/loop.js';
import { type Keep, type QueueWorkerSettings, startQueueWorker, together } from '../db/queue/queue.js';
import { SecretKeyError, type Secrets } from '../db/secrets/secrets.js';
import type { AskingSettings } from '../domain/document-requests.js';
import { atMost } from '../domain/load/at-most.js';
import { createRate } from '../domain/load/quota.js';
import { endsWithGreeting } from '../domain/reminders/smtp-replies.js';
import { createMailer, hostOf, type Mailer, type MailSettings, type SendResult } from '../mail/mailer.js';
import { type RequestOptions, startRequests } from '../requests/worker.js';
import { type EvaluationOptions, evaluateReminders } from './evaluate/evaluation.js';
import type { MailServer } from './mail-server.js';
import { composeMail, type LinkMaker } from './send/compose.js';
import {
  type Accepted,
  type ClaimedDelivery,
  claimDeliveries,
  settleDelivery,
  settleSent,
} from './send/queue.js';

/** Settings of the decisions about reminders. */
interface ReminderOptions extends Omit<EvaluationOptions, 'onFault' | 'onMore'> {
  readonly log: Logger;
  /** Returns whether the time is sure. While it is not, nothing is decided. */
  readonly isSure?: TimeGate | undefined;
  /** Milliseconds between two looks. */
  readonly tickMs?: number;
}

/**
 * Decides what is due at an interval. Any number of processes may do so: locks and the ledger's unique key
 * prevent duplicate reminders.
 * @returns a function that stops it, and waits for a look in progress
 */
function startReminders(options: ReminderOptions): () => Promise<void> {
  const { log, tickMs = 1_000 } = options;
  const onFault = (err: Error, teamId: string) =>
    log.error({ err, teamId }, 'reminders of a workspace cannot be decided');
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'reminders cannot be decided');
  const onMore = () => loop.wake();
  const look = onlyWhen(options.isSure, () => evaluateReminders({ ...options, onFault, onMore }));
  const loop = startLoop(look, tickMs, onError);
  return loop.stop;
}

/** Outcomes of an attempt to deliver. */
export const deliveryOutcomes = ['sent', 'cancelled', 'retried', 'failed', 'refused', 'lost'] as const;

/** Outcome of an attempt to deliver. */
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Called with each attempt to deliver, with its milliseconds. */
export type OnDelivered = (outcome: DeliveryOutcome, ms: number) => void;

/** Settings of a sender. */
interface SenderOptions extends QueueWorkerSettings {
  readonly mailer: Mailer;
  /** Host of message ids: that of the sender's address. */
  readonly host: string;
  /** Returns the maker of links; undefined if mails have none. */
  readonly links: () => Promise<LinkMaker | undefined>;
  /** Maximum mails per second. */
  readonly rate: number;
  readonly asking?: AskingSettings | undefined;
  readonly onDelivered?: OnDelivered | undefined;
  /** Called after each attempt with what the mail server made of it. */
  readonly onResult?: ((result: SendResult) => void) | undefined;
}

/** Sends mails until it is stopped. */
export interface Sender {
  /** Claims no more mails, and waits for those in progress. Mails that a server has accepted are settled. */
  stop(): Promise<void>;
}

/**
 * Creates the result for a mail whose links this process cannot create. Another process may, or this one with
 * the right settings.
 */
function withoutKey(error: unknown): SendResult {
  if (!(error instanceof SecretKeyError)) throw error;
  const { message: reason } = error;
  const about = { statusCode: undefined, isServerFault: false };
  return { outcome: 'failed', reason, failure: 'MAIL_LINKS_UNAVAILABLE', ...about };
}

/** The means by which mails share the connections to the database. */
interface Sharing {
  /** Lets mails be written, a few at a time, so that requests find a connection. */
  readonly toCompose: ReturnType<typeof atMost>;
  /**
   * Lets mails be sent, one on each connection to the mail server. The next one follows once it is settled, so that no more
   * than these are sent twice if the process is killed.
   */
  readonly toSend: ReturnType<typeof atMost>;
  /** Settles a mail that was accepted, with those that are accepted meanwhile. */
  readonly settle: (accepted: Accepted) => Promise<void>;
}

/** The most mails that are written at once, each on a connection to the database. */
const composedAtOnce = 6;

/** Sends one claimed mail, and stores the result. */
async function deliver(
  options: SenderOptions,
  { toCompose, toSend, settle }: Sharing,
  delivery: ClaimedDelivery,
  keep: Keep,
): Promise<DeliveryOutcome> {
  const { database, mailer, clock } = options;
  const store = (result: SendResult) => {
    const now = clock();
    return keep(() =>
      toCompose(() => database.inTransaction((tx) => settleDelivery(tx, delivery, result, now))),
    );
  };
  const links = await options.links();
  const compose = () =>
    database.inTransaction((tx) => composeMail(tx, delivery, links, clock(), options.asking));
  const message = await toCompose(() => despiteDeadlocks(compose)).catch(withoutKey);
  if (!message) return 'cancelled';
  if ('outcome' in message) return store(message);
  const sent = await toSend(async () => {
    const result = await mailer.send(message, clock());
    options.onResult?.(result);
    const accepted = { delivery, at: clock() };
    // What cannot be settled at once keeps no other mail from its place.
    const isSettled =
      result.outcome === 'sent' &&
      (await settle(accepted).then(
        () => true,
        () => false,
      ));
    return { result, accepted, isSettled };
  });
  if (sent.result.outcome !== 'sent') return store(sent.result);
  if (!sent.isSettled) await keep(() => settle(sent.accepted));
  return 'sent';
}

/**
 * Starts sending due mails. Any number of processes can: each mail belongs to one at a time. If a process is
 * killed between the server's answer and its own commit, or loses the database for longer than its lease, the same mail
 * may be sent twice, with one message id.
 */
export function startSender(options: SenderOptions): Sender {
  const { database, host, mailer } = options;
  const sharing: Sharing = {
    toCompose: atMost(composedAtOnce),
    toSend: atMost(mailer.connections),
    settle: together((accepted) =>
      despiteDeadlocks(() => database.inTransaction((tx) => settleSent(tx, accepted))),
    ),
  };
  const sending = startQueueWorker<ClaimedDelivery, DeliveryOutcome>({
    // A mail cannot be taken back: a process that only pauses must not lose it to another.
    // While some are being sent, the next are written.
    ...{ concurrency: 2 * mailer.connections, leaseMs: 120_000, ...options, onTried: options.onDelivered },
    ...{ table: 'deliveries', jobs: 'mails', unstored: 'lost' },
    rate: createRate(options.rate, () => performance.now()),
    claim: (claim) => claimDeliveries(database, { ...claim, host }),
    work: (delivery, _signal, keep) => deliver(options, sharing, delivery, keep),
  });
  return {
    async stop() {
      await sending.stop();
      mailer.close();
    },
  };
}

/** Settings of a watch over the mail server. */
interface ServerWatchOptions {
  /** Connects and signs in; returns the problem, or undefined. */
  readonly check: () => Promise<string | undefined>;
  readonly log: Logger;
  /** Called after each attempt with the mail server's problem; undefined if there is none. */
  readonly onServer?: ((problem: string | undefined) => void) | undefined;
  /** Milliseconds until a failing server is checked again. */
  readonly againMs?: number;
  /** Milliseconds without a mail after which the server is checked. */
  readonly idleMs?: number;
  /** Milliseconds after which a refusal is forgotten, if no mail was refused since. */
  readonly forgetMs?: number;
}

/** A monitor of the mail server. */
interface ServerWatch {
  /** Records the result of a mail. */
  note(result: SendResult): void;
  stop(): void;
}

/**
 * Milliseconds for which a refusal counts without another one. A mail that was refused is tried again within half an
 * hour, so that after this time none waits any more.
 */
const refusalMs = 3_600_000;

/**
 * Monitors whether the mail server accepts mail. It checks the server at the start, repeatedly while it
 * fails, and when no mail has been sent for a while, so that a changed password is found before the next
 * reminder is due. A server that refuses mail still answers greetings, so only an accepted mail shows that it does so no
 * more. The log shows when the server starts to fail and when it is back, but not each waiting mail.
 */
export function watchServer(options: ServerWatchOptions): ServerWatch {
  const { check, log, onServer, againMs = 30_000, idleMs = 300_000, forgetMs = refusalMs } = options;
  let unanswered: string | undefined;
  let refusal: { readonly reason: string; readonly at: number } | undefined;
  let isUp = true;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function tell(): void {
    if (isStopped) return;
    const problem = unanswered ?? refusal?.reason;
    if (isUp && problem !== undefined) log.warn({ reason: problem }, 'The mail server accepts no mail');
    if (!isUp && problem === undefined) log.info('The mail server accepts mail again');
    isUp = problem === undefined;
    onServer?.(problem);
    clearTimeout(timer);
    timer = setTimeout(greet, isUp ? idleMs : againMs);
  }
  async function greet(): Promise<void> {
    unanswered = await check();
    if (refusal && performance.now() - refusal.at >= forgetMs) refusal = undefined;
    tell();
  }
  void greet();
  return {
    note(result) {
      unanswered = undefined;
      if (result.outcome === 'sent') refusal = undefined;
      else if (result.outcome === 'failed' && result.isServerFault) {
        if (endsWithGreeting(result.failure)) unanswered = result.reason;
        else refusal = { reason: result.reason, at: performance.now() };
      }
      tell();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

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
interface MailingOptions extends MailingEvents, RequestOptions {
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
  const { database, clock, log, isSure, rate, asking, onDelivered, onServer } = options;
  const { host: server, port } = mail.server;
  log.info({ server, port, links: origin !== undefined }, 'Reminders are sent by mail');
  if (origin !== undefined) void warnWithoutKey(options);
  const mailer = createMailer(mail, rate);
  const watch = watchServer({ check: mailer.check, log, onServer });
  const sender = startSender({
    ...{ database, mailer, clock, log, isSure, rate, asking, onDelivered, onResult: watch.note },
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
  const stopRequests = startRequests(options, () => isSetUp);
  return async () => {
    isStopped = true;
    await looking.stop();
    await Promise.all([stopReminders(), stopRequests(), stopSending()]);
  };
}
