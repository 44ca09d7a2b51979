import { describe, expect, test } from 'vitest';
import { requestLimits } from '../../src/graphql/limits/limits.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { useGateway } from '../support/gateway.js';
import { floods } from './attacks.floods.js';
import type { Attack } from './attacks.js';
import { bodies, subtle } from './attacks.subtle.js';

const gateway = useGateway();

/**
 * Milliseconds of computing that an attack may cost, those of this test, which sends it, included. Where processors are
 * shared it takes more of them, as their caches and what lies below a virtual machine are shared as well.
 */
const bearable = 250;

const headers = { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json' };

/** Returns the attack in a document that was not seen before. */
const another = (attack: Attack) => (attempt: number) =>
  JSON.stringify({ ...attack, query: `${attack.query}#${attempt}` });

/** Expects a body to be refused, shortly and soon. */
async function expectRefused(bodyOf: (attempt: number) => string): Promise<void> {
  const spent: number[] = [];
  // Other work of the process, such as compiling and collecting garbage, falls on one attempt or the other.
  while (spent.length < 4 && !spent.some((milliseconds) => milliseconds < bearable)) {
    const raw = bodyOf(spent.length);
    spent.push(
      await cpuTimeOf(async () => {
        const response = await gateway.send('POST', '/graphql', { raw, headers });
        expect(response.status, response.text).toBe(400);
        expect(response.json.data).toBeUndefined();
        for (const { extensions } of response.json.errors)
          expect(extensions).toMatchObject({ code: 'BAD_REQUEST' });
        expect(response.text.length).toBeLessThan(16_384);
        expect(response.text).not.toMatch(/did you mean|stack|node_modules/i);
      }),
    );
  }
  expect(Math.min(...spent)).toBeLessThan(bearable);
}

describe.each([
  ['as large as a body', 1024 * 1024 - 1024],
  ['as large as a document may be', requestLimits.characters - 100],
])('a document %s, of', (_, room) => {
  test.each(Object.entries(floods))('%s', async (_, attack) => {
    await expectRefused(another(attack(room)));
  });
});

test.each(Object.entries(subtle))('a document of %s', async (_, attack) => {
  await expectRefused(another(attack));
});

test.each(Object.entries(bodies))('a body of %s', async (_, raw) => {
  await expectRefused(() => raw);
});
