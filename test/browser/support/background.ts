import { pino } from 'pino';
import { evaluateTurns } from '../../../src/compliance/turns.js';
import { startImports } from '../../../src/csv/start-jobs.js';
import { schema } from '../../../src/graphql/schema.js';
import { evaluateReminders } from '../../../src/reminders/evaluate/evaluation.js';
import type { TestGateway } from '../../support/gateway.js';

/** A gateway's database and its clock. */
type Timed = Pick<TestGateway, 'database' | 'clock'>;

/** Reads and runs imports at the gateway's time. Returns what stops it. */
export const importAtGatewayTime = ({ database, clock }: Timed): (() => Promise<void>) =>
  startImports({
    ...{ database, clock: () => clock.now, log: pino({ level: 'silent' }), pollMs: 50 },
    loadSchema: async () => schema,
  });

/** Evaluates the compliance of what has changed, as two workers at once do. */
export async function evaluateCompliance({ database, clock }: Timed): Promise<void> {
  const one = () => evaluateTurns(database, () => clock.now);
  await Promise.all([one(), one()]);
}

/** Decides which mails are due. */
export async function decideReminders({ database, clock }: Timed): Promise<void> {
  const { now } = clock;
  while ((await evaluateReminders({ database, clock: () => now, isMailSetUp: () => true })) > 0);
}
