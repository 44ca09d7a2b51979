/** State of all workers that matters to reminders. */
export interface WorkersState {
  /** True while the database is silent, because it was restored. */
  readonly isSilent: boolean;
  /** Number of workers that have reported within the last minute. */
  readonly running: number;
  /** Time of the last report of any worker. */
  readonly seenAt: Date | null;
  /** Time at which any worker last looked for reminders that are due. */
  readonly decidedAt: Date | null;
  /** Time since which no running worker with mail has looked for due reminders. A new one counts from its start. */
  readonly idleSince: Date | null;
  /** True if a running worker has a mail server; null when none runs. */
  readonly hasMail: boolean | null;
  /** True if a running worker has `DEMO_MAIL_TO`; null when none runs. */
  readonly hasDemoMail: boolean | null;
  /** Problem of the mail server at the last attempt; null if it accepted the mail. */
  readonly mailProblem: string | null;
}

/** Obstacles to sending reminders. Those that hide others come first. */
export const reminderObstacles = ['RESTORED', 'NO_WORKER', 'NO_MAIL', 'MAIL_REFUSED', 'STANDSTILL'] as const;

/** Obstacle that keeps reminders from being sent. */
export type ReminderObstacle = (typeof reminderObstacles)[number];

/** Milliseconds of delay from which decisions count as standing still. */
export const standstillMs = 600_000;

/**
 * Returns the obstacle that prevents reminders from being sent, if any.
 * @param lateSince time since when decisions of some workspace are late or failing; null if none are
 */
export function obstacleOf(
  { isSilent, running, hasMail, mailProblem, idleSince }: WorkersState,
  lateSince: Date | null,
  now: Date,
): ReminderObstacle | null {
  if (isSilent) return 'RESTORED';
  if (running === 0) return 'NO_WORKER';
  if (!hasMail) return 'NO_MAIL';
  if (mailProblem !== null) return 'MAIL_REFUSED';
  const standsStill = (since: Date | null) =>
    since !== null && now.getTime() - since.getTime() >= standstillMs;
  return standsStill(lateSince) || standsStill(idleSince) ? 'STANDSTILL' : null;
}
