import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../support/gateway.js';
import { expectNoTrace, made, needsOf, type Rows } from './records.js';
import { eventsOf, expectBadRequest, expectError, expectNotModified, nowhere } from './support.js';

/** Defines the tests of PATCH for records of every kind. */
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

    test('200: one member is changed, the others are kept, with one event', async () => {
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

    test('404: for an unknown one, or one that the caller does not see', async () => {
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
