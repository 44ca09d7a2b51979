import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { type Condition, type RowOf, rowsSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { type ComplianceState, complianceStates } from '../domain/compliance.js';
import { addDays, furthestDays } from '../domain/dates.js';
import { limits, rules } from '../domain/rules.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { dateCondition, workspaceDays } from '../items/status.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposedInGraphql, unexposed } from '../records/declare/fields.js';
import { byColumn } from '../records/links.js';
import { seenIds } from '../records/lists/filter.js';
import { load } from '../records/loaders.js';
import { urgenciesOf } from './kept.js';

/** Row of a record in the list of compliance. */
type Kept = RowOf<'HolderCompliance'>;

/** Returns the kind of a record in the list of compliance. */
export const keptKind = ({ kind }: Pick<Kept, 'kind'>): HolderKind => kind.toLowerCase() as HolderKind;

/** Returns the condition that a record does not meet a requirement. */
const lacks = (id: string, _all: object, session: Session): Condition => ({
  gapIds: { has: seenIds(session, 'requirement', id) },
});

/** Returns the condition that a record is, or soon will be, non-compliant. */
async function isWithin(count: number, _all: object, session: Session): Promise<Condition> {
  const days = await workspaceDays(session);
  const soon = dateCondition(days, (today) => ({ lt: addDays(today, count) }), 'until');
  return { OR: [{ urgency: urgenciesOf('NON_COMPLIANT') }, soon] };
}

/** Records with their compliance as it was last found out, the worst first. */
export const compliances = declareList('HolderCompliance', {
  listName: 'compliances',
  fields: {
    id: exposedInGraphql(),
    kind: unexposed(),
    holderKind: computed('HolderKind!', ['kind'], 'The kind of the record.', keptKind),
    holderId: exposedInGraphql(undefined, { description: 'The id of the record.' }),
    name: exposedInGraphql(),
    state: exposedInGraphql(undefined, { type: 'ComplianceState', description: 'The state.' }),
    until: exposedInGraphql(),
    gapIds: exposedInGraphql(),
    lackingIds: unexposed(),
    appliedIds: unexposed(),
    warnedDays: unexposed(),
    modified: exposedInGraphql(),
    vehicleId: unexposed(),
    contactId: unexposed(),
    companyId: unexposed(),
    locationId: unexposed(),
    placeId: unexposed(),
    urgency: exposedInGraphql(),
    changesAt: unexposed(),
    teamId: exposedInGraphql(undefined, {
      type: 'ID',
      description: 'The id of the workspace of the record.',
    }),
    team: computed('Team', ['teamId'], 'The workspace of the record.', ({ teamId }: Kept, session) =>
      load(session, 'team', teamId),
    ),
  },
  // No workspace has that many requirements.
  bounds: z.object({
    name: z.string().max(limits.line).nullable(),
    gapIds: z.array(z.string()).max(10_000),
  }),
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    teamId: 'Records in this workspace.',
    kind: {
      type: 'HolderKind',
      rule: z.enum(holderKinds).nullish(),
      description: 'Records of this kind.',
      where: (kind: HolderKind) => ({ kind: kind.toUpperCase() }),
    },
    state: {
      type: 'ComplianceState',
      rule: z.enum(complianceStates).nullish(),
      description: 'Records in this state.',
      where: (state: ComplianceState) => ({ urgency: urgenciesOf(state) }),
    },
    requirementId: {
      type: 'ID',
      description: 'Records that do not meet this requirement.',
      where: lacks,
      many: (ids, session) => ({ OR: ids.map((id) => lacks(id, {}, session)) }),
    },
    within: {
      type: 'Int',
      rule: rules.between(0, furthestDays),
      description:
        'Records that are non-compliant, or will be in this many days, in the time zone of their workspace.',
      where: isWithin,
    },
    locationId: {
      type: 'ID',
      by: ['location', byColumn('placeId')],
      description: 'Vehicles and people at this location, and locations directly inside it.',
    },
  },
  ranges: ['until'],
  sortable: ['id', 'name', 'until', 'urgency'],
  order: { field: 'urgency', direction: 'asc' },
  indexed: ['urgency', 'name'],
  rest: {
    tag: 'Compliance',
    model: 'HolderComplianceModel',
    members: ['id', 'holderKind', 'holderId', 'name', 'state', 'until', 'gapIds', 'teamId', 'modified'],
    term: 'Truck',
    routes: {
      'GET /v1/compliance': {
        origin: 'addition',
        list: 'holders',
        field: 'compliances',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        added: ['kind', 'requirement_ids', 'within', 'location_id', 'team_id'],
        states: complianceStates,
        orders: { worst: 'urgency' },
        summary: 'Lists vehicles, people, companies and locations by their compliance, the worst first.',
        description:
          'It shows what was last found out, normally within a second or two after each change. `gap_ids` names the requirements that are not met.',
      },
    },
  },
});

/** Number of records of a kind that are in a state. */
export interface StateCount {
  readonly kind: HolderKind;
  readonly state: ComplianceState;
  readonly count: number;
}

/** Numbers of records by kind and state. All changes up to a time are counted. */
export interface ComplianceSums {
  readonly countedAt: Date;
  readonly counts: readonly StateCount[];
}

/** Counts the records that the caller sees by kind and state. */
export async function sumCompliance(session: Session): Promise<ComplianceSums> {
  const sums = sql`
    SELECT lower(record.kind::text) AS kind, record.state::text AS state, count(*)::int AS count
    ${rowsSql(session, 'HolderCompliance', {}, { isList: true })} GROUP BY record.kind, record.state ORDER BY record.kind, record.state`;
  const oldest = sql`
    SELECT min(record.requested_at) FILTER (WHERE record.requested_at <= now()) AS oldest
    ${rowsSql(session, 'ComplianceTurn', {}, { isList: true })}`;
  const [counts, [waiting]] = await Promise.all([
    session.read<StateCount>(prepared('holder_compliances.sums', sums)),
    session.read<{ oldest: Date | null }>(prepared('compliance_turns.oldest', oldest)),
  ]);
  return { countedAt: waiting?.oldest ?? session.now, counts };
}
