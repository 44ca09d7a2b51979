import { translateError } from '../../db/connection/errors.js';
import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { GatewayError } from '../../domain/errors.js';
import type { RowError } from '../../imports/options.js';
import type { RowResult } from '../../imports/results.js';
import { type PlannedChange, planChange, storeChanges } from '../../records/change.js';
import { createNamed } from '../../records/named/named-new.js';
import { type NewRecord, storeNewRecords } from '../../records/record.js';
import type { RecordBase, Resource } from '../../records/resource.js';
import type { PlannedRow } from './plan-rows.js';
import type { Damages } from './preview/damage.js';
import type { ParsedRow, RowReader } from './read-rows.js';

/** The outcome of a row. */
export interface RowOutcome {
  readonly row: ParsedRow;
  readonly action: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly id: string | null;
  readonly errors: readonly RowError[];
  /** Sentences about values that are left out. */
  readonly leftOut?: readonly string[];
}

/** Says which values of a row are left out because they seem to be damaged. */
const leftOutOf = (damages: Damages): string[] =>
  [...damages]
    .filter(([, { leftOut }]) => leftOut)
    .map(([column, { before, after, damage }]) => {
      const what = damage === 'ROUNDED' ? 'rounded' : 'without its leading zeros';
      return `${column}: stays ${before}, because ${after} is the same ${what}`;
    });

/** Returns the outcome as the result file shows it. */
export const resultOf = ({ action, id, errors, leftOut = [] }: Omit<RowOutcome, 'row'>): RowResult => {
  const told = errors.map(({ column, message }) => (column === null ? message : `${column}: ${message}`));
  return [action, id, [...told, ...leftOut].join('; ') || null];
};

/** A row whose outcome is known, with what has to be stored for it. */
interface Decided {
  readonly outcome: RowOutcome;
  readonly made?: NewRecord;
  readonly changed?: PlannedChange<RecordBase>;
}

/** Decides what becomes of planned rows. The values name only records that exist by now. */
function decide(session: Session, resource: Resource, planned: PlannedRow): Decided {
  const { row } = planned;
  if ('errors' in planned) return { outcome: { row, action: 'failed', id: null, errors: planned.errors } };
  if ('made' in planned) {
    const { made } = planned;
    return { outcome: { row, action: 'created', id: made.id, errors: [] }, made };
  }
  const { checked, damages } = planned;
  const changed = planChange(session, resource, checked);
  const action = changed ? 'updated' : 'unchanged';
  const leftOut = leftOutOf(damages);
  return {
    outcome: { row, action, id: checked.current.id, errors: [], leftOut },
    ...(changed && { changed }),
  };
}

/** Returns what would become of planned rows, and writes nothing. */
export const foresee = (session: Session, resource: Resource, planned: readonly PlannedRow[]): RowOutcome[] =>
  planned.map((one) => decide(session, resource, one).outcome);

/** Returns the values of a planned row that may name new records. */
const valuesOf = (planned: PlannedRow) =>
  'made' in planned ? [planned.made] : 'checked' in planned ? [planned.checked.values] : [];

/** Creates the records that rows name and that do not exist yet. @returns the rows with their ids */
async function withNamed(
  tx: Transaction,
  session: Session,
  planned: readonly PlannedRow[],
): Promise<PlannedRow[]> {
  const settled = [...(await createNamed(tx, session, planned.flatMap(valuesOf)))];
  return planned.map((one): PlannedRow => {
    if ('errors' in one) return one;
    const values = settled.shift();
    if ('made' in one) return { ...one, made: values as NewRecord };
    return { ...one, checked: { ...one.checked, values: values ?? one.checked.values } };
  });
}

/**
 * Writes planned rows in a transaction, with the events of other writes. What another writer has made
 * impossible meanwhile does not affect other rows.
 * @returns an outcome for each, in their order
 */
export async function writeRows(
  tx: Transaction,
  session: Session,
  resource: Resource,
  reader: RowReader,
  planned: readonly PlannedRow[],
): Promise<RowOutcome[]> {
  const rows = await withNamed(tx, session, planned);
  const decided = rows.map((one) => decide(session, resource, one));
  const stored = await store(
    tx,
    session,
    resource,
    reader,
    decided.filter(({ made, changed }) => made || changed),
  );
  session.forgetLoaded();
  return decided.map((one) => stored.get(one) ?? one.outcome);
}

/** Stores rows at once. If the database refuses them, each half is stored on its own. */
async function store(
  tx: Transaction,
  session: Session,
  resource: Resource,
  reader: RowReader,
  rows: readonly Decided[],
): Promise<Map<Decided, RowOutcome>> {
  const [first, ...others] = rows;
  if (!first) return new Map();
  try {
    await tx.inTransaction((part) =>
      session.within(part, async () => {
        await storeNewRecords(
          part,
          session,
          resource,
          rows.flatMap(({ made }) => made ?? []),
        );
        await storeChanges(
          part,
          session,
          resource,
          rows.flatMap(({ changed }) => changed ?? []),
        );
      }),
    );
    return new Map();
  } catch (error) {
    const told = translateError(error, resource.table);
    if (!(told instanceof GatewayError) || told.status >= 500) throw error;
    if (others.length === 0) {
      const { row } = first.outcome;
      const errors = reader.errorsOf(row, told);
      return new Map([[first, { row, action: 'failed', id: null, errors }]]);
    }
    const middle = Math.ceil(rows.length / 2);
    const before = await store(tx, session, resource, reader, rows.slice(0, middle));
    const behind = await store(tx, session, resource, reader, rows.slice(middle));
    return new Map([...before, ...behind]);
  }
}
