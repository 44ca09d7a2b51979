import { pino } from 'pino';
import { evaluateTurns } from '../../../src/compliance/turns.js';
import { startImports } from '../../../src/csv/start-jobs.js';
import type { EnumOf } from '../../../src/db/sql/conditions.js';
import { newId } from '../../../src/domain/rules.js';
import { schema } from '../../../src/graphql/schema.js';
import type { TestGateway } from '../../support/gateway.js';

/** Deliveries as they look after some weeks: their outcomes, with the reasons in the gateway's words. */
const outcomes: readonly (readonly [EnumOf<'DeliveryState'>, string, string | null])[] = [
  ['SENT', 'emma.fischer@demo.example', null],
  ['SENT', 'luca.rossi@demo.example', null],
  [
    'FAILED',
    'left-long-ago@demo.example',
    'The mail server refused the address: 550 5.1.1 No such user here.',
  ],
  ['QUEUED', 'full-mailbox@demo.example', 'The mail server asks to wait: 452 4.2.2 Mailbox full.'],
  ['SUPPRESSED', 'quiet@demo.example', 'The address was unsubscribed.'],
  ['CANCELLED', 'emma.fischer@demo.example', 'The item was renewed meanwhile.'],
  ['SENT', 'a-rather-long-name.of-somebody@subsidiary.of-a-customer.example', null],
];

/** Stores deliveries in each state for the items of a workspace, as a sender would leave them. */
export async function addDeliveries({ database: { prisma }, organizationId, clock }: TestGateway) {
  const items = await prisma.expirationItem.findMany({
    where: { organizationId },
    orderBy: { name: 'asc' },
    take: outcomes.length,
  });
  const ago = (hours: number) => new Date(clock.now.getTime() - hours * 3_600_000);
  const data = outcomes.map(([state, address, lastError], at) => {
    const item = items[at % items.length];
    if (!item) throw new Error('There is no item to tell of.');
    const isOpen = state === 'QUEUED';
    return {
      id: newId(),
      organizationId,
      teamId: item.teamId,
      kind: 'MAIL' as const,
      dedupeKey: `console: ${at}`,
      subjectKind: 'item',
      subjectId: item.id,
      address,
      state,
      lastError,
      attempts: isOpen ? 2 : 1,
      dueAt: isOpen ? ago(-1) : null,
      created: ago(at * 7 + 2),
      settledAt: isOpen ? null : ago(at * 7 + 1),
    };
  });
  await prisma.delivery.createMany({ data });
}

/** A hostile name: a page must show it as text, and one of its words is wider than a phone. */
export const hostileName = `<img src=x onerror=alert(1)> ${'Long'.repeat(25)}`;

/** Ids of one record of each kind, all with the hostile name. */
export type HostileIds = Readonly<
  Record<
    | 'item'
    | 'contact'
    | 'company'
    | 'location'
    | 'vehicle'
    | 'type'
    | 'requirement'
    | 'policy'
    | 'upload'
    | 'request'
    | 'import',
    string
  >
>;

const create = `mutation($item: CreateExpirationItemInput!, $contact: CreateContactInput!, $company: CreateCompanyInput!,
  $location: CreateLocationInput!, $vehicle: CreateVehicleInput!, $type: CreateCategoryInput!,
  $policy: CreateReminderPolicyInput!, $requirement: CreateRequirementInput!, $request: CreateDocumentRequestInput!) {
  type: createCategory(input: $type) { id } policy: createReminderPolicy(input: $policy) { id }
  requirement: createRequirement(input: $requirement) { id }
  location: createLocation(input: $location) { id } contact: createContact(input: $contact) { id }
  company: createCompany(input: $company) { id } vehicle: createVehicle(input: $vehicle) { id }
  item: createExpirationItem(input: $item) { id } request: createDocumentRequest(input: $request) { id } }`;

/** Creates a record of each kind with the hostile name, and gives the name to people and workspaces, too. */
export async function addHostile(gateway: TestGateway): Promise<HostileIds> {
  const { organizationId } = gateway;
  const { prisma } = gateway.database;
  const name = hostileName;
  const today = gateway.clock.now.toISOString().slice(0, 10);
  const locationId = newId();
  const contactId = newId();
  const vehicleId = newId();
  const email = 'hostile@example.com';
  const typeId = newId();
  const { data, errors } = await gateway.graphql(create, {
    type: { id: typeId, name, customFields: [{ name }] },
    requirement: { name, holderKind: 'VEHICLE', anyOf: [typeId] },
    request: {
      ...{ categoryId: typeId, holderKind: 'VEHICLE', holderId: vehicleId, recipientId: contactId },
      ...{ message: name, dueOn: today },
    },
    policy: { name, steps: [{ offsetDays: -7 }, { offsetDays: 0, repeatEveryDays: 7 }] },
    location: { id: locationId, name },
    contact: { id: contactId, name, email, phone: name, locationId, customFields: [{ name, value: name }] },
    company: { name, doingBusinessAs: name, city: name, website: name, primaryContactId: contactId },
    vehicle: {
      id: vehicleId,
      name,
      licensePlate: name,
      make: name,
      model: name,
      locationId,
      assignedToContactId: contactId,
    },
    item: {
      name,
      expirationDate: today,
      categoryName: name,
      contactId,
      locations: [{ id: locationId }],
      holders: [{ kind: 'VEHICLE', id: vehicleId }],
    },
  });
  if (errors) throw new Error(JSON.stringify(errors));
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  const upload = await prisma.uploadNotification.findFirstOrThrow({ where: { organizationId } });
  await prisma.uploadNotification.update({
    where: { id: upload.id },
    data: { filename: name, suggestedFrom: name, error: name },
  });
  await prisma.delivery.updateMany({ where: { organizationId }, data: { lastError: name } });
  await prisma.user.updateMany({ where: { organizationId }, data: { name } });
  await prisma.organization.update({ where: { id: organizationId }, data: { name } });
  await prisma.team.updateMany({ where: { organizationId, name: 'Demo branch' }, data: { name } });
  await prisma.accessToken.updateMany({ where: { organizationId, role: 'MEMBER' }, data: { name } });
  const made = Object.entries(data as Record<string, { id: string }>).map(([kind, { id }]) => [kind, id]);
  const headers = { 'Content-Type': 'text/csv' };
  const file = `name,expiration_date\n${name},soon\n`;
  const { json } = await gateway.send('POST', '/v1/imports?kind=items', { headers, raw: file });
  return { ...Object.fromEntries(made), upload: upload.id, import: json.id };
}

/** A name that a page must replace by words. */
export const unseenName = '\u202e\u200b\u3164';

/** Takes the names of records away, as they may be in a database of an earlier version. */
export async function hideNames(gateway: TestGateway, ids: HostileIds): Promise<void> {
  const { prisma } = gateway.database;
  const data = { name: unseenName };
  const mutation = `mutation($id: ID!, $name: String!) {
    tag: createTag(input: { name: "Hidden" }) { id }
    file: addAttachment(itemId: $id, input: { name: $name, contentType: "application/pdf", content: "JVBERi0=" }) { id } }`;
  const made = await gateway.graphql(mutation, { id: ids.item, name: unseenName });
  if (made.errors) throw new Error(JSON.stringify(made.errors));
  const tagged = await gateway.graphql(
    'mutation($id: ID!, $tag: ID!) { updateExpirationItem(id: $id, input: { tags: [{ id: $tag }] }) { id } }',
    { id: ids.item, tag: made.data.tag.id },
  );
  if (tagged.errors) throw new Error(JSON.stringify(tagged.errors));
  await prisma.tag.update({ where: { id: made.data.tag.id }, data });
  await prisma.expirationItem.update({ where: { id: ids.item }, data });
  await prisma.category.update({ where: { id: ids.type }, data });
  await prisma.contact.update({ where: { id: ids.contact }, data });
  await prisma.company.update({ where: { id: ids.company }, data: { ...data, doingBusinessAs: null } });
  await prisma.location.update({ where: { id: ids.location }, data });
  await prisma.reminderPolicy.update({ where: { id: ids.policy }, data });
  await prisma.requirement.update({ where: { id: ids.requirement }, data });
  await prisma.vehicle.update({ where: { id: ids.vehicle }, data: { ...data, licensePlate: null } });
  await prisma.uploadNotification.update({ where: { id: ids.upload }, data: { filename: unseenName } });
}

/** Reads imports in the background, as a serving process does. Returns the function that ends it. */
export const readImports = ({ database }: TestGateway): (() => Promise<void>) =>
  startImports({
    database,
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
    pollMs: 50,
    loadSchema: async () => schema,
  });
