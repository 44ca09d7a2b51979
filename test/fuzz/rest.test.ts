import { randomUUID as newId } from 'node:crypto';
import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAlive, expectRest } from './answers.js';
import { texts } from './awkward.js';
import { contract, jsonFor, type Part, patchFor, resolve } from './bodies.js';
import { queryFor } from './queries.js';
import { patience, runs, seed, settings } from './runs.js';
import { createWorld, type World } from './world.js';

/** An operation of the printed contract. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly part: Part;
}

// What deletes comes last, so that there are records for the others.
const operations: Operation[] = Object.entries<Part>(contract.paths)
  .flatMap(([path, item]) =>
    Object.entries<Part>(item).map(([method, part]) => ({ method: method.toUpperCase(), path, part })),
  )
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** A request as it is sent. */
interface Sent {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly role: 'admin' | 'member' | 'viewer' | 'uploader' | null;
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.gateway.close());

/** What a client, or its user, may have put in place of an id. */
const wrongIds = [
  '%',
  '%zz',
  '%c3%28',
  '%00',
  '%2e%2e%2f',
  '..%5c',
  '%F0%9F%9A%9A',
  "'",
  '*',
  '%0d%0a',
  '{id}',
  '~',
];

/** Records that nothing else points at, so that they can be deleted: by the beginnings of their paths. */
const free: Readonly<Record<string, readonly [type: string, id: string]>> = {
  '/v1/teams': ['Team', '00000000-0000-4000-8000-000000000901'],
  '/v1/categories': ['Category', '00000000-0000-4000-8000-000000000902'],
  '/v1/reminderpolicies': ['ReminderPolicy', '00000000-0000-4000-8000-000000000903'],
};

/** Records that no kind of the world's has, by the beginnings of their paths. */
const further: Readonly<Record<string, string>> = {
  '/v1/reminderpolicies': '00000000-0000-4000-8000-000000000903',
  '/v1/deliveries': '00000000-0000-4000-8000-000000000904',
  '/v1/imports': '00000000-0000-4000-8000-000000000905',
  '/v1/exports': '00000000-0000-4000-8000-000000000906',
  '/v1/digests': 'organization',
  '/v1/resumable-uploads': '00000000-0000-4000-8000-000000000907',
  '/v1/requirements': '00000000-0000-4000-8000-000000000908',
  '/v1/documentrequests': '00000000-0000-4000-8000-000000000909',
  '/v1/exemptions': '00000000-0000-4000-8000-000000000910',
};

/** Queries that name the record a path asks about, and mutations that create it. */
const asked: Readonly<Record<string, readonly [query: string, mutation: string]>> = {
  '/v1/compliance/vehicles': ['vin=ASKED', 'createVehicle(input: { name: "Asked", vin: "ASKED" })'],
  '/v1/compliance/contacts': [
    'email=asked@example.com',
    'createContact(input: { email: "asked@example.com" })',
  ],
  '/v1/compliance/companies': ['tax_id=ASKED', 'createCompany(input: { name: "Asked", taxId: "ASKED" })'],
  '/v1/imports/template.xlsx': ['kind=items', 'createVehicle(input: { name: "Asked" })'],
  '/v1/export/compliance.csv': ['kind=vehicle', 'createVehicle(input: { name: "Asked" })'],
  '/v1/compliance/locations': ['name=Asked', 'createLocation(input: { name: "Asked" })'],
};

/** Creates a mail that was given up. */
async function giveUp(id: string): Promise<void> {
  const { organizationId, teamId, database } = world.gateway;
  const failed = { state: 'FAILED' as const, dueAt: null, settledAt: new Date(0) };
  const mail = { id, organizationId, teamId, kind: 'MAIL' as const, dedupeKey: id, subjectKind: 'item' };
  const create = { ...mail, ...failed, address: 'anna@example.org' };
  await database.prisma.delivery.upsert({ where: { id }, create, update: failed });
}

/** Creates an import of the admin that can be run. */
async function makeReady(id: string, isDone: boolean): Promise<void> {
  const { organizationId, userId, database } = world.gateway;
  const done = { state: 'DONE' as const, doneCount: 1, undoUntil: new Date('2100-01-01') };
  const ready = { ...(isDone ? done : { state: 'READY' as const }), dueAt: null };
  const file = { kind: 'CONTACTS' as const, content: Buffer.from('email\n'), hash: Buffer.from('hash') };
  const options = {
    mode: 'CREATE_ONLY',
    encoding: 'UTF_8',
    dateFormat: null,
    mapping: [],
    atomic: false,
    quiet: true,
  };
  const create = { id, organizationId, userId, role: 'ADMIN' as const, options, ...file, ...ready };
  await database.prisma.import.upsert({ where: { id }, create, update: ready });
}

/** Creates an export of the admin that has been made, and is empty. */
async function makeExport(id: string): Promise<void> {
  const { organizationId, teamId, userId, database } = world.gateway;
  const done = { state: 'DONE' as const, dueAt: null, expiresAt: new Date('2100-01-01') };
  const create = { id, organizationId, teamId, userId, role: 'ADMIN' as const, ...done };
  await database.prisma.teamExport.upsert({ where: { id }, create, update: done });
}

/** Creates an upload of the admin of which nothing has come. */
async function makeResumable(id: string): Promise<void> {
  const { organizationId, teamId, userId, database } = world.gateway;
  const file = { contentLength: 1_000_000n, expiresAt: new Date('2100-01-01') };
  const create = { id, organizationId, teamId, userId, ...file };
  await database.prisma.resumableUpload.upsert({ where: { id }, create, update: file });
}

/** Creates a request for a document that the next step of a path can be taken with. */
async function askFor(id: string, path: string): Promise<void> {
  const { organizationId, teamId, database } = world.gateway;
  const heldItemId = newId();
  const category = await database.prisma.category.findFirstOrThrow({ where: { organizationId } });
  const held = { id: heldItemId, organizationId, teamId, name: 'Held', isActive: false };
  const times = { created: new Date(0), modified: new Date(0) };
  await database.prisma.expirationItem.create({ data: { ...held, ...times, categoryId: category.id } });
  const isSent = path.endsWith('/resend');
  const state = {
    state: isSent ? ('SENT' as const) : ('RECEIVED' as const),
    heldItemId: isSent ? null : heldItemId,
  };
  const create = { id, organizationId, teamId, email: 'anna@example.org', categoryId: category.id, ...state };
  await database.prisma.documentRequest.upsert({ where: { id }, create, update: state });
}

/** A requirement, and a vehicle that need not meet it. */
const exempted = {
  requirementId: '00000000-0000-4000-8000-000000000911',
  vehicleId: '00000000-0000-4000-8000-000000000912',
};

/** Creates an exemption that can be ended. */
async function exempt(id: string): Promise<void> {
  const { organizationId, teamId, database } = world.gateway;
  const own = { organizationId, teamId, holderKind: 'vehicle' };
  const { requirementId, vehicleId } = exempted;
  const rule = { ...own, id: requirementId, name: 'Insured' };
  await database.prisma.requirement.upsert({ where: { id: requirementId }, create: rule, update: {} });
  const vehicle = { id: vehicleId, organizationId, teamId, name: 'Exempt' };
  await database.prisma.vehicle.upsert({ where: { id: vehicleId }, create: vehicle, update: {} });
  const create = { ...own, id, requirementId, vehicleId, from: new Date(0), reason: 'In the workshop' };
  const update = { endedOn: null, endedById: null };
  await database.prisma.exemption.upsert({ where: { id }, create, update });
}

/** Creates what an operation needs to succeed with, which those before it may have taken away. */
async function prepare({ method, path }: Operation): Promise<void> {
  const make = (query: string) => world.gateway.graphql(`mutation { ${query} { id } }`);
  if (path.endsWith('/renew')) {
    for (const id of world.ids('item'))
      await make(`updateExpirationItem(id: "${id}", input: { expirationDate: "2027-06-01" })`);
  }
  if (path.endsWith('/acknowledgement')) {
    for (const id of world.ids('item'))
      await world.gateway.graphql(`mutation { setAcknowledgement(id: "${id}", input: {}) { version } }`);
  }
  if (path.endsWith('/notice-period')) {
    for (const id of world.ids('item')) {
      await make(`createExpirationItem(input: { id: "${id}", name: "Item", expirationDate: "2027-06-01" })`);
      await world.gateway.graphql(
        `mutation { setNoticePeriod(id: "${id}", input: { rule: { unit: DAYS, count: 1, before: EXPIRATION } }) { version } }`,
      );
    }
  }
  if (path.endsWith('/{holderId}')) {
    const holders = world.ids('vehicle').map((id) => `{ kind: VEHICLE, id: "${id}" }`);
    for (const id of world.ids('item'))
      for (const holder of holders) await make(`addHolders(id: "${id}", input: { holders: [${holder}] })`);
  }
  if (path.endsWith('/repetition')) {
    for (const id of world.ids('item'))
      await world.gateway.graphql(
        `mutation { setRepetition(id: "${id}", input: { renewalsLeft: 3 }) { version } }`,
      );
  }
  const [, mutation] = asked[path] ?? [];
  if (mutation) await make(mutation);
  if (path.startsWith('/v1/requirements')) {
    const [type] = world.ids('category');
    await make(`createCategory(input: { id: "${type}", name: "Asked for" })`);
    await make(
      `createRequirement(input: { id: "${further['/v1/requirements']}", name: "Insured", holderKind: VEHICLE, anyOf: ["${type}"] })`,
    );
  }
  if (path.startsWith('/v1/exemptions')) await exempt(further['/v1/exemptions'] ?? '');
  if (path.startsWith('/v1/documentrequests')) {
    await make(`createCategory(input: { id: "${world.ids('category')[0]}", name: "Asked for" })`);
    await askFor(further['/v1/documentrequests'] ?? '', path);
  }
  if (path.startsWith('/v1/imports')) await makeReady(further['/v1/imports'] ?? '', path.endsWith('/undo'));
  if (path.startsWith('/v1/digests'))
    await make('setDigestSetting(id: "organization", input: { mode: SINGLE })');
  if (path.startsWith('/v1/exports')) await makeExport(further['/v1/exports'] ?? '');
  if (path.startsWith('/v1/resumable-uploads')) await makeResumable(further['/v1/resumable-uploads'] ?? '');
  if (path.startsWith('/v1/deliveries')) await giveUp(further['/v1/deliveries'] ?? '');
  if (method !== 'DELETE' && !path.startsWith('/v1/reminderpolicies')) return;
  for (const [type, id] of Object.values(free)) {
    await make(`create${type}(input: { id: "${id}", name: "Free ${type}" })`);
  }
}

function idsFor({ method, path }: Operation): Arbitrary<string> {
  const [before = ''] = path.split('/{id}');
  const [, id] = free[before] ?? [];
  const known = further[before]
    ? [further[before]]
    : [...world.ids(before), ...(method === 'DELETE' && id ? [id] : [])];
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.constantFrom(...wrongIds) },
    { weight: 1, arbitrary: texts.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 500))) },
  );
}

/** Returns second ids of a path. Without one in the path, nothing is drawn. */
const innerIds = ({ path }: Operation): Arbitrary<string> =>
  path.includes('{holderId}')
    ? fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...world.ids('vehicle')) },
        { weight: 1, arbitrary: fc.constantFrom(...wrongIds) },
      )
    : fc.constant('');

const notNow = (weight: number, arbitrary: Arbitrary<string>): Arbitrary<string | undefined> =>
  fc.oneof({ weight: 100 - weight, arbitrary: fc.constant(undefined) }, { weight, arbitrary });

/** Headers that the door reads, and what else may stand in them: bytes, as HTTP has it. */
const garbage = fc.oneof(
  fc.constantFrom(
    '"',
    'W/',
    '*',
    '"old"',
    'W/"old"',
    '""',
    '"a", *',
    ',,,',
    '"\u00e9"',
    'x'.repeat(4_000),
    '',
  ),
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  }),
);
const types = fc.constantFrom(
  ...[
    'application/json',
    'application/json-patch+json',
    'text/plain',
    'application/json; charset=utf-16',
    '',
  ],
  ...[
    'application/json;charset="UTF-8"',
    'multipart/form-data',
    'application/xml',
    ';',
    'application/json;;;',
    '*/*',
  ],
);

const headers: Arbitrary<Record<string, string>> = fc
  .record({
    'If-Match': notNow(5, garbage),
    'If-None-Match': notNow(10, garbage),
    'Idempotency-Key': notNow(10, fc.oneof(garbage, fc.nat(20).map(String))),
    'Content-Type': notNow(8, types),
    Accept: notNow(5, garbage),
    Range: notNow(3, fc.constantFrom('bytes=0-0', 'bytes=-1', 'bytes=9-1', 'lines=1')),
    'FS-Signature': notNow(3, garbage),
    'FS-Timestamp': notNow(3, fc.constantFrom('0', '-1', '1e99', 'NaN')),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
  );

/** Returns a body that is not what it says: cut off, not in UTF-8, or no JSON from the first. */
const spoiled = (body: string): Arbitrary<string | Uint8Array<ArrayBuffer>> =>
  fc.oneof(
    fc.nat(body.length).map((end) => body.slice(0, end)),
    fc.constantFrom(
      '',
      ' ',
      '\ufeff{}',
      'NaN',
      "{'a':1}",
      '{"a":1,}',
      '{}{}',
      '/**/{}',
      '[',
      '"',
      '\u0000',
      '01',
    ),
    fc.constantFrom(
      new Uint8Array([0xff, 0xfe, 0x7b, 0]),
      new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    ),
  );

/** Bodies that an operation takes, by their media types. */
const acceptedBodies = ({ part: { requestBody } }: Operation): Record<string, Part> => ({
  ...requestBody?.content,
  ...requestBody?.['x-also-accepted'],
});

/** Files that can be imported. Random texts seldom can. */
const csvFiles = [
  'name,expiration_date\r\nPermit,2031-01-31\r\n',
  'email\r\nann@example.com\r\n',
  'vin\r\nX1\r\n',
];

function bodyOf(operation: Operation, type: string): Arbitrary<Sent['raw']> | undefined {
  const { schema } = acceptedBodies(operation)[type] ?? {};
  if (!schema) return undefined;
  const { part, path } = operation;
  const kind = path.split('/')[2] ?? '';
  const shown = part.responses['200']?.content?.['application/json'].schema;
  if (schema.$ref?.endsWith('/PatchDocument')) return patchFor(shown, world);
  const files = type === 'text/csv' ? [{ weight: 40, arbitrary: fc.constantFrom(...csvFiles) }] : [];
  // Whoever is asked is one of two members, and never both.
  const [category_id] = world.ids('category');
  const asking = fc.nat(1e6).map((n) => JSON.stringify({ category_id, email: `user-${n}@example.com` }));
  const exempting = fc.string({ minLength: 1, maxLength: 9 }).map((text) =>
    JSON.stringify({
      ...{ requirement_id: exempted.requirementId, holder_kind: 'vehicle', holder_id: exempted.vehicleId },
      reason: `In the workshop ${text}`,
    }),
  );
  return fc.oneof(
    ...files,
    ...(path === '/v1/exemptions' ? [{ weight: 10, arbitrary: exempting }] : []),
    ...(path === '/v1/documentrequests' ? [{ weight: 10, arbitrary: asking }] : []),
    { weight: 10, arbitrary: jsonFor(schema, world, 0, kind) },
    { weight: 14, arbitrary: jsonFor(schema, world, 12, kind) },
    { weight: 2, arbitrary: jsonFor(schema, world, 0, kind).chain(spoiled) },
  );
}

/** Headers that an operation takes, mostly as it takes them. */
function headersOf({ part }: Operation): Arbitrary<Record<string, string>> {
  const own = (part.parameters ?? []).map(resolve).filter((one: Part) => one.in === 'header' && one.required);
  return fc.record(
    Object.fromEntries(
      own.map(({ name, schema }: Part) => {
        const fits = fc.constantFrom(...(schema.enum ?? schema.examples)).map(String);
        return [name, fc.oneof({ weight: 19, arbitrary: fits }, { weight: 1, arbitrary: garbage })];
      }),
    ),
  );
}

function requestsFor(operation: Operation): Arbitrary<Sent> {
  const types = Object.keys(acceptedBodies(operation));
  const inTypes = (types.length > 0 ? types : ['application/json']).map((type) =>
    requestsIn(operation, type).map((request) => ({
      ...request,
      headers: { 'Content-Type': type, ...request.headers },
    })),
  );
  const [only, ...others] = inTypes;
  return only && others.length === 0 ? only : fc.oneof(...inTypes);
}

/** Requests whose bodies are what a media type says, unless they have another. */
function requestsIn(operation: Operation, type: string): Arbitrary<Sent> {
  const body = bodyOf(operation, type);
  const paths = fc
    .tuple(idsFor(operation), innerIds(operation), queryFor(operation.part, world))
    .map(([id, innerId, query]) => operation.path.replace('{id}', id).replace('{holderId}', innerId) + query);
  // Of random parameters, one is nearly always refused.
  const query = type === 'text/csv' ? 'kind=contacts' : asked[operation.path]?.[0];
  const known = fc.constant(`${operation.path}?${query}`);
  return fc.record({
    path: query ? fc.oneof(known, paths) : paths,
    headers: fc.tuple(headersOf(operation), headers).map(([own, usual]) => ({ ...own, ...usual })),
    raw: body ?? fc.constant(undefined),
    role: fc.oneof(
      { weight: 20, arbitrary: fc.constant('admin' as const) },
      { weight: 1, arbitrary: fc.constantFrom('member', 'viewer', 'uploader', null) },
    ),
  });
}

describe(`the REST door, seed ${seed}`, () => {
  test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      const { gateway } = world;
      const met = new Map<number, number>();
      await prepare(operation);
      await fc.assert(
        fc.asyncProperty(requestsFor(operation), async ({ path, headers, raw, role }) => {
          const answer = await gateway.send(operation.method, path, {
            token: role && gateway[role],
            headers,
            ...(raw !== undefined && { raw }),
          });
          expectRest(answer);
          met.set(answer.status, (met.get(answer.status) ?? 0) + 1);
        }),
        settings(25),
      );
      // The inputs would find nothing if all were refused.
      expect([...met.keys()].some((status) => status < 400)).toBe(true);
      if (process.env.FUZZ_RUNS)
        process.stdout.write(
          `${operation.method} ${operation.path} ${runs(0)} ${JSON.stringify([...met])}\n`,
        );
      await expectAlive(gateway);
    },
    patience,
  );
});
