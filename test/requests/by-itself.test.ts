import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askByThemselves } from '../../src/requests/by-itself.js';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { startFirstTime } from '../support/first-start.js';
import { testTime } from '../support/gateway.js';
import { closeRequests, evaluateTurns, look, type Office, openOffice, request } from './support.js';

let office: Office;
let place: { organizationId: string; teamId: string };
beforeAll(async () => {
  office = await openOffice();
  place = { organizationId: office.gateway.organizationId, teamId: office.gateway.teamId };
});
afterAll(() => office.close());
beforeEach(() => {
  office.gateway.clock.now = testTime;
});

const prisma = () => office.gateway.database.prisma;
const at = (days: number) => new Date(testTime.getTime() + days * 86_400_000);
const dateAt = (days: number) => at(days).toISOString().slice(0, 10);
const create = (what: string, input: object) =>
  ask(
    office.gateway,
    `mutation ($input: Create${what}Input!) { made: create${what}(input: $input) { id } }`,
    {
      input: { id: newId(), ...input },
    },
  ).then(({ made }) => made.id as string);

/** Evaluates what has changed, ends what is needed no more, and asks for what is due, as the workers do. */
async function work(days = 0) {
  const { gateway } = office;
  gateway.clock.now = at(days);
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  await closeRequests(gateway.database, gateway.clock.now);
  while (await askByThemselves(gateway.database, gateway.clock.now));
}

/** Lists the requests that a requirement has made, the first ones first. */
const made = async (requirementId: string) =>
  (
    await prisma().documentRequest.findMany({
      where: { requirementId },
      orderBy: [{ created: 'asc' }, { id: 'asc' }],
    })
  ).map(({ state, ending, renews, email, recipientId, everyDays, itemId }) => ({
    ...{ state, ending, renews, email, recipientId, everyDays, itemId },
  }));

/** Creates a type, a person and a requirement for people of that name, who are asked for it themselves. */
async function require(name: string, more: object = {}) {
  const categoryId = await create('Category', { name });
  const personId = await create('Contact', { name, email: `${newId()}@example.org` });
  const requirementId = await create('Requirement', {
    ...{ name, holderKind: 'CONTACT', anyOf: [categoryId], applies: { term: name } },
    ...{ askTo: 'HOLDER', askDaysBefore: 30, askEveryDays: 3, ...more },
  });
  const paper = (days: number) =>
    create('ExpirationItem', {
      ...{ name: `${name} ${days}`, expirationDate: dateAt(days), category: { id: categoryId } },
      holders: [{ kind: 'CONTACT', id: personId }],
    });
  return { categoryId, personId, requirementId, paper };
}

test('what is missing is asked for once, and ends when it arrives another way', async () => {
  const { personId, requirementId, paper } = await require('Licence');
  await work();
  const request = {
    state: 'OPEN',
    ending: null,
    renews: false,
    email: null,
    recipientId: personId,
    everyDays: 3,
  };
  expect(await made(requirementId)).toEqual([{ ...request, itemId: null }]);
  await work(1);
  await work(2);
  expect(await made(requirementId)).toHaveLength(1);
  const itemId = await paper(100);
  await work(3);
  expect(await made(requirementId)).toMatchObject([{ state: 'CANCELLED', ending: 'MET' }]);
  // Thirty days before it expires it is asked for again, and a new paper beside it ends that.
  await work(69);
  expect(await made(requirementId)).toHaveLength(1);
  await work(70);
  expect(await made(requirementId)).toMatchObject([{}, { state: 'OPEN', renews: true, itemId }]);
  await work(71);
  expect(await made(requirementId)).toHaveLength(2);
  await paper(500);
  await work(72);
  expect((await made(requirementId))[1]).toMatchObject({ state: 'CANCELLED', ending: 'MET' });
});

test('several processes ask once, also if some are stopped in the middle', async () => {
  const { requirementId } = await require('Card');
  const { gateway } = office;
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  await Promise.all([1, 2, 3, 4].map(() => askByThemselves(gateway.database, gateway.clock.now)));
  expect(await made(requirementId)).toHaveLength(1);
});

const cancel = 'mutation ($id: ID!) { cancelDocumentRequest(id: $id) { state } }';
const idsOf = async (requirementId: string) =>
  (await prisma().documentRequest.findMany({ where: { requirementId }, orderBy: { created: 'asc' } })).map(
    ({ id }) => id,
  );
const exempt = (requirementId: string, holderId: string) =>
  create('Exemption', { requirementId, holderKind: 'CONTACT', holderId, reason: 'On leave' });

test('what is still missing after its request ended is asked for again some days later, once', async () => {
  const { requirementId } = await require('Visa');
  const { gateway } = office;
  await work();
  await work(1);
  const [first] = await idsOf(requirementId);
  await ask(gateway, cancel, { id: first });
  // The requirement asks every three days.
  for (const days of [3, 3.9]) await work(days);
  expect(await made(requirementId)).toMatchObject([{ state: 'CANCELLED', ending: 'MEMBER' }]);
  gateway.clock.now = at(4);
  await Promise.all([1, 2, 3].map(() => askByThemselves(gateway.database, gateway.clock.now)));
  expect(await made(requirementId)).toMatchObject([{ state: 'CANCELLED' }, { state: 'OPEN' }]);
  // While it is open, nothing more is asked, however long that takes.
  for (const days of [7, 30, 60]) await work(days);
  expect(await made(requirementId)).toHaveLength(2);
  await prisma().documentRequest.updateMany({
    where: { requirementId, state: 'OPEN' },
    data: { state: 'LAPSED', settledAt: at(60) },
  });
  await work(62.9);
  expect(await made(requirementId)).toHaveLength(2);
  await work(63);
  expect((await made(requirementId)).map(({ state }) => state)).toEqual(['CANCELLED', 'LAPSED', 'OPEN']);
});

test('an exemption ends what was asked for, and its end asks again', async () => {
  const { requirementId, personId } = await require('Waiver');
  await work();
  const exemptionId = await exempt(requirementId, personId);
  await work(1);
  expect(await made(requirementId)).toMatchObject([{ state: 'CANCELLED', ending: 'EXEMPT' }]);
  const [id] = await idsOf(requirementId);
  const told = await prisma().eventLog.findFirstOrThrow({
    where: { typeId: 39, entities: { some: { entityId: id, position: 0 } } },
  });
  expect(told.description).toMatch(/was cancelled, because the record was exempted from the requirement/);
  await work(20);
  expect(await made(requirementId)).toHaveLength(1);
  await ask(office.gateway, 'mutation ($id: ID!) { endExemption(id: $id) { id } }', { id: exemptionId });
  await work(21);
  expect(await made(requirementId)).toMatchObject([{}, { state: 'OPEN' }]);
});

test('an exemption ends what was asked for by hand, unless another requirement needs it', async () => {
  const { requirementId, personId, categoryId } = await require('Helmet', { askTo: null });
  const holder = { holderKind: 'CONTACT', holderId: personId };
  const named = await request(office, { ...holder, requirementId, email: 'named@example.org' });
  expect(named).toMatchObject({ category: { name: 'Helmet' } });
  const typed = await request(office, { ...holder, categoryId, email: 'typed@example.org' });
  const second = await create('Requirement', { name: 'Other', holderKind: 'CONTACT', anyOf: [categoryId] });
  const stateOf = async ({ id }: { id: string }) => {
    await work(1);
    const { state, ending } = await look(office, id);
    return [state, ending];
  };
  await work(0.5);
  await exempt(requirementId, personId);
  expect(await stateOf(named)).toEqual(['CANCELLED', 'EXEMPT']);
  expect(await stateOf(typed)).toEqual(['OPEN', null]);
  await exempt(second, personId);
  expect(await stateOf(typed)).toEqual(['CANCELLED', 'EXEMPT']);
  // Whoever asks for it afterwards wants it all the same.
  expect(await stateOf(await request(office, { ...holder, categoryId, email: 'typed@example.org' }))).toEqual(
    ['OPEN', null],
  );
});

test('a request names only a requirement that needs the document of its record', async () => {
  const { requirementId, personId, categoryId } = await require('Medal', { askTo: null });
  const otherType = await create('Category', { name: 'Unneeded' });
  const vehicleId = await create('Vehicle', { name: 'No person' });
  const off = await require('Retired', { isActive: false });
  const holder = { holderKind: 'CONTACT', holderId: personId };
  const document =
    'mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
  const refuse = (input: object, why: RegExp) =>
    expectRefused(office.gateway, document, { input: { email: 'x@example.org', ...input } }, [
      'BAD_REQUEST',
      why,
    ]);
  await refuse({ requirementId }, /holderId/);
  await refuse({ ...holder, requirementId: newId() }, /requirementId/);
  await refuse({ holderKind: 'VEHICLE', holderId: vehicleId, requirementId }, /requirementId/);
  await refuse({ ...holder, requirementId: off.requirementId }, /not in use/);
  await refuse({ ...holder, requirementId, categoryId: otherType }, /categoryId/);
  const made = await request(office, { ...holder, requirementId, categoryId, email: 'y@example.org' });
  await ask(office.gateway, 'mutation ($id: ID!) { deleteRequirement(id: $id) { id } }', {
    id: requirementId,
  });
  await work(1);
  expect(await look(office, made.id)).toMatchObject({ state: 'CANCELLED', ending: 'NOT_REQUIRED' });
});

test('a requirement that is switched off or deleted ends what it asked for', async () => {
  const off = await require('Permit');
  const gone = await require('Badge');
  await work();
  const update = 'mutation ($id: ID!) { updateRequirement(id: $id, input: { isActive: false }) { id } }';
  await ask(office.gateway, update, { id: off.requirementId });
  const ids = (await prisma().documentRequest.findMany({ where: { requirementId: gone.requirementId } })).map(
    ({ id }) => id,
  );
  await ask(office.gateway, 'mutation ($id: ID!) { deleteRequirement(id: $id) { id } }', {
    id: gone.requirementId,
  });
  await work(1);
  expect(await made(off.requirementId)).toMatchObject([{ state: 'CANCELLED', ending: 'NOT_REQUIRED' }]);
  expect(await prisma().documentRequest.findMany({ where: { id: { in: ids } } })).toMatchObject([
    { state: 'CANCELLED', ending: 'NOT_REQUIRED' },
  ]);
});

test('whoever gets no mails is asked when that has changed', async () => {
  const { personId, requirementId } = await require('Pass');
  const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: personId } });
  const suppression = {
    organizationId: place.organizationId,
    addressKey: email ?? '',
    scope: 'ALL' as const,
  };
  const { id } = await prisma().suppression.create({ data: { ...suppression, reason: 'ADMIN' } });
  await work();
  expect(await made(requirementId)).toEqual([]);
  await prisma().suppression.delete({ where: { id } });
  await work(1.1);
  expect(await made(requirementId)).toHaveLength(1);
});

test('vehicles are asked of their contact, or of the user they are assigned to; companies of their main contact', async () => {
  const { categoryId, personId } = await require('Insurance', { isActive: false });
  const user = await prisma().user.findFirstOrThrow({
    where: { organizationId: place.organizationId, email: { contains: '@' } },
  });
  const vehicles = await create('Requirement', {
    ...{ name: 'Insured', holderKind: 'VEHICLE', anyOf: [categoryId], askTo: 'ASSIGNEE' },
  });
  const companies = await create('Requirement', {
    ...{ name: 'Registered', holderKind: 'COMPANY', anyOf: [categoryId], askTo: 'MAIN_CONTACT' },
  });
  await create('Vehicle', { name: 'One', assignedToContactId: personId });
  await create('Vehicle', { name: 'Two', assignedTo: { id: user.id } });
  await create('Vehicle', { name: 'Nobody' });
  await create('Company', { name: 'Firm', primaryContactId: personId });
  await work();
  const asked = await made(vehicles);
  expect(asked.map(({ recipientId, email }) => recipientId ?? email).sort()).toEqual(
    [personId, user.email].sort(),
  );
  expect(await made(companies)).toMatchObject([{ recipientId: personId }]);
});

test('nobody can be asked whom the kind of record does not have', async () => {
  const categoryId = await create('Category', { name: 'Any' });
  const document = 'mutation ($input: CreateRequirementInput!) { createRequirement(input: $input) { id } }';
  const refuse = (input: object, why: RegExp) =>
    expectRefused(office.gateway, document, { input: { name: 'X', anyOf: [categoryId], ...input } }, [
      'BAD_REQUEST',
      why,
    ]);
  await refuse({ holderKind: 'LOCATION', askTo: 'ASSIGNEE' }, /askTo: must be empty/);
  await refuse({ holderKind: 'VEHICLE', askTo: 'MAIN_CONTACT' }, /askTo: must be ASSIGNEE/);
  await refuse({ holderKind: 'CONTACT', askTo: 'HOLDER', askEveryDays: 0 }, /askEveryDays/);
  await refuse({ holderKind: 'CONTACT', askTo: 'HOLDER', askDaysBefore: -1 }, /askDaysBefore/);
});

test('a paper that cannot be asked for keeps no other one from its turn', async () => {
  const [broken, sound] = [await require('Broken'), await require('Sound')];
  const { gateway } = office;
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  await gateway.database.sql(`
    CREATE FUNCTION refuse_request() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON document_requests FOR EACH ROW
      WHEN (NEW.requirement_id = '${broken.requirementId}') EXECUTE FUNCTION refuse_request();
    UPDATE asked_papers SET due_at = due_at - interval '1 minute' WHERE requirement_id = '${broken.requirementId}'`);
  const faults: Error[] = [];
  while (await askByThemselves(gateway.database, gateway.clock.now, (error) => faults.push(error)));
  expect(faults).toHaveLength(1);
  expect(await made(broken.requirementId)).toEqual([]);
  expect(await made(sound.requirementId)).toHaveLength(1);
  await gateway.database.sql('DROP TRIGGER refuse ON document_requests; DROP FUNCTION refuse_request');
  await work(0.1);
  expect(await made(broken.requirementId)).toHaveLength(1);
});

test('a paper whose record somebody holds up waits, and ends only the look of the others', async () => {
  const [held, free] = [await require('Held'), await require('Free')];
  const { database } = office.gateway;
  await evaluateTurns(database, () => at(0));
  await database.sql(
    `UPDATE asked_papers SET due_at = due_at - interval '1 minute' WHERE requirement_id = '${held.requirementId}'`,
  );
  await database.sql(`
    CREATE FUNCTION refuse_lock() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE 'no lock' USING ERRCODE = '55P03'; END $$;
    CREATE TRIGGER refuse_lock BEFORE INSERT ON document_requests FOR EACH ROW
      WHEN (NEW.requirement_id = '${held.requirementId}') EXECUTE FUNCTION refuse_lock()`);
  await expect(askByThemselves(database, at(0))).rejects.toThrow('no lock');
  expect(await made(free.requirementId)).toEqual([]);
  while (await askByThemselves(database, at(0)));
  expect(await made(free.requirementId)).toHaveLength(1);
  await database.sql('DROP FUNCTION refuse_lock CASCADE');
  await work(0.1);
  expect(await made(held.requirementId)).toHaveLength(1);
});

test('requests of the demo, which have no links, stay as they are', async () => {
  const gateway = await startFirstTime();
  try {
    const states = () =>
      gateway.database.prisma.documentRequest.groupBy({
        by: ['state'],
        _count: true,
        orderBy: { state: 'asc' },
      });
    const before = await states();
    expect(before).toHaveLength(2);
    await closeRequests(gateway.database, gateway.clock.now);
    expect(await states()).toEqual(before);
  } finally {
    await gateway.close();
  }
});

test('a record that a requirement no longer applies to is asked no more, whichever of both has changed', async () => {
  const moved = await require('Forklift');
  const narrowed = await require('Crane');
  await work();
  const rename = 'mutation ($id: ID!) { updateContact(id: $id, input: { name: "Office" }) { id } }';
  await ask(office.gateway, rename, { id: moved.personId });
  const narrow = `mutation ($id: ID!) { updateRequirement(id: $id, input: { applies: { term: "Nobody" } }) { id } }`;
  await ask(office.gateway, narrow, { id: narrowed.requirementId });
  // Nothing is known of it before the change is evaluated.
  await closeRequests(office.gateway.database, at(0.5));
  for (const { requirementId } of [moved, narrowed])
    expect(await made(requirementId)).toMatchObject([{ state: 'OPEN' }]);
  await work(1);
  for (const { requirementId } of [moved, narrowed])
    expect(await made(requirementId)).toMatchObject([{ state: 'CANCELLED', ending: 'NOT_REQUIRED' }]);
  const [id] = await idsOf(narrowed.requirementId);
  const told = await prisma().eventLog.findFirstOrThrow({
    where: { typeId: 39, entities: { some: { entityId: id, position: 0 } } },
  });
  expect(told.description).toMatch(/no longer in use, or applies to the record no more/);
});

test('a look at open requests is bounded, and the next one goes on after it', async () => {
  const { database } = office.gateway;
  const categoryId = await create('Category', { name: 'Pass of many' });
  const insert = `
    INSERT INTO document_requests (id, organization_id, team_id, category_id, email)
    SELECT ('00000000-0000-7000-8000-' || lpad(g::text, 12, '0'))::uuid, $1, $2, $3, 'office@example.org'
    FROM generate_series(1, 1001) AS g`;
  const { organizationId, teamId } = place;
  await database.query({ name: 'many', text: insert, values: [organizationId, teamId, categoryId] });
  const idAt = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  // What it was about is gone.
  await prisma().documentRequest.update({ where: { id: idAt(1001) }, data: { holderKind: 'vehicle' } });
  const states = async () =>
    (await prisma().documentRequest.groupBy({ by: ['state'], where: { categoryId }, _count: true }))
      .map(({ state, _count }) => [state, _count])
      .sort();
  const walk: { after?: string | undefined } = {};
  expect(await closeRequests(database, at(0), walk)).toBe(false);
  expect(walk.after).toBe(idAt(1000));
  expect(await states()).toEqual([['OPEN', 1001]]);
  expect(await closeRequests(database, at(0), walk)).toBe(false);
  expect(walk.after).toBe(undefined);
  expect(await states()).toEqual([
    ['CANCELLED', 1],
    ['OPEN', 1000],
  ]);
});

test('a request that fails is passed by alone, and is tried again later', async () => {
  const { database } = office.gateway;
  const categoryId = await create('Category', { name: 'Pass of some' });
  // What they are about is gone.
  const gone = { ...place, categoryId, email: 'office@example.org', holderKind: 'vehicle' };
  const ids = Array.from({ length: 150 }, () => newId()).sort();
  await prisma().documentRequest.createMany({ data: ids.map((id) => ({ ...gone, id })) });
  const stuck = ids[70] ?? '';
  await database.sql(`
    CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse_end BEFORE UPDATE ON document_requests FOR EACH ROW
      WHEN (NEW.id = '${stuck}') EXECUTE FUNCTION refuse_end()`);
  const open = async () =>
    (await prisma().documentRequest.findMany({ where: { categoryId, state: 'OPEN' } })).map(({ id }) => id);
  const walk: Parameters<typeof closeRequests>[2] = {};
  const faults: string[] = [];
  const closeAll = async () => {
    do while (await closeRequests(database, at(0), walk, (_error, id) => faults.push(id)));
    while (walk.after);
  };
  await closeAll();
  expect(await open()).toEqual([stuck]);
  await closeAll();
  expect(faults).toEqual([stuck, stuck]);
  await database.sql('DROP FUNCTION refuse_end CASCADE');
  await closeAll();
  expect(await open()).toEqual([]);
});
