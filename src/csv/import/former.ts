import { translateError } from '../../db/connection/errors.js';
import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { GatewayError } from '../../domain/errors.js';
import type { FormerRecord } from '../../imports/queue.js';
import type { PlannedChange } from '../../records/record.js';
import type { RecordBase, Resource } from '../../records/resource.js';

/** Marks a date among values that are kept as JSON. */
const dateMark = '$date';

const written = (value: unknown) => (value instanceof Date ? { [dateMark]: value.toISOString() } : value);

function read(value: unknown): unknown {
  const date = (value as { readonly [dateMark]?: string } | null)?.[dateMark];
  return date === undefined ? value : new Date(date);
}

const sameJson = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns what a change replaces: the fields that differ, with their values before. */
export function formerOf({ id, before, after }: PlannedChange<RecordBase>): FormerRecord {
  const changed = Object.entries(before).filter(([field, value]) => !sameJson(value, after[field]));
  const { modified } = after as { readonly modified: Date };
  return {
    ...{ id, modified: modified.toISOString() },
    values: Object.fromEntries(changed.map(([field, value]) => [field, written(value)])),
  };
}

/** Reads values that were kept. */
export const formerValues = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, read(value)]));

/**
 * Writes all at once. If the database refuses them, each half is written on its own.
 * @returns those that are refused, with the reason
 */
export async function writeInHalves<One>(
  tx: Transaction,
  session: Session,
  resource: Resource,
  all: readonly One[],
  write: (part: Transaction, some: readonly One[]) => Promise<void>,
): Promise<Map<One, GatewayError>> {
  const [first, ...others] = all;
  if (first === undefined) return new Map();
  try {
    await tx.inTransaction((part) => session.within(part, () => write(part, all)));
    return new Map();
  } catch (error) {
    const told = translateError(error, resource.table);
    if (!(told instanceof GatewayError) || told.status >= 500) throw error;
    if (others.length === 0) return new Map([[first, told]]);
    const middle = Math.ceil(all.length / 2);
    const before = await writeInHalves(tx, session, resource, all.slice(0, middle), write);
    const behind = await writeInHalves(tx, session, resource, all.slice(middle), write);
    return new Map([...before, ...behind]);
  }
}
