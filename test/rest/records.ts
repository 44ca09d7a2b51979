import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant, type TestGateway, testTime } from '../support/gateway.js';
import { eventsOf, expectBadRequest, expectError, expectNotModified, nowhere, serverId } from './support.js';

/** Everything that a refused write must leave as it was, whole. */
async function everything({ database: { prisma } }: TestGateway) {
  const orderBy = { id: 'asc' as const };
  return Promise.all([
    prisma.contact.findMany({ orderBy }),
    prisma.contactType.findMany({ orderBy }),
    prisma.company.findMany({ orderBy }),
    prisma.location.findMany({ orderBy }),
    prisma.tag.findMany({ orderBy }),
    prisma.team.findMany({ orderBy }),
    prisma.membership.findMany({ orderBy: [{ userId: 'asc' }, { teamId: 'asc' }] }),
    prisma.eventLog.findMany({ orderBy }),
  ]);
}

/** Runs requests that must be refused, and expects that they leave nothing written. */
export async function expectNoTrace(gateway: TestGateway, work: () => Promise<unknown>): Promise<void> {
  const before = await everything(gateway);
  await work();
  expect(await everything(gateway)).toEqual(before);
}

/** Creates a record. */
export async function made(gateway: TestGateway, path: string, body: object = {}, token = gateway.admin) {
  const response = await gateway.send('POST', path, { body, token });
  expect(response.status, response.text).toBe(201);
  return response.json;
}

/** A REST resource under test. */
export interface Rows {
  readonly gateway: () => TestGateway;
  readonly path: string;
  /** The number of its records in `related_entities[].type_id`. */
  readonly kind: number;
  /** What a person calls it. */
  readonly noun: string;
  /** All its members with nothing set, but those of every record: `id`, `modified`, and `team_id` if it has one. */
  readonly blank: object;
  /** Members that no body can be without. */
  readonly needed?: () => object;
  /** A value other than the default for each member that callers write. */
  readonly full: () => Promise<object>;
  readonly hasTeam?: boolean;
}

const modified = testTime.toISOString();
const needsOf = ({ needed }: Rows) => needed?.() ?? {};
const placeOf = ({ hasTeam = true }: Rows, teamId: string) => (hasTeam ? { team_id: teamId } : {});

/** What POST must do with records of every kind. */
export function describeCreate(rows: Rows): void {
  const { gateway, path } = rows;
  const post = (body: unknown, token = gateway().admin) => gateway().send('POST', path, { body, token });

  describe(`POST ${path}`, () => {
    test('201: exactly the members of the model, with what was sent', async () => {
      const full = await rows.full();
      const response = await post({ ...full, modified: '1999-01-01T00:00:00Z', unknown: [1] });
      expect(response.status, response.text).toBe(201);
      const place = { ...placeOf(rows, gateway().teamId) };
      expect(response.json).toEqual({ ...rows.blank, ...place, ...shown(full), id: serverId, modified });
      expect(Object.keys(response.json).sort()).toEqual(
        Object.keys({ ...rows.blank, ...place, id: '', modified }).sort(),
      );
      expect(response.headers.get('location')).toBe(`${path}/${response.json.id}`);
      expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
    });

    test('201: what is left out, or null, has its default', async () => {
      const expected = { ...rows.blank, ...placeOf(rows, gateway().teamId), id: serverId, modified };
      const nulls = Object.fromEntries(Object.keys(expected).map((name) => [name, null]));
      for (const body of [{}, nulls]) {
        const needed = needsOf(rows);
        const record = await made(gateway(), path, { ...body, ...needed });
        expect(record).toEqual({ ...expected, ...needed });
        await remove(gateway(), rows, record);
      }
    });

    test('201: one event tells who made what', async () => {
      const record = await made(gateway(), path, { name: 'Told', ...needsOf(rows) }, gateway().member);
      const events = await eventsOf(gateway(), record);
      expect(events).toMatchObject([
        {
          typeId: 1,
          teamId: gateway().teamId,
          userName: 'Max Member',
          description: expect.stringMatching(new RegExp(`^${rows.noun} "Told" was created$`, 'i')),
          entities: [{ entityId: record.id, typeId: rows.kind, position: 0 }],
        },
      ]);
      expect(JSON.parse(events[0]?.details ?? '')).toMatchObject({ name: { before: null, after: 'Told' } });
      await remove(gateway(), rows, record);
    });

    test('201, then 409: a client may choose an id that is free', async () => {
      const id = '018F0000-0000-7000-8000-00000000ABCD';
      const record = await made(gateway(), path, { ...needsOf(rows), id });
      expect(record.id).toBe(id.toLowerCase());
      await expectNoTrace(gateway(), async () => {
        expectError(await post({ ...needsOf(rows), id }), 409, 'CONFLICT', /^id\b/);
      });
      await remove(gateway(), rows, record);
    });

    test.each(['viewer', 'uploader'] as const)('403: a %s may not', async (role) => {
      await expectNoTrace(gateway(), async () => {
        expectError(await post({ ...needsOf(rows) }, gateway()[role]), 403, 'FORBIDDEN', /role/);
      });
    });

    test('401: nor may someone unknown', async () => {
      expectError(await gateway().send('POST', path, { body: {}, token: null }), 401, 'UNAUTHORIZED');
    });
  });
}

/** A member that is written as a reference is shown as the record. */
function shown(full: object): object {
  const assigned = (full as { assigned_to?: { id: string } }).assigned_to;
  return assigned ? { ...full, assigned_to: expect.objectContaining(assigned) } : full;
}

const models = { 4: 'company', 5: 'contact', 6: 'contactType', 7: 'location' } as const;

/** Takes a record away, so that the next one may have its name; tables are emptied by their own kind only. */
async function remove({ database: { prisma } }: TestGateway, { kind }: Rows, { id }: { id: string }) {
  const model = prisma[models[kind as keyof typeof models]] as unknown as {
    delete(args: object): Promise<unknown>;
  };
  await model.delete({ where: { id } });
}

/** A value that is refused: the member that the message names, and what is sent. */
export type Refused = readonly [member: string, body: () => object];

/** What every write must refuse of a body. */
export function describeRefusals(rows: Rows, refused: readonly Refused[]): void {
  const { gateway, path } = rows;

  test.each([
    ...refused,
    ['name', () => ({ name: 'x'.repeat(256) })],
    ['name', () => ({ name: 'a\0b' })],
    ['name', () => ({ name: '\ud800' })],
    ['name', () => ({ name: 5 })],
    ['id', () => ({ id: 'no-uuid' })],
  ] as Refused[])(`400: POST ${path} with a wrong %s (%#)`, async (member, body) => {
    await expectNoTrace(gateway(), async () => {
      const response = await gateway().send('POST', path, {
        body: { ...needsOf(rows), ...body() },
        token: gateway().member,
      });
      expectBadRequest(response, new RegExp(`^${member.replaceAll(/[[\].]/g, '\\$&')}\\b`));
    });
  });
}

/** What PATCH must do with records of every kind. */
export function describePatch(rows: Rows, change: { member: string; value: unknown; wrong: unknown }): void {
  const { gateway, path } = rows;
  const { member, value } = change;
  const patch = ({ id }: { id: string }, operations: unknown, token = gateway().admin) =>
    gateway().send('PATCH', `${path}/${id}`, { body: operations, token });
  const set = (to: unknown) => [{ op: 'replace', path: `/${member}`, value: to }];
  let record: { id: string; [member: string]: unknown };
  let foreign: Tenant;

  describe(`PATCH ${path}/{id}`, () => {
    beforeAll(async () => {
      foreign = await createTenant(gateway().database, 'Globex');
      record = await made(gateway(), path, { ...needsOf(rows), name: 'Patched' });
    });

    test('200: one member is changed, the others are kept, one event tells of it', async () => {
      const response = await patch(record, set(value));
      expect(response.status, response.text).toBe(200);
      expect(response.json).toEqual({ ...record, [member]: value, modified: '2026-11-20T09:30:00.001Z' });
      expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/);
      const event = (await eventsOf(gateway(), record)).at(-1);
      expect(JSON.parse(event?.details ?? '')).toEqual({
        [member]: { before: record[member], after: value },
      });
      expect(event?.entities).toMatchObject([{ entityId: record.id, typeId: rows.kind }]);
      record = response.json;
    });

    test('304: nothing to change, nothing written', async () => {
      await expectNoTrace(gateway(), async () => {
        expectNotModified(await patch(record, []));
        expectNotModified(await patch(record, set(value)));
      });
    });

    test('409: a test that fails', async () => {
      const operations = [...set(change.wrong), { op: 'test', path: `/${member}`, value: 'other' }];
      await expectNoTrace(gateway(), async () => {
        expectError(await patch(record, operations.reverse()), 409, 'CONFLICT');
      });
    });

    test('412: another version', async () => {
      const headers = { 'If-Match': '"0-x"' };
      const request = { body: set(change.wrong), headers };
      const response = await gateway().send('PATCH', `${path}/${record.id}`, request);
      expectError(response, 412, 'PRECONDITION_FAILED');
    });

    test.each([
      ['a wrong value', () => set(change.wrong)],
      ['an unknown member', () => [{ op: 'add', path: '/unknown', value: 1 }]],
      ["the server's own id", () => [{ op: 'replace', path: '/id', value: nowhere }]],
      ["the server's own time", () => [{ op: 'remove', path: '/modified' }]],
      ['no list', () => ({ op: 'remove', path: '/name' })],
    ])('400: %s', async (_what, operations) => {
      await expectNoTrace(gateway(), async () => {
        expectBadRequest(await patch(record, operations()));
      });
    });

    test('404: for what does not exist, or is not the caller’s to see', async () => {
      const elsewhere = await made(
        gateway(),
        path,
        { ...needsOf(rows), name: 'Elsewhere', team_id: gateway().otherTeamId },
        gateway().admin,
      );
      await expectNoTrace(gateway(), async () => {
        for (const id of [nowhere, 'no-uuid']) {
          expectError(await patch({ id }, set(value)), 404, 'NOT_FOUND');
        }
        expectError(await patch(elsewhere, set(value), gateway().member), 404, 'NOT_FOUND');
        expectError(await patch(record, set(value), foreign.admin), 404, 'NOT_FOUND');
      });
    });

    test('403: a viewer may not', async () => {
      expectError(await patch(record, set(value), gateway().viewer), 403, 'FORBIDDEN');
    });
  });
}
