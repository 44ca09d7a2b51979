import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../db/connection/database.js';
import { silentText } from '../db/queue/silence.js';
import { readTimes } from '../db/queue/time-check.js';
import type { KeySource } from '../db/secrets/secret-key.js';
import { createSecrets } from '../db/secrets/secrets.js';
import { clockText, mostApart } from '../domain/load/clocks.js';
import { obstacleOf, type ReminderObstacle, type WorkersState } from '../domain/reminders/obstacle.js';
import { createMailer, type MailSettings } from '../mail/mailer.js';
import { createMailServer } from '../reminders/mail-server.js';
import { remindersState } from '../reminders/send/queue.js';
import { notSetUp } from '../reminders/shown/mail-door.js';
import { readWorkers } from '../reminders/workers.js';
import { formatDuration } from './terminal/duration.js';

/** Result of a check: the state found, or a warning that stops nothing. */
export type CheckResult = string | { readonly warning: string };

/** Timeout of the mail server in milliseconds. */
const mailTimeoutMs = 20_000;

/**
 * Checks that the mail server accepts a connection and the login.
 * @throws {Error} with the server's message and instructions
 */
export async function checkMail(mail: MailSettings | undefined): Promise<CheckResult> {
  if (!mail) return { warning: `${notSetUp} Until then, no reminders are sent (docs/use/reminders.md).` };
  const { host, port } = mail.server;
  const mailer = createMailer(mail);
  try {
    const late = sleep(mailTimeoutMs, `no response within ${mailTimeoutMs / 1_000} seconds`, { ref: false });
    const problem = await Promise.race([mailer.check(), late]);
    if (problem === undefined) return `${host}:${port} accepts mail from ${mail.from}.`;
    throw new Error(
      `${host}:${port} accepts no mail: ${problem}. Correct SMTP_URL, or make sure that this machine can reach the server.`,
    );
  } finally {
    mailer.close();
  }
}

/**
 * Checks the mail server that is stored in the database, if one is.
 * @param url connection string of a database that may lack migrations
 * @throws {Error} with the server's message and instructions
 */
export async function checkStoredMail(url: string, config: KeySource): Promise<CheckResult> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const environment = { mail: undefined, origin: undefined };
    const { mail, problem } = await createMailServer(database, createSecrets(config), environment).read();
    if (problem !== undefined) throw new Error(problem);
    return await checkMail(mail);
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    return checkMail(undefined);
  } finally {
    await database.close();
  }
}

/**
 * Checks that no time is stored that is ahead of all clocks. The database may lack migrations.
 * @throws {Error} with instructions
 */
export async function checkStoredTimes(url: string, now: Date): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const { stored } = await readTimes(database);
    const ms = Math.min(0, now.getTime() - (stored ?? 0));
    if (-ms <= mostApart) return;
    const text = clockText({ from: 'STORED', ms });
    throw new Error(
      `${text} If this clock is right, workers set back what a wrong one has stored, after ten minutes.`,
    );
  } catch (error) {
    // Missing tables and rights are what other checks are about.
    if (!['42P01', '42501'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await database.close();
  }
}

/** Describes when reminders were last decided. */
function lastDecided({ decidedAt }: WorkersState, now: Date): string {
  if (!decidedAt) return 'Reminders have never been decided.';
  const isRecent = now.getTime() - decidedAt.getTime() < 60_000;
  return `Reminders were last decided ${isRecent ? 'just now' : `${formatDuration(decidedAt, now)} ago`}.`;
}

/** Instructions for administrators, by what prevents reminders from being sent. */
const todo: Readonly<Record<Exclude<ReminderObstacle, 'RESTORED' | 'NO_WORKER' | 'NO_MAIL'>, string>> = {
  MAIL_REFUSED: 'A running worker cannot use the mail server',
  STANDSTILL: 'Workers are running, but have not decided due reminders for ten minutes: see their log.',
};

/**
 * Checks that reminders are decided, as far as the database shows.
 * @param url connection string of a database that may lack migrations
 * @throws {Error} with the problem of the running workers
 */
export async function checkReminders(
  url: string,
  mail: MailSettings | undefined,
  now: Date,
): Promise<CheckResult> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const [workers, { next }] = await Promise.all([readWorkers(database, now), remindersState(database)]);
    const last = lastDecided(workers, now);
    const obstacle = obstacleOf(workers, next, now);
    if (obstacle === null) return last;
    if (obstacle === 'RESTORED') return { warning: silentText };
    if (obstacle === 'NO_WORKER')
      return { warning: `${last} No worker is running now: start \`serve\` or \`worker\`.` };
    if (obstacle === 'NO_MAIL' && !mail)
      return { warning: `${last} The running workers have no mail server.` };
    if (obstacle === 'NO_MAIL')
      throw new Error(`${last} The running workers have no SMTP_URL: restart them with these settings.`);
    const said = obstacle === 'MAIL_REFUSED' ? `: ${workers.mailProblem}.` : '';
    throw new Error(`${last} ${todo[obstacle]}${said}`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    return 'Reminders have never been decided: the database will be migrated at the next start.';
  } finally {
    await database.close();
  }
}
