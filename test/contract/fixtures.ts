import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { resources as declarations } from '../../src/graphql/resources.js';
import type { Endpoints } from '../../src/records/declare/endpoints.js';
import { memberName } from '../../src/web/parameters.js';
import type { Tenant, TestGateway, TestRequest, TestResponse } from '../support/gateway.js';
import { answerSchemaOf, bodySchemaOf, document } from '../support/openapi.js';
import { typeOf } from './models.js';
import type { Below } from './rows.js';

/** A record, or a body, in the contract's names. */
// biome-ignore lint/suspicious/noExplicitAny: a record holds whatever its model says.
export type Body = Record<string, any>;

/** An organization's admin at a gateway. */
export interface Caller {
  readonly gateway: TestGateway;
  readonly tenant: Tenant;
}

/** Sends a request as a caller. */
export function send(
  { gateway, tenant }: Caller,
  method: string,
  path: string,
  request: TestRequest = {},
): Promise<TestResponse> {
  return gateway.send(method, path, { token: tenant.admin, ...request });
}

/** Sends a request that must be answered with a record. */
async function write(caller: Caller, method: string, path: string, body: Body): Promise<Body> {
  const response = await send(caller, method, path, { body });
  expect(response.status, `${method} ${path}: ${response.text}`).toBe(method === 'POST' ? 201 : 200);
  return response.json;
}

let count = 0;

/** Returns a text that no other record has. */
export const fresh = (what: string) => `${what} ${++count}`;

/** What a row needs of its resource. */
export interface Resource {
  /** A body with a value for every member that callers write, other than its default. */
  full(caller: Caller): Promise<Body>;
  /** Creates a record of a full body. */
  store(caller: Caller, body: Body): Promise<Body>;
  /** The members that no two records share, as decided; the first is compared without case. */
  readonly unique?: readonly string[];
  /** Whether a whole organization has the records, whatever the workspace. */
  readonly shared?: true;
  /** Makes something that keeps a record from being deleted, and tells how a 409 names it. */
  hold?(caller: Caller, record: Body): Promise<string>;
}

/** Creates a record with a value for every member, but for those that are given. */
export async function make(caller: Caller, resource: Resource, members: Body = {}): Promise<Body> {
  return resource.store(caller, { ...(await fullBody(caller, resource)), ...members });
}

/** Values of members that are declared, and that no resource below names. */
const samples: Readonly<Record<string, () => unknown>> = {
  string: () => fresh('Sample'),
  'integer (int32)': () => ++count,
  'number (double)': () => ++count + 0.5,
};

/** Returns a body with a value for every member: what the resource has, and samples of what is declared besides. */
export async function fullBody(caller: Caller, resource: Resource): Promise<Body> {
  const [name] = Object.entries(resources).find(([, known]) => known === resource) ?? [];
  const create = document.paths[`/v1/${name}`]?.post;
  const [shown, taken] = [answerSchemaOf(create)?.properties, bodySchemaOf(create)?.properties ?? {}];
  const body = await resource.full(caller);
  for (const [member, part] of Object.entries(shown ?? {})) {
    if (!(member in taken) || member in body) continue;
    const type = typeOf(part);
    // Records are in use, and not archived, unless it is said.
    if (type === 'boolean') body[member] = member !== 'is_active';
    else if (samples[type]) body[member] = samples[type]();
  }
  return body;
}

const shared = new WeakMap<Caller, Map<Resource, Promise<Body>>>();

/** Returns a record with a value for every member, for others to point at. */
function some(caller: Caller, resource: Resource): Promise<Body> {
  const made = shared.get(caller) ?? new Map<Resource, Promise<Body>>();
  const record = made.get(resource) ?? make(caller, resource);
  shared.set(caller, made.set(resource, record));
  return record;
}

const posted = (path: string) => (caller: Caller, body: Body) => write(caller, 'POST', path, body);

const assignee = ({ tenant }: Caller) => ({ id: tenant.userId });
/** Ids that are kept as sent. */
const kept = (...members: string[]) => Object.fromEntries(members.map((member) => [member, randomUUID()]));
const customFields = [{ name: 'Cost centre', value: '4711' }];

const locations: Resource = {
  unique: ['name', 'parent_location_id'],
  full: async (caller) => ({
    id: randomUUID(),
    name: fresh('Yard'),
    parent_location_id: (await write(caller, 'POST', '/v1/locations', { name: fresh('Region') })).id,
    team_id: caller.tenant.otherTeamId,
    custom_fields: customFields,
  }),
  store: posted('/v1/locations'),
};

const contactTypes: Resource = {
  unique: ['name'],
  full: async () => ({ id: randomUUID() }),
  // A member that the model does not show.
  store: (caller, body) =>
    write(caller, 'POST', '/v1/contacttypes', { ...body, team_id: caller.tenant.otherTeamId }),
};

const contacts: Resource = {
  unique: ['email'],
  full: async (caller) => ({
    id: randomUUID(),
    email: `grace-${++count}@example.com`,
    timezone: 'America/New_York',
    assigned_to: assignee(caller),
    type_id: (await some(caller, contactTypes)).id,
    location_id: (await some(caller, locations)).id,
    team_id: caller.tenant.otherTeamId,
    custom_fields: customFields,
  }),
  store: posted('/v1/contacts'),
};

const vehicles: Resource = {
  unique: ['vin'],
  full: async (caller) => ({
    id: randomUUID(),
    ...kept('status_id', 'folder_id', 'type_id', 'vehicle_fuel_type_id'),
    location_id: (await some(caller, locations)).id,
    assigned_to_contact_id: (await some(caller, contacts)).id,
    assigned_to: assignee(caller),
    team_id: caller.tenant.otherTeamId,
    custom_fields: customFields,
  }),
  store: posted('/v1/vehicles'),
};

const companies: Resource = {
  unique: ['tax_id'],
  full: async (caller) => ({
    id: randomUUID(),
    ...kept('country_id', 'type_id'),
    primary_contact_id: (await some(caller, contacts)).id,
    assigned_to: assignee(caller),
    team_id: caller.tenant.otherTeamId,
    custom_fields: customFields,
  }),
  store: posted('/v1/companies'),
};

const categories: Resource = {
  unique: ['name', 'team_id'],
  full: async ({ tenant }) => ({
    id: randomUUID(),
    team_id: tenant.otherTeamId,
    custom_fields: [{ name: 'Number', internal_name: 'permit_number' }],
  }),
  store: posted('/v1/categories'),
  hold: async (caller, { id, team_id }) => {
    const item = { expiration_date: '2027-06-01', category: { id }, team_id };
    await write(caller, 'POST', '/v1/expirationitems', { ...item, name: fresh('Holder') });
    await write(caller, 'POST', '/v1/expirationitems', { ...item, name: fresh('Holder') });
    return '2 expiration items';
  },
};

const notes: Resource = {
  full: async (caller) => ({
    id: randomUUID(),
    name: fresh('Note'),
    body: '<p>Call <strong>back</strong></p>',
    body_text: 'Call them back',
    team_id: caller.tenant.otherTeamId,
    relations: [{ entity_id: (await some(caller, vehicles)).id, entity_type: 3 }],
  }),
  store: posted('/v1/notes'),
};

const teams: Resource = {
  full: async () => ({ id: randomUUID() }),
  store: posted('/v1/teams'),
  hold: async (caller, { id }) => {
    await write(caller, 'POST', '/v1/locations', { name: fresh('Holder'), team_id: id });
    await write(caller, 'POST', '/v1/companies', { name: fresh('Holder'), team_id: id });
    await write(caller, 'POST', '/v1/companies', { name: fresh('Holder'), team_id: id });
    return '2 companies and 1 location';
  },
};

const expirationItems: Resource = {
  full: async (caller) => {
    const [category, contact, location] = [
      await some(caller, categories),
      await some(caller, contacts),
      await some(caller, locations),
    ];
    return {
      id: randomUUID(),
      name: fresh('Operating licence'),
      expiration_date: '2027-06-01',
      time_of_day: '07:30',
      category,
      category_name: category.name,
      details: 'Renewed at the town hall.',
      assigned_to: assignee(caller),
      is_active: true,
      team_id: caller.tenant.otherTeamId,
      contacts: [contact],
      attachments: [{ name: 'scan.txt', content_type: 'text/plain', content: 'UGFwZXI=' }],
      custom_fields: customFields,
      locations: [location],
      tags: [{ name: fresh('Urgent') }],
      contact_id: contact.id,
    };
  },
  store: async (caller, { ...body }) => {
    const held = Object.keys(body).find((member) => member.startsWith('held by '));
    const item = await posted('/v1/expirationitems')(caller, body);
    if (held === undefined) return item;
    const holders = [{ kind: held.replace('held by ', ''), id: body[held] }];
    await send(caller, 'POST', `/v1/expirationitems/${item.id}/holders`, { body: { holders } });
    return item;
  },
};

const attachments: Resource = {
  full: async () => ({ name: fresh('scan.txt'), content_type: 'text/plain', content: 'UGFwZXI=' }),
  store: async (caller, body) => {
    const item = await make(caller, expirationItems, { attachments: [body] });
    return item.attachments[0];
  },
};

/** Renewals of the item `item_id`, or of a new one. */
const renewals: Resource = {
  full: async () => ({ name: fresh('Renewed') }),
  store: async (caller, { name, item_id: known }) => {
    const path = `/v1/expirationitems/${known ?? (await make(caller, expirationItems)).id}`;
    const date = new Date(Date.UTC(2030, 0, ++count)).toISOString().slice(0, 10);
    await write(caller, 'PUT', `${path}/renew`, { expiration_date: date, details: name });
    const { json } = await send(caller, 'GET', `${path}/renewals?term=${encodeURIComponent(name)}`);
    return { ...json.renewals[0], name };
  },
};

/** Events come by themselves, with every write: here with one that makes a location. */
const eventLogs: Resource = {
  full: async () => ({ name: fresh('Occasion') }),
  store: async (caller, { name }) => {
    await make(caller, locations, { name });
    const { json } = await send(caller, 'GET', `/v1/eventlogs?term=${encodeURIComponent(name)}`);
    expect(json.eventlogs).toHaveLength(1);
    return { ...json.eventlogs[0], name };
  },
};

const uploads: Resource = {
  full: async () => ({
    id: ++count,
    action: 'fp.upload',
    timestamp: 1_795_166_000,
    text: {
      container: 'uploads',
      url: 'https://cdn.example.com/AbC',
      filename: 'permit 2027-06-01.pdf',
      client: 'Computer',
      key: 'AbC_permit.pdf',
      type: 'application/pdf',
      status: 'Stored',
      size: 158_584,
      upload_Tags: { name: 'Permit' },
    },
  }),
  store: async (caller, body) => {
    expect((await send(caller, 'POST', '/v1/bulkscan/receive', { body })).status).toBe(204);
    return body;
  },
};

/** A suggestion with all its members. */
const suggestion = {
  ...{
    field: 'expiration_date',
    value: '2027-06-01',
    name: 'Truck 101',
    confidence: 92,
    source: 'OCR',
    page: 1,
  },
  ...{ box: { x: 0.25, y: 0.5, width: 0.125, height: 0.03125 }, words: 'valid until 1 June 2027' },
  reason: '“valid until 1 June 2027” was recognized in the picture of page 1, with a certainty of 92 %.',
};

/** Uploads as the inbox shows them, which could not be filed. */
const inbox: Resource = {
  full: async () => ({ name: fresh('scan') }),
  store: async (caller, { name }) => {
    const { id: expirationItemId, attachments } = await some(caller, expirationItems);
    const { organizationId, otherTeamId: teamId } = caller.tenant;
    const { text } = await fullBody(caller, uploads);
    const { upload_Tags: uploadTags, size, ...told } = text;
    const id = randomUUID();
    const sent = { ...told, filename: `${name}.pdf`, uploadTags, size: BigInt(size), action: 'fp.upload' };
    const became = { expirationItemId, attachmentId: attachments[0].id, filedAt: caller.gateway.clock.now };
    const data = {
      ...{ id, organizationId, teamId, dedupeKey: id, ...sent, ...became },
      ...{ notificationId: BigInt(++count), timestamp: 1_795_166_000n, attempts: 3 },
      ...{ state: 'FAILED' as const, error: 'The file could not be read.' },
      ...{
        suggestedExpirationDate: new Date('2027-06-01'),
        suggestedFrom: 'valid until 1 June 2027',
        unreadCode: 'TOO_LARGE',
      },
      ...{ suggestions: [suggestion], needsReview: true },
      ...{ receivedAt: caller.gateway.clock.now, modified: caller.gateway.clock.now },
    };
    await caller.gateway.database.prisma.uploadNotification.create({ data });
    return { id, name };
  },
  hold: async ({ gateway }, { id }) => {
    const settled = { where: { id }, data: { state: 'FILED' as const, error: null } };
    await gateway.database.prisma.uploadNotification.update(settled);
    return '';
  },
};

const policies: Resource = {
  unique: ['name', 'team_id'],
  full: async ({ tenant }) => ({
    id: randomUUID(),
    name: fresh('Licences'),
    time_of_day: '07:30',
    deliver_on: 'working_days',
    contacts_may_renew: true,
    steps: [
      {
        ...{
          about: 'notice',
          offset_days: -30,
          repeat_every_days: 7,
          repeat_count: 3,
          only_unacknowledged: true,
        },
        ...{ recipients: ['main_contact', 'addresses'], addresses: ['office@example.com'] },
      },
    ],
    // Where a policy is, it stays: the tests of PUT keep it.
    team_id: tenant.otherTeamId,
  }),
  store: posted('/v1/reminderpolicies'),
  hold: async ({ gateway: { database } }, { id, team_id }) => {
    const where = { id: team_id };
    await database.prisma.team.update({ where, data: { reminderPolicyId: id } });
    return '1 workspace';
  },
};

/** Requirements, for vehicles. */
const requirements: Resource = {
  full: async (caller) => ({
    id: randomUUID(),
    name: fresh('Insured'),
    holder_kind: 'vehicle',
    applies: { year: { gte: 2000 } },
    any_of: [(await some(caller, categories)).id],
    valid_days: 14,
    grace_days: 7,
    needs_file: true,
    allow_no_date: true,
    ...{ ask_to: 'assignee', ask_days_before: 60, ask_every_days: 3 },
    team_id: caller.tenant.otherTeamId,
  }),
  store: posted('/v1/requirements'),
};

/** Acknowledgements, each named by its item. */
const acknowledgements: Resource = {
  full: async () => ({ about: 'expiration', note: fresh('Seen'), silence: true, snooze_until: '2027-05-01' }),
  store: async (caller, body) => {
    const { id } = await make(caller, expirationItems);
    const path = `/v1/expirationitems/${id}/acknowledgement`;
    const { status, text, json } = await send(caller, 'POST', path, { body });
    expect(status, text).toBe(200);
    return { ...json, id };
  },
};

/** Notice periods, each named by its item. */
const noticePeriods: Resource = {
  full: async () => ({
    notice_date: '2027-02-17',
    rule: { unit: 'weeks', count: 6, before: 'end_of_quarter' },
  }),
  store: async (caller, body) => {
    const { id } = await make(caller, expirationItems, { expiration_date: '2027-04-15' });
    const path = `/v1/expirationitems/${id}/notice-period`;
    const { status, text, json } = await send(caller, 'PUT', path, { body });
    expect(status, text).toBe(200);
    return { ...json, id };
  },
};

/** Ends of renewals, each named by its item. */
const repetitions: Resource = {
  full: async () => ({ renew_until: '2030-12-31', renewals_left: 3 }),
  store: async (caller, body) => {
    const { id } = await make(caller, expirationItems, { expiration_date: '2027-04-15' });
    const path = `/v1/expirationitems/${id}/repetition`;
    const { status, text, json } = await send(caller, 'PUT', path, { body });
    expect(status, text).toBe(200);
    return { ...json, id };
  },
};

/** Holders of an item, named by it. */
const holders: Resource = {
  full: async (caller) => ({ holders: [{ kind: 'vehicle', id: (await make(caller, vehicles)).id }] }),
  store: async (caller, body) => {
    const { id } = await make(caller, expirationItems);
    const path = `/v1/expirationitems/${id}/holders`;
    const { status, text, json } = await send(caller, 'PUT', path, { body });
    expect(status, text).toBe(200);
    return { ...json, id };
  },
};

/** Holders of items, each named by the item and by itself. */
const held: Resource = {
  full: holders.full,
  store: async (caller, body) => {
    const record = await holders.store(caller, body);
    return { ...record, id: `${record.id}/${record.holders[0].id}` };
  },
};

/** Mails that were given up. */
const deliveries: Resource = {
  full: async () => ({ name: fresh('reader') }),
  store: async (caller, { name }) => {
    const { organizationId, otherTeamId: teamId } = caller.tenant;
    const [id, now] = [randomUUID(), caller.gateway.clock.now];
    const data = {
      ...{ id, organizationId, teamId, kind: 'MAIL' as const, dedupeKey: id, created: now, modified: now },
      ...{ subjectKind: 'item', subjectId: (await some(caller, expirationItems)).id, attempts: 3 },
      ...{ state: 'FAILED' as const, lastError: 'Try later', statusCode: 421, settledAt: now, dueAt: now },
      ...{ messageId: `<${id}@example.com>`, address: `${name}@example.com` },
    };
    await caller.gateway.database.prisma.delivery.create({ data });
    return { id, name };
  },
  hold: async ({ gateway }, { id }) => {
    await gateway.database.prisma.delivery.update({ where: { id }, data: { state: 'SENT' } });
    return '';
  },
};

/** Requests for documents in a state, with all that can be said of one. */
const documentRequests = (state: 'SENT' | 'RECEIVED'): Resource => ({
  full: async (caller) => ({
    id: randomUUID(),
    expiration_item_id: (
      await make(caller, expirationItems, { expiration_date: '2027-06-01', is_active: true })
    ).id,
    category_id: (await some(caller, categories)).id,
    holder_kind: 'vehicle',
    holder_id: (await make(caller, vehicles, { team_id: caller.tenant.otherTeamId })).id,
    // It needs the type that `some` returns.
    requirement_id: (await make(caller, requirements, { is_active: true })).id,
    recipient_id: (await make(caller, contacts, { team_id: caller.tenant.otherTeamId, is_active: true })).id,
    email: null,
    language: 'de',
    message: fresh('Both sides, please'),
    due_on: '2099-12-31',
    team_id: caller.tenant.otherTeamId,
  }),
  store: async (caller, body) => {
    const { organizationId, otherTeamId: teamId } = caller.tenant;
    const { prisma } = caller.gateway.database;
    const now = caller.gateway.clock.now;
    const name = body.name ?? body.message;
    const [id, heldItemId] = [body.id ?? randomUUID(), randomUUID()];
    const held = { id: heldItemId, organizationId, teamId, name: fresh('Held'), isActive: false };
    await prisma.expirationItem.create({
      data: { ...held, created: now, modified: now, categoryId: body.category_id },
    });
    const { id: requirementId } = await make(caller, requirements, { team_id: teamId });
    const told = { declinedReason: 'Blurred', answer: 'Here it is.', statedDate: new Date('2028-06-01') };
    const data = {
      ...{ id, organizationId, teamId, categoryId: body.category_id, itemId: body.expiration_item_id },
      ...{ renews: true, itemDate: new Date('2027-06-01'), holderKind: 'vehicle', vehicleId: body.holder_id },
      ...{ recipientId: body.recipient_id, email: 'ann@example.org', language: 'de', message: name },
      ...{ dueOn: new Date('2099-12-31'), state, ending: 'MET' as const, ...told, heldItemId },
      ...{ requirementId, isRequired: true, everyDays: 3, openedAt: now },
      ...{ sentAt: now, receivedAt: now, settledAt: now, created: now, modified: now },
    };
    await prisma.documentRequest.create({ data });
    return { id, name };
  },
  hold: async ({ gateway }, { id }) => {
    await gateway.database.prisma.documentRequest.update({ where: { id }, data: { state: 'ACCEPTED' } });
    return '';
  },
});

/** Exemptions of vehicles, each from a requirement of their workspace. */
const exemptions = (hasEnded: boolean): Resource => ({
  full: async (caller) => {
    const there = { team_id: caller.tenant.otherTeamId };
    return {
      id: randomUUID(),
      requirement_id: (await make(caller, requirements, { ...there, holder_kind: 'vehicle', applies: {} }))
        .id,
      holder_kind: 'vehicle',
      holder_id: (await make(caller, vehicles, there)).id,
      from: '2026-11-01',
      until: '2027-06-01',
      reason: fresh('In the workshop'),
    };
  },
  store: async (caller, body) => {
    const made = await send(caller, 'POST', '/v1/exemptions', { body });
    expect(made.status, made.text).toBe(201);
    const path = `/v1/exemptions/${made.json.id}`;
    const { json } = hasEnded ? await send(caller, 'POST', `${path}/end`) : made;
    return { ...json, name: json.reason };
  },
  hold: async (caller, { id }) => {
    await send(caller, 'POST', `/v1/exemptions/${id}/end`);
    return '';
  },
});

/** Vehicles that are compliant for years. */
const compliance: Resource = {
  full: async () => ({ name: fresh('Truck') }),
  store: async (caller, { name }) => {
    const { organizationId, otherTeamId: teamId } = caller.tenant;
    const [id, vehicleId, now] = [randomUUID(), randomUUID(), caller.gateway.clock.now];
    const { prisma } = caller.gateway.database;
    await prisma.vehicle.create({ data: { id: vehicleId, organizationId, teamId, name } });
    const data = {
      ...{ id, organizationId, teamId, kind: 'VEHICLE' as const, holderId: vehicleId, vehicleId, name },
      ...{ state: 'COMPLIANT' as const, until: new Date('2030-01-31'), urgency: 2_000_000 + count },
      ...{ gapIds: [(await some(caller, requirements)).id], modified: now },
    };
    await prisma.holderCompliance.create({ data });
    return { id, name };
  },
};

const users: Resource = {
  shared: true,
  full: async ({ tenant }) => ({
    id: randomUUID(),
    name: fresh('Ada Lind'),
    email: `ada-${++count}@example.com`,
    team_id: tenant.teamId,
    roles: 'member',
    role_type_id: 2,
  }),
  store: async ({ gateway, tenant: { organizationId } }, body) => {
    const { id, name, email, team_id: teamId, roles } = body;
    const data = { id, name, email, teamId, organizationId, role: roles.toUpperCase() };
    await gateway.database.prisma.user.create({ data });
    return body;
  },
};

/** The resources, by the part of their paths below the version, or below a record. */
const resources: Record<string, Resource> = {
  expirationitems: expirationItems,
  attachments,
  vehicles,
  categories,
  companies,
  contacts,
  contacttypes: contactTypes,
  locations,
  notes,
  teams,
  users,
  uploads: inbox,
  reminderpolicies: policies,
  requirements,
  acknowledgement: acknowledgements,
  'notice-period': noticePeriods,
  repetition: repetitions,
  holders,
  held,
  compliance,
  documentrequests: documentRequests('RECEIVED'),
  resend: documentRequests('SENT'),
  exemptions: exemptions(true),
  end: exemptions(false),
  deliveries,
  renewals,
  eventlogs: eventLogs,
  bulkscan: uploads,
};

/** Returns a resource that needs no more than a name, as it is declared. */
function declared(name: string): Resource {
  const path = `/v1/${name}` as const;
  const known: readonly { readonly rest?: Endpoints; readonly uniqueBy?: readonly string[] }[] = declarations;
  const { uniqueBy } = known.find(({ rest }) => rest && `POST ${path}` in rest.routes) ?? {};
  return {
    ...(uniqueBy && { unique: uniqueBy.map(memberName) }),
    full: async ({ tenant }) => ({
      ...{ id: randomUUID(), name: fresh('Named'), team_id: tenant.otherTeamId },
    }),
    store: posted(path),
  };
}

/** Returns the resource that a row is about. */
export function resourceOf({ path, below }: { readonly path: string; readonly below?: Below }): Resource {
  const [, , name = '', , part = ''] = path.split('/');
  return resourceCalled(below && resources[part] ? part : name);
}

/** Returns the resource whose record a row's `{id}` names. */
export function namedBy(row: { readonly path: string; readonly below?: Below }): Resource {
  return row.below === undefined ? resourceOf(row) : resourceCalled(row.below.resource);
}

function resourceCalled(name: string): Resource {
  const resource = resources[name] ?? declared(name);
  resources[name] = resource;
  return resource;
}
