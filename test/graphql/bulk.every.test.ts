import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { createItem, expectNothingStored } from '../rest/items.support.js';
import { createTenant, useGateway } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { idsAlone, makeItems, operations, update } from './bulk.support.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
beforeEach(async () => {
  const { expirationItem, eventLog } = gateway.database.prisma;
  await expirationItem.deleteMany();
  await eventLog.deleteMany();
});

const run = async (operation: string, variables: object, token?: string) =>
  (await ask(gateway, operation, variables, token)).items;

describe.each(operations)('%s', (_, operation, rest) => {
  test('takes no id, and answers nothing', async () => {
    expect(await run(operation, { ids: [], ...rest })).toEqual([]);
  });

  test('takes 500 ids, counting duplicates once, but no more', async () => {
    const ids = await makeItems(gateway, 500);
    expect(await run(operation, { ids: [...ids, ...ids], ...rest })).toHaveLength(500);
    await expectRefusal(
      refusal(gateway, operation, { ids: [...ids, newId()], ...rest }),
      'BAD_REQUEST',
      'ids',
      /at most 500/,
    );
  });

  test('changes none when one is not there, or not for the caller, and names it', async () => {
    const foreign = await createTenant(gateway.database, 'Globex');
    const own = await createItem(gateway);
    const hidden = await createItem(gateway, { teamId: gateway.otherTeamId });
    const refused = (ids: string[], token?: string) => refusal(gateway, operation, { ids, ...rest }, token);
    await expectNothingStored(gateway, async () => {
      const unknown = newId();
      for (const id of [unknown, 'no-uuid']) {
        await expectRefusal(
          refused([own.id, id]),
          'NOT_FOUND',
          undefined,
          new RegExp(`expiration item .*"${id}"`),
        );
      }
      const named = new RegExp(hidden.id);
      await expectRefusal(refused([own.id, hidden.id], gateway.member), 'NOT_FOUND', undefined, named);
      await expectRefusal(refused([own.id], foreign.admin), 'NOT_FOUND', undefined, new RegExp(own.id));
      await expectRefusal(refused([own.id], gateway.viewer), 'FORBIDDEN');
      await expectRefusal(refused([own.id], gateway.uploader), 'FORBIDDEN');
    });
  });

  test('takes the same statements for 3 items and for 100', async () => {
    const sent: string[][] = [];
    for (const count of [3, 100]) {
      const ids = await makeItems(gateway, count);
      sent.push(await namesOf(gateway, () => ask(gateway, idsAlone(operation), { ids, ...rest })));
    }
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[0]?.length).toBeLessThan(12);
  });

  test('two of the same items in other orders do not stop each other', async () => {
    const ids = await makeItems(gateway, 100);
    const date = (year: number) => ({
      ...rest,
      ...('expirationDate' in rest && { expirationDate: `${year}-01-01` }),
    });
    const answers = await Promise.all(
      [ids, [...ids].reverse(), ids, [...ids].reverse()].map((order, n) =>
        gateway.graphql(operation, { ids: order, ...date(2030 + n) }),
      ),
    );
    const codes = answers.flatMap(
      ({ errors }) => errors?.map((error: { extensions: { code: string } }) => error.extensions.code) ?? [],
    );
    // Late comers may find the items gone, or renewed further.
    expect(codes.filter((code) => code !== 'NOT_FOUND' && code !== 'BAD_REQUEST')).toEqual([]);
    expect(answers.filter(({ errors }) => !errors).length).toBeGreaterThan(0);
  });
});

test('many names and links take as many statements for 3 items as for 60', async () => {
  const input = {
    category: { name: 'Shared' },
    tags: [{ name: 'x' }, { name: 'y' }],
    contacts: [{ email: 'z@example.com' }],
    locations: [{ name: 'Here' }],
    assignedTo: { id: gateway.userId },
    customFields: [{ id: newId(), name: 'Number', value: '7' }],
  };
  const counts: number[] = [];
  // What is named exists from the first time on.
  for (const count of [1, 3, 60]) {
    const ids = await makeItems(gateway, count);
    const sent = await namesOf(gateway, () => ask(gateway, idsAlone(update), { ids, input }));
    counts.push(sent.length);
  }
  expect(counts[2]).toBe(counts[1]);
});
