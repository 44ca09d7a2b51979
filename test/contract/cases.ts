import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTenant, startGateway } from '../support/gateway.js';
import { refusals } from './refusals.js';
import type { World } from './requests.js';
import { named, type Row, whatToDo } from './rows.js';
import { successes } from './successes.js';

/** Describes what each row must do: every success, and every error that the contract names for it. */
export function describeRows(table: readonly Row[]): void {
  let world: World;
  beforeAll(async () => {
    const gateway = await startGateway();
    world = {
      home: { gateway, tenant: gateway },
      abroad: { gateway, tenant: await createTenant(gateway.database, 'Globex') },
      made: new Map(),
    };
  });
  afterAll(() => world.home.gateway.close());

  describe.each(named(table))('%s', (_name, row) => {
    const cases = [...successes(row), ...refusals(row)];

    test('every error that the contract names is provoked', () => {
      const provoked = new Set(cases.map(({ error }) => error));
      const missing = row.errors.filter((name) => !provoked.has(name));
      expect(missing, 'Provoke them in test/contract/refusals.ts.').toEqual([]);
    });

    test.each(cases.map(({ name, run }) => [name, run] as const))('%s', (_case, run) =>
      run(world).catch((error) => {
        error.message += `\n\n${whatToDo(row)}`;
        throw error;
      }),
    );
  });
}
