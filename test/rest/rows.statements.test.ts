import { expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';

const gateway = useGateway();

/** Creates some records of each kind that has a list. */
async function fill(count: number): Promise<void> {
  const { organizationId, teamId, userId } = gateway;
  const { prisma } = gateway.database;
  const rows = () =>
    Array.from({ length: count }, () => ({ id: newId(), organizationId, teamId, name: newId() }));
  const categories = rows();
  await prisma.category.createMany({ data: categories });
  await prisma.contactType.createMany({ data: rows() });
  await prisma.location.createMany({ data: rows() });
  const contacts = rows().map((row) => ({ ...row, email: `${row.id}@example.com`, assignedToId: userId }));
  await prisma.contact.createMany({ data: contacts });
  await prisma.vehicle.createMany({ data: rows() });
  await prisma.tag.createMany({ data: rows() });
  const people = contacts.map(({ id }) => ({ primaryContactId: id, assignedToId: userId }));
  await prisma.company.createMany({ data: rows().map((row, i) => ({ ...row, ...people[i] })) });
  const notes = rows();
  await prisma.note.createMany({ data: notes });
  await prisma.noteRelation.createMany({
    data: notes.map(({ id }) => ({ noteId: id, entityId: newId(), entityType: 3, position: 0 })),
  });
  const expirationDate = new Date('2027-01-31');
  const items = rows().map((row, i) => ({ ...row, expirationDate, categoryId: categories[i]?.id ?? '' }));
  await prisma.expirationItem.createMany({ data: items });
  await prisma.expirationItemContact.createMany({
    data: items.flatMap(({ id: itemId }, i) => [
      { itemId, contactId: contacts[i]?.id ?? '', position: 0 },
      { itemId, contactId: owner, position: 1 },
    ]),
  });
  renewed ??= items[0]?.id ?? '';
  const of = { organizationId, teamId, itemId: renewed, expirationDate, userId };
  await prisma.renewal.createMany({ data: items.map(() => ({ ...of, id: newId() })) });
  const files = items.map(({ id: itemId, name }) => ({ id: newId(), organizationId, teamId, itemId, name }));
  await prisma.attachment.createMany({
    data: files.map((file) => ({ ...file, contentLength: 1, position: 0 })),
  });
  const content = new Uint8Array([1]);
  await prisma.attachmentContent.createMany({ data: files.map(({ id }) => ({ attachmentId: id, content })) });
  await prisma.uploadNotification.createMany({
    data: files.map(({ id: attachmentId, itemId: expirationItemId }) => ({
      ...{ id: newId(), organizationId, teamId, dedupeKey: newId() },
      ...{ attachmentId, expirationItemId, state: 'FILED' as const },
    })),
  });
  await fillReminders(count);
}

/** Creates some policies with steps, and mails. */
async function fillReminders(count: number): Promise<void> {
  const { organizationId, teamId } = gateway;
  const { prisma } = gateway.database;
  const ids = Array.from({ length: count }, () => newId());
  const policies = ids.map((id) => ({ id, organizationId, teamId, name: id }));
  await prisma.reminderPolicy.createMany({ data: policies });
  const steps = ids.map((policyId) => ({ id: newId(), policyId, position: 0, offsetDays: -7 }));
  await prisma.reminderStep.createMany({ data: steps });
  const mail = {
    organizationId,
    teamId,
    kind: 'MAIL' as const,
    subjectKind: 'item',
    subjectId: renewed ?? null,
  };
  await prisma.delivery.createMany({
    data: ids.map((id) => ({ ...mail, id, dedupeKey: id, address: `${id}@example.com` })),
  });
}

/** The item whose renewals are listed. */
let renewed: string | undefined;

const owner = newId();
const lists = [
  'expirationitems?',
  'expirationitems?includeFileContent=true&',
  'expirationitems?status=current&expiresWithinDays=9&',
  `expirationitems/contact/${owner}?`,
  'expirationitems/{renewed}/renewals?',
  'attachments/expirationitem?',
  'attachments/expirationitem?includeFileContent=false&',
  'attachments/search?',
  ...[
    'vehicles?',
    'categories?',
    'companies?',
    'contacts?',
    'contacttypes?',
    'locations?',
    'notes?',
    'tags?',
    'teams?',
    'eventlogs?',
  ],
  'uploads?',
  'reminderpolicies?',
  'deliveries?',
];

test.each([
  ['deliveries', ['deliveries.count', 'deliveries.list + expiration_items']],
  ['reminderpolicies', ['reminder_policies.count', 'reminder_policies.list', 'reminder_steps.find']],
])('%s are listed by so many statements', async (list, expected) => {
  const sent = await namesOf(gateway, () => gateway.send('GET', `/v1/${list}`));
  expect(sent.sort()).toEqual(expected);
});

test('a record takes one statement, with the user it shows', async () => {
  const body = { name: 'Acme', assigned_to: { id: gateway.userId } };
  const { json } = await gateway.send('POST', '/v1/companies', { body });
  const sent = await namesOf(gateway, () => gateway.send('GET', `/v1/companies/${json.id}`));
  expect(sent).toEqual(['companies.get + users']);
});

test('no list takes more statements for 100 records than for 10', async () => {
  const { organizationId, teamId } = gateway;
  const data = { id: owner, organizationId, teamId, email: 'owner@example.com' };
  await gateway.database.prisma.contact.create({ data });
  const counts = async () => {
    const sent: Record<string, number> = {};
    for (const list of lists) {
      const path = `/v1/${list.replace('{renewed}', renewed ?? '')}paging=100`;
      const names = (part: string) =>
        namesOf(gateway, async () => {
          expect((await gateway.send('GET', `${path}&${part}`)).status).toBe(200);
        });
      sent[list] = (await names('page=1')).length;
      // Cursors take no statement of their own.
      expect((await names('cursor=')).length, list).toBe(sent[list]);
    }
    return sent;
  };
  await fill(10);
  const few = await counts();
  await fill(90);
  expect(await counts()).toEqual(few);
});
