import type { Session } from '../../db/connection/session.js';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { readByIndex } from '../../db/sql/by-index.js';
import { raw, type Sql, sql } from '../../db/sql/sql.js';
import { insertMissing } from '../../db/sql/write-record.js';
import type { FieldPath } from '../../domain/errors.js';
import { entityNames } from '../../domain/events.js';
import { Violations } from '../../domain/input/violations.js';
import { groupBy } from '../../domain/load/grouping.js';
import { newId } from '../../domain/rules.js';
import { folded, snakeCase } from '../../domain/text/names.js';
import { eventsSql } from '../event-logs.js';
import { createdEvent } from '../record-events.js';
import type { RecordBase, RecordValues } from '../resource.js';
import { findIds, type NamedKind } from './named-ids.js';

/** A record that an input names and that does not exist yet. */
interface NewNamed {
  readonly kind: NamedKind;
  readonly key: string;
  readonly row: RecordBase;
  /** Place of its key in the input that named it first. */
  readonly at: FieldPath;
}

/**
 * Records that inputs name and that do not exist yet. They have their ids from the start, so that the inputs
 * can be checked before anything is written.
 */
export class NewNames {
  /** True if nothing may be written, or if one refusal must not undo the others. Refusals are then foreseen. */
  readonly isAhead: boolean;
  readonly #byKey = new Map<string, NewNamed>();
  readonly #byId = new Map<string, NewNamed>();
  /** The ids of those that others have created meanwhile. */
  readonly #others = new Map<string, string>();
  readonly #taken = new Map<string, boolean>();
  /** Ids of records that inputs before these are going to create. */
  readonly expected = new Set<string>();

  constructor({ isAhead = false } = {}) {
    this.isAhead = isAhead;
  }

  /** Returns the id of a record to be created, by its natural key. */
  ensure(
    tx: Transaction,
    session: Session,
    { kind, key, teamId, values, at }: Omit<NewNamed, 'row'> & { teamId: string; values: object },
  ): string {
    const name = [kind.resource.kind, kind.inWorkspace ? teamId : '', folded(key.trim())].join(' ');
    const { caller, now } = session;
    const base = { organizationId: caller.organizationId, teamId, created: now, modified: now };
    const known = this.#byKey.get(name) ?? { kind, key, at, row: { ...values, id: newId(), ...base } };
    const { id } = known.row;
    this.#byKey.set(name, known);
    this.#byId.set(id, known);
    // Whoever looks it up finds what is going to be there.
    tx.lookUps.set(`${kind.resource.kind} ${id}`, Promise.resolve(known.row));
    return id;
  }

  /** Returns a record to be created, by its id. */
  find(id: string): RecordBase | undefined {
    return this.#byId.get(id)?.row;
  }

  /** Lists those among the ids in values that have not been created yet. */
  among(records: readonly RecordValues[]): NewNamed[] {
    const ids = new Set(records.flatMap((values) => Object.values(values).flat()));
    return [...ids].flatMap((id) => {
      const found = this.#byId.get(id as string);
      return found && !this.#others.has(found.row.id) ? found : [];
    });
  }

  /** Notes that a record exists, under its own id or another one. */
  settle({ row }: NewNamed, id: string): void {
    this.#others.set(row.id, id);
  }

  /** Replaces ids in values by those under which the records exist. */
  settled<Values extends RecordValues>(values: Values): Values {
    if (this.#others.size === 0) return values;
    const replaced = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(replaced) : (this.#others.get(value as string) ?? value);
    const entries = Object.entries(values).map(([field, value]) => [field, replaced(value)]);
    return Object.fromEntries(entries) as Values;
  }

  /** Returns which keys belong to records that the caller does not see. They cannot be created. */
  async takenAmong(session: Session, kind: NamedKind, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const name = (key: string) => `${kind.resource.kind} ${key}`;
    // Within a workspace, the caller sees all.
    const unknown = kind.inWorkspace ? [] : keys.filter((key) => !this.#taken.has(name(key)));
    if (unknown.length > 0) {
      const { table, uniqueBy: [, ...within] = [''] } = kind.resource;
      const column = raw(kind.key);
      const outside = raw(within.map((field) => ` AND found.${snakeCase(field)} IS NULL`).join(''));
      const statement = sql`
        SELECT wanted.key FROM unnest((SELECT ${unknown}::text[])) AS wanted (key) CROSS JOIN LATERAL (
          SELECT FROM ${raw(table)} AS found WHERE found.organization_id = ${session.caller.organizationId}::uuid
            AND natural_key(found.${column}) = natural_key(wanted.key) ${outside} LIMIT 1
        ) AS taken`;
      const found = await readByIndex<{ key: string }>(session.database, named(`${table}.taken`, statement));
      const taken = new Set(found.map(({ key }) => key));
      for (const key of unknown) this.#taken.set(name(key), taken.has(key));
    }
    return new Set(keys.filter((key) => this.#taken.get(name(key))));
  }
}

const namesOf = new WeakMap<Transaction, NewNames>();

/** Returns the records that are going to be created in a transaction. */
export function newNamesIn(tx: Transaction): NewNames {
  const names = namesOf.get(tx) ?? new NewNames();
  namesOf.set(tx, names);
  return names;
}

/** Lets a transaction know the records that earlier ones were going to create. */
export function shareNewNames(tx: Transaction, names: NewNames): void {
  namesOf.set(tx, names);
}

/**
 * Creates the missing records that checked values name, with their events.
 * @returns the values, with the ids under which the records exist
 * @throws GatewayError BAD_REQUEST for a name of a record that the caller may not use
 */
export async function createNamed<Values extends RecordValues>(
  tx: Transaction,
  session: Session,
  records: readonly Values[],
): Promise<readonly Values[]> {
  const names = namesOf.get(tx);
  if (!names) return records;
  for (const alike of groupBy(names.among(records), ({ kind }) => kind.resource.kind)) {
    // In the order of their keys, so that two writers create what they both name in the same order.
    await create(
      tx,
      session,
      names,
      alike.sort((a, b) => (a.key < b.key ? -1 : 1)),
    );
  }
  return records.map((values) => names.settled(values));
}

async function create(tx: Transaction, session: Session, names: NewNames, wanted: NewNamed[]): Promise<void> {
  const [first] = wanted;
  if (!first) return;
  const { kind } = first;
  const events = wanted.map(({ row }) => createdEvent(kind.resource, row));
  const log = (inserted?: Sql) => eventsSql(session, events, inserted);
  const rows = wanted.map(({ row }) => ({ ...row }));
  const made = await insertMissing(tx, kind.resource.rows.model, rows, log);
  for (const one of wanted) if (made.has(one.row.id)) names.settle(one, one.row.id);
  const others = wanted.filter(({ row }) => !made.has(row.id));
  if (others.length === 0) return;
  // Another writer has created these meanwhile, perhaps where the caller does not see them.
  const searches = others.map(({ key, row }) => ({
    ...{ kind, teamId: row.teamId, wanted: [{ index: 0, id: undefined, key }] },
    found: new Map<number, string>(),
  }));
  await findIds(tx, session, searches);
  const problems = new Violations();
  for (const [place, one] of others.entries()) {
    const id = searches[place]?.found.get(0);
    if (id === undefined) problems.add(one.at, unusable(kind), 'reference');
    else names.settle(one, id);
  }
  problems.end();
}

/** Returns what is said of a key whose record the caller may not use. */
export const unusable = ({ resource }: NamedKind): string =>
  `names a ${entityNames[resource.kind]} that you cannot use`;
