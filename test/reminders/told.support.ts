import { newId } from '../../src/domain/rules.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { type Tenant, type TestGateway, testTime } from '../support/gateway.js';
import { openPost, type PostOptions } from './sender.support.js';

/** A step of a test's policy. */
export interface StepValues {
  readonly offsetDays: number;
  readonly repeatEveryDays?: number;
  readonly onlyUnacknowledged?: boolean;
  readonly recipients?: string[];
  readonly addresses?: string[];
}

/** The expiration date for which a step 30 days before is due at the tests' time. */
export const dueDate = '2026-12-20';
export const anna = 'anna@example.org';

/** Returns a step 30 days before that writes to addresses. */
export const to = (...addresses: string[]): StepValues => ({
  offsetDays: -30,
  recipients: ['ADDRESSES'],
  addresses,
});

/** Replaces the steps of a workspace's policy; returns their ids. */
export async function setSteps(
  { database: { prisma } }: TestGateway,
  teamId: string,
  steps: readonly StepValues[],
): Promise<string[]> {
  const { reminderPolicyId } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } });
  const policyId = reminderPolicyId ?? '';
  await prisma.reminderStep.deleteMany({ where: { policyId } });
  const rows = steps.map((step, position) => ({ ...step, id: newId(), policyId, position }));
  await prisma.reminderStep.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

/** Creates an item with a document type of its own. */
export async function makeItem(
  { database: { prisma } }: TestGateway,
  { organizationId, teamId }: Pick<Tenant, 'organizationId' | 'teamId'>,
  values: object = {},
): Promise<string> {
  const [id, categoryId] = [newId(), newId()];
  const place = { organizationId, teamId, created: testTime, modified: testTime };
  await prisma.category.create({ data: { ...place, id: categoryId, name: `Licence ${id}` } });
  const item = { ...place, id, categoryId, name: 'Trade licence', expirationDate: new Date(dueDate) };
  await prisma.expirationItem.create({ data: { ...item, ...values } });
  return id;
}

/** Decides everything due at a given time, from the day before on. */
export async function decide({ database }: TestGateway, at: Date = testTime): Promise<number> {
  const before = new Date(at.getTime() - 86_400_000);
  await database.prisma.reminderMark.updateMany({ data: { through: before, nextAt: before } });
  await database.prisma.reminderCheck.deleteMany();
  return evaluateReminders({ database, clock: () => at, isMailSetUp: () => true });
}

/** Sends queued mails to a mail server until a number of attempts have ended; returns the received mails. */
export async function sendAll(
  { database }: TestGateway,
  tries = 1,
  { at = testTime, ...options }: PostOptions & { readonly at?: Date } = {},
) {
  // The senders use only the database of the world.
  const post = await openPost({ database } as Parameters<typeof openPost>[0], options);
  try {
    await post.send(at.toISOString(), tries);
    return post.sink.taken;
  } finally {
    await post.close();
  }
}
