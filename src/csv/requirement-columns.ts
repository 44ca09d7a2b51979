import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { recordsSql } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import type { RequirementState } from '../domain/compliance.js';
import type { HolderKind } from '../items/holders.js';
import { holderKinds } from '../items/holders.js';
import { badParameter } from '../rest/lists/list.js';
import type { FurtherColumns, Shown } from './columns.js';

/** A state of a requirement, as GraphQL shows it. */
interface Check {
  readonly requirementId: string;
  readonly state: RequirementState;
  readonly until: string | null;
  readonly item: { readonly expirationDate: string | null } | null;
}

/** Shows a state with its day. It is that of the paper, or the last one of the state. */
function checkText({ state, until, item }: Check): string {
  const day = state === 'EXEMPT' || state === 'PENDING' ? until : item?.expirationDate;
  return [state.toLowerCase(), ...(day ? [day] : [])].join(' ');
}

/** The part of a list's filter that says which requirements there are. */
interface Narrowed {
  readonly kind?: HolderKind | null;
  readonly teamId?: string | null;
}

/** Returns a reader of a record's checks by their columns. It looks through them once for all columns. */
function readerOf(columns: readonly { readonly ids: readonly string[] }[]) {
  const columnOf = new Map(columns.flatMap(({ ids }, column) => ids.map((id) => [id, column] as const)));
  const read = new WeakMap<object, ReadonlyMap<number | undefined, Check>>();
  return (compliance: Shown, column: number): Check | undefined => {
    let checks = read.get(compliance);
    if (!checks) {
      const all = (compliance.requirements ?? []) as readonly Check[];
      checks = new Map(all.map((check) => [columnOf.get(check.requirementId), check]));
      read.set(compliance, checks);
    }
    return checks.get(column);
  };
}

/**
 * Returns a column for each requirement that records of a kind must meet. A file is about one kind. Requirements of several
 * workspaces with the same name share a column, because a record is in one of them.
 */
export const requirementColumns: FurtherColumns = {
  selection: 'compliance { requirements { requirementId state until item { expirationDate } } }',
  find: async (session: Session, { kind, teamId }: Narrowed, most) => {
    if (!kind) throw badParameter('kind', `is required: one of ${holderKinds.join(', ')}`);
    const wanted = { holderKind: kind, isActive: true, ...(teamId && { teamId }) };
    const statement = sql`
      SELECT array_agg(id) AS ids, name FROM (
        SELECT record.id, record.name,
          row_number() OVER (PARTITION BY record.team_id, record.name ORDER BY record.id) AS place
        ${recordsSql(session, 'requirement', wanted)}
      ) AS own
      GROUP BY name, place ORDER BY name, place LIMIT ${raw(String(most))}`;
    const found = await session.read<{ ids: string[]; name: string }>(
      prepared('requirements.columns', statement),
    );
    const checkAt = readerOf(found);
    return found.map(({ name }, column) => ({
      head: name,
      read: ({ compliance }) => {
        const check = compliance ? checkAt(compliance as Shown, column) : undefined;
        return check ? checkText(check) : '';
      },
    }));
  },
  tooMany: 'requirements',
};
