import { describe, expect, test } from 'vitest';
import { type TestGateway, testTime } from '../support/gateway.js';
import { eventsOf, expectBadRequest, expectError, serverId } from './support.js';

/** Everything that a rejected write must leave unchanged. */
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

/** Runs requests that must be rejected, and expects that they write nothing. */
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
  /** Number of its kind in `related_entities[].type_id`. */
  readonly kind: number;
  /** Returns the name that people see. */
  readonly noun: string;
  /**
   * All its members when nothing is set, except those of every record: `id`, `modified`, and `team_id` if it
   * has one.
   */
  readonly blank: object;
  /** Required members of a body. */
  readonly needed?: () => object;
  /** Returns a non-default value for each member that callers write. */
  readonly full: () => Promise<object>;
  readonly hasTeam?: boolean;
}

const modified = testTime.toISOString();
/** Returns the required members of a body. */
export const needsOf = ({ needed }: Rows) => needed?.() ?? {};
const placeOf = ({ hasTeam = true }: Rows, teamId: string) => (hasTeam ? { team_id: teamId } : {});

/** Defines the tests of POST for records of every kind. */
export function describeCreate(rows: Rows): void {
  const { gateway, path } = rows;
  const post = (body: unknown, token = gateway().admin) => gateway().send('POST', path, { body, token });

  describe(`POST ${path}`, () => {
    test('201: exactly the members of the model, with the sent values', async () => {
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

    test('201: missing and null values get their defaults', async () => {
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

    test('201, then 409: a client may choose a free id', async () => {
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

/** Returns a member that is written as a reference and shown as the record. */
function shown(full: object): object {
  const assigned = (full as { assigned_to?: { id: string } }).assigned_to;
  return assigned ? { ...full, assigned_to: expect.objectContaining(assigned) } : full;
}

const models = { 4: 'company', 5: 'contact', 6: 'contactType', 7: 'location' } as const;

/** Deletes a record, so that the next one may have its name; tables are emptied only of their own kind. */
async function remove({ database: { prisma } }: TestGateway, { kind }: Rows, { id }: { id: string }) {
  const model = prisma[models[kind as keyof typeof models]] as unknown as {
    delete(args: object): Promise<unknown>;
  };
  await model.delete({ where: { id } });
}

/** An invalid value: the member that the message names, and what is sent. */
export type Refused = readonly [member: string, body: () => object];

/** Defines the tests of bodies that every write must reject. */
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
