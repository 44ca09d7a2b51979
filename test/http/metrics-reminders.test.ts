import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { familiesOf } from '../support/exposition.js';
import { startGateway, testTime } from '../support/gateway.js';
import { addWorker } from '../support/workers.js';

const before = (seconds: number) => new Date(testTime.getTime() - seconds * 1_000);

const names = [
  'gateway_deliveries_queue',
  'gateway_reminder_lag_seconds',
  'gateway_delivery_oldest_age_seconds',
  'gateway_mail_configured',
  'gateway_workers_running',
  'gateway_reminders_decided_age_seconds',
  'gateway_database_silent',
];

async function scrape(settings: Record<string, string>, worker?: Parameters<typeof addWorker>[1]) {
  const gateway = await startGateway(settings);
  try {
    if (worker) await addWorker(gateway.database, worker);
    const { prisma } = gateway.database;
    const { organizationId, teamId } = gateway;
    await prisma.reminderMark.updateMany({ data: { nextAt: before(-60) } });
    await prisma.reminderMark.updateMany({ where: { teamId }, data: { nextAt: before(90) } });
    const delivery = {
      organizationId,
      teamId,
      kind: 'MAIL',
      subjectKind: 'item',
      address: 'a@example.org',
    } as const;
    await prisma.delivery.createMany({
      data: [
        { ...delivery, id: newId(), dedupeKey: 'due', dueAt: before(-20), firstTriedAt: before(40) },
        { ...delivery, id: newId(), dedupeKey: 'digest', dueAt: before(-3_600) },
        { ...delivery, id: newId(), dedupeKey: 'sent', dueAt: null, state: 'SENT' },
      ],
    });
    const { text } = await gateway.send('GET', '/metrics', { token: null });
    const families = familiesOf(text);
    return names.map((name) => families.get(name)?.samples[0]?.value);
  } finally {
    await gateway.close();
  }
}

test('where mail is set up, metrics tell what waits, and how late decisions are', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'expiry@example.com' };
  expect(await scrape(mail)).toEqual([2, 90, 40, 1, 0, undefined, 0]);
});

test('where it is not, that nothing is decided is no fault, and metrics tell that it is not', async () => {
  expect(await scrape({})).toEqual([undefined, undefined, undefined, 0, 0, undefined, 0]);
});

test('what workers elsewhere have and do counts more than the settings of this process', async () => {
  const worker = { started_at: before(900), seen_at: before(5), decided_at: before(300), has_mail: true };
  expect((await scrape({}, worker)).slice(3)).toEqual([1, 1, 300, 0]);
});
