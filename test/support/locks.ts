import { expect } from 'vitest';
import { eventually } from './eventually.js';
import type { TestGateway } from './gateway.js';

/** Returns the backends of a gateway's database that wait for a lock. */
export function waiters({ database: { prisma } }: TestGateway): Promise<{ pid: number }[]> {
  return prisma.$queryRaw`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
}

/**
 * Runs `work` while a vehicle or an item is locked, so that anybody who writes it waits.
 * @param work gets a promise that resolves once somebody waits
 */
export async function whileLocked<T>(
  gateway: TestGateway,
  { id }: { id: string },
  work: (waiting: () => Promise<{ pid: number }[]>) => Promise<T>,
): Promise<T> {
  const waiting = () =>
    eventually(async () => {
      const found = await waiters(gateway);
      expect(found).not.toEqual([]);
      return found;
    });
  return gateway.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM vehicles WHERE id = ${id}::uuid FOR UPDATE`;
    await tx.$executeRaw`SELECT FROM expiration_items WHERE id = ${id}::uuid FOR UPDATE`;
    return work(waiting);
  });
}
