import { signal } from '@preact/signals';
import { RemindersSent } from '../generated/operations/health';
import type { ReminderObstacle, RemindingFragment } from '../generated/types';
import { request } from './client';

/** Obstacles to reminders, as the gateway last reported them. Undefined before the first report. */
export const reminding = signal<RemindingFragment | undefined>(undefined);

/** Reason why a reminder is not sent: an obstacle, or a workspace of the demo. */
export type UnsentReason = ReminderObstacle | 'DEMO';

/** Milliseconds after which the gateway is asked again. */
const againMs = 30_000;

/**
 * Returns the reason why no reminder is sent; undefined if reminders are sent.
 * @param teamId workspace of the reminder; any, if left out
 */
export function unsentReason(teamId?: string): UnsentReason | undefined {
  const { obstacle, silentTeamIds = [] } = reminding.value ?? {};
  if (obstacle) return obstacle;
  return teamId !== undefined && silentTeamIds.includes(teamId) ? 'DEMO' : undefined;
}

/** Asks the gateway for the obstacles, as after a change of the mail server. */
export async function askReminding(): Promise<void> {
  const outcome = await request(RemindersSent, {});
  if (outcome.ok) reminding.value = outcome.data.reminderHealth;
}

/** Polls the obstacles while the page is visible, as no live change reports them. @returns what ends it */
export function followReminding(): () => void {
  const look = () => {
    if (document.visibilityState !== 'hidden') void askReminding();
  };
  const timer = setInterval(look, againMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
