import { newId } from '../../src/domain/rules.js';
import type { TestGateway, TestRequest, TestResponse } from '../support/gateway.js';

/** Hours in milliseconds. */
export const hours = (count: number) => count * 3_600_000;

/** A request with a key, made for it unless it is given. */
export function keyed(request: TestRequest = {}, key: string = newId()): TestRequest {
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': key } };
}

/** What two answers must have in common for one to be the other, played back. */
export function shown({ status, headers, text }: TestResponse) {
  const names = ['content-type', 'content-length', 'etag', 'location'];
  return { status, text, headers: names.map((name) => [name, headers.get(name)]) };
}

export const isReplay = ({ headers }: TestResponse) => headers.get('idempotency-replayed') === 'true';

/** How much is written, of what every write leaves. */
export async function written({ database: { prisma } }: TestGateway) {
  const [vehicles, items, events, uploads] = await Promise.all([
    prisma.vehicle.count(),
    prisma.expirationItem.count(),
    prisma.eventLog.count(),
    prisma.uploadNotification.count(),
  ]);
  return { vehicles, items, events, uploads };
}
