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

/** Returns a column for each requirement that records of a kind must meet. A file is about one kind. */
export const requirementColumns: FurtherColumns = {
  selection: 'compliance { requirements { requirementId state until item { expirationDate } } }',
  find: async (session: Session, { kind, teamId }: Narrowed, most) => {
    if (!kind) throw badParameter('kind', `is required: one of ${holderKinds.join(', ')}`);
    const wanted = { holderKind: kind, isActive: true, ...(teamId && { teamId }) };
    const statement = sql`
      SELECT record.id, record.name ${recordsSql(session, 'requirement', wanted)}
      ORDER BY record.name, record.id LIMIT ${raw(String(most))}`;
    const found = await session.read<{ id: string; name: string }>(
      prepared('requirements.columns', statement),
    );
    return found.map(({ id, name }) => ({
      head: name,
      read: ({ compliance }) => {
        const checks = ((compliance as Shown | null)?.requirements ?? []) as readonly Check[];
        const check = checks.find(({ requirementId }) => requirementId === id);
        return check ? checkText(check) : '';
      },
    }));
  },
  tooMany: 'requirements',
};
