import { expect } from 'vitest';
import type { TestGateway } from './gateway.js';

/**
 * Returns the names of the statements that a request sends, in order, without the one that finds out who
 * asks.
 */
export async function namesOf(gateway: TestGateway, work: () => Promise<unknown>): Promise<string[]> {
  const [first, ...others] = await gateway.statementNames(work);
  expect(first).toBe('access_tokens.authenticate');
  return others;
}
