import type { Database } from '../../db/connection/database.js';
import { prepared } from '../../db/connection/statement.js';
import { notSilent } from '../../db/queue/loop.js';
import { notFrozen } from '../../db/queue/queue.js';
import { beginDays } from '../days/days.js';
import type { DecidedCounts, DecisionOptions } from './decide-items.js';
import { dropChecks, evaluateChecks, evaluateWorkspaces, workOnJob } from './turns.js';
import { planWatched } from './watched.js';

/** Settings of a look for what is due. */
export interface EvaluationOptions extends Pick<DecisionOptions, 'demoMailTo' | 'onFault'> {
  readonly database: Database;
  readonly clock: () => Date;
  /**
   * Returns whether mail can be sent. Without mail and chat channels, nothing is decided; once one is set up,
   * missed reminders are decided.
   */
  readonly isMailSetUp: () => boolean;
  /** Called with the numbers of decided reminders, after each attempt to decide some. */
  readonly onDecided?: ((decided: DecidedCounts) => void) | undefined;
  /** Called if there was more to do than one look does. The next look need not wait. */
  readonly onMore?: (() => void) | undefined;
}

/** The most transactions of one kind in a look. Then the next kind has its turn. */
const maxRounds = 10;

/** Repeats work until nothing is left. Returns whether the rounds of a look were not enough. */
async function repeat(work: () => Promise<boolean>): Promise<boolean> {
  for (let rounds = 0; rounds < maxRounds; rounds++) if (!(await work())) return false;
  return true;
}

/** Returns whether there is a chat channel that could get reminders. */
async function hasChannels(database: Database): Promise<boolean> {
  const text = 'SELECT EXISTS (SELECT FROM channels WHERE is_active) AS found';
  const [row] = await database.query<{ found: boolean }>(prepared('channels.any', { text, values: [] }));
  return row?.found === true;
}

/**
 * Decides everything that is due now: jobs, new days, changed items, and slots.
 * @returns the number of reminders to send
 */
export async function evaluateReminders(options: EvaluationOptions): Promise<number> {
  const { database, clock, isMailSetUp, onDecided, onMore } = options;
  let [told, hasMore] = [0, false];
  for (const work of [workOnJob, beginDays]) {
    hasMore = (await repeat(() => work(database, clock(), options))) || hasMore;
  }
  if (!isMailSetUp() && !(await hasChannels(database))) {
    await dropChecks(database);
    if (hasMore) onMore?.();
    return 0;
  }
  if (isMailSetUp()) hasMore = (await repeat(() => planWatched(database, clock(), options))) || hasMore;
  for (const evaluate of [evaluateChecks, evaluateWorkspaces]) {
    const work = async () => {
      const evaluated = await evaluate(database, clock(), options);
      told += evaluated.told;
      onDecided?.(evaluated);
      return evaluated.worked;
    };
    hasMore = (await repeat(work)) || hasMore;
  }
  if (hasMore) onMore?.();
  return told;
}

const canDecide = (row: string) => `${notFrozen(row).text} AND ${notSilent.text}`;

/** Returns whether something can still be decided up to a given time. */
async function isDue(database: Database, until: Date): Promise<boolean> {
  const [row] = await database.query<{ due: boolean }>(
    prepared('reminders.is_due', {
      text: `SELECT EXISTS (SELECT FROM reminder_marks AS mark WHERE next_at <= $1 AND ${canDecide('mark')})
        OR EXISTS (SELECT FROM reminder_checks AS first WHERE ${canDecide('first')}) AS due`,
      values: [until],
    }),
  );
  return row?.due === true;
}

/**
 * Decides everything that came due up to a given time, as a running gateway would. It may run beside others.
 * @param demoMailTo address for all reminders of the demo; without it, they are not decided
 * @returns the number of reminders to send
 */
export async function catchUp(
  database: Database,
  until: Date,
  demoMailTo: string | undefined,
): Promise<number> {
  let told = 0;
  do {
    told += await evaluateReminders({ database, clock: () => until, isMailSetUp: () => true, demoMailTo });
  } while (await isDue(database, until));
  return told;
}
