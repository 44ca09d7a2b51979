import { expect } from 'vitest';
import { errorKinds } from '../../src/domain/errors.js';
import type { TestGateway, TestResponse } from '../support/gateway.js';

/** What tells of the inside of the service: stacks, files, statements, hosts, libraries, values of JavaScript. */
const inside = [
  /\n\s+at /,
  /\bat \S+:\d+:\d+/,
  /node_modules|\bfile:\/\/|\.[cm]?[jt]s:\d|\/(?:home|tmp|usr|var|srv|root|src)\//,
  /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET|COMMIT|ROLLBACK)\b/,
  /prisma|pothos|sofa|yoga|postgres|\bpg_|\bzod\b|\bdriver\b|invocation/i,
  /localhost|127\.0\.0\.1|\bE(?:CONN|PIPE|NOTFOUND|NOENT)\w*/,
  /relation "|column "|constraint "|violates|syntax error at or near|SQLSTATE|\bP20\d\d\b/,
  /\[object |\bTypeError\b|\bRangeError\b|Cannot (?:read|convert)|is not a function|Maximum call stack/,
];

/** Expects that a message tells what is wrong and nothing of the inside, in a length that fits a screen. */
export function expectTold(message: unknown): void {
  expect(message).toEqual(expect.stringMatching(/\S/));
  const text = String(message);
  for (const sign of inside) expect(text).not.toMatch(sign);
  expect(text.length).toBeLessThanOrEqual(500);
}

/** The codes that are no fault of the caller's. */
const faults = new Set(['INTERNAL_ERROR', 'UNAVAILABLE']);

/** Expects of any answer of the REST door: no fault of ours, and of a refusal exactly the contract's body. */
export function expectRest({ status, json, headers, text }: TestResponse, head = false): void {
  expect(status, text).toBeLessThan(500);
  if (status < 400 || head) return;
  expect(json).toStrictEqual({ message: expect.any(String), ok: false, code: expect.any(String) });
  expect(errorKinds[json.code as keyof typeof errorKinds]?.status).toBe(status);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expectTold(json.message);
}

/** Expects of any answer of the GraphQL door: no fault of ours, and of each error its code from the table. */
export function expectGraphql({ status, json, text }: TestResponse): void {
  expect(status, text).toBeLessThan(500);
  for (const { message, extensions } of json?.errors ?? []) {
    expect(Object.keys(errorKinds)).toContain(extensions?.code);
    expect(faults.has(extensions.code), text).toBe(false);
    expect(extensions.violations, text).toBeInstanceOf(Array);
    expectTold(message);
  }
  if (status >= 400) expect(json?.errors?.length, text).toBeGreaterThan(0);
}

/** Expects that a gateway still does its work. */
export async function expectAlive(gateway: TestGateway): Promise<void> {
  const { data } = await gateway.graphql('{ me { id } }');
  expect(data.me.id).toBe(gateway.userId);
}
