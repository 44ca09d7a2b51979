import { newId } from '../../src/domain/rules.js';
import type { TestGateway, TestRequest, TestResponse } from '../support/gateway.js';

/** Hours in milliseconds. */
export const hours = (count: number) => count * 3_600_000;

/** Returns a request with an idempotency key, which is generated unless it is given. */
export function keyed(request: TestRequest = {}, key: string = newId()): TestRequest {
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': key } };
}

/** Returns what two answers must have in common if one is the other, replayed. */
export function shown({ status, headers, text }: TestResponse) {
  const names = ['content-type', 'content-length', 'etag', 'location'];
  return { status, text, headers: names.map((name) => [name, headers.get(name)]) };
}

export const isReplay = ({ headers }: TestResponse) => headers.get('idempotency-replayed') === 'true';

/** Counts everything that every write leaves behind. */
export async function written({ database: { prisma } }: TestGateway) {
  const [vehicles, items, events, uploads] = await Promise.all([
    prisma.vehicle.count(),
    prisma.expirationItem.count(),
    prisma.eventLog.count(),
    prisma.uploadNotification.count(),
  ]);
  return { vehicles, items, events, uploads };
}
