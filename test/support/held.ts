import { expect } from 'vitest';
import { eventually } from './eventually.js';
import type { TestGateway } from './gateway.js';

/** Returns the bytes that requests hold according to `/metrics`, of all kinds. */
export async function heldBy(gateway: TestGateway): Promise<number> {
  const { text } = await gateway.send('GET', '/metrics', { token: null });
  const values = [...text.matchAll(/^gateway_memory_held_bytes\{.*\} (.*)$/gm)].map(([, value]) =>
    Number(value),
  );
  expect(values).toHaveLength(3);
  return values.reduce((sum, value) => sum + value, 0);
}

/** Waits until requests hold nothing any more. */
export const expectNothingHeld = (gateway: TestGateway) =>
  eventually(async () => expect(await heldBy(gateway)).toBe(0));
