import type { Session } from '../../db/connection/session.js';
import type { Condition } from '../../db/sql/query.js';
import { somebodyElse } from '../../domain/reminders/reasons.js';
import { Prisma } from '../../generated/prisma/client.js';

const { sql } = Prisma;

/** Address that was told, with the workspace of its contact, if that is another one. */
interface Addressed {
  readonly address: string;
  readonly homeTeamId: string | null;
}

/** Tells whether a caller sees whose address it is. */
export const seesAddress = ({ caller }: Session, { homeTeamId }: Pick<Addressed, 'homeTeamId'>): boolean =>
  homeTeamId === null || caller.teamIds.includes(homeTeamId);

/** Returns an address as a caller sees it. Those of contacts out of sight are somebody's. */
export const shownAddress = (session: Session, addressed: Addressed): string =>
  seesAddress(session, addressed) ? addressed.address : somebodyElse;

/** Returns the condition that a caller sees a row's address. Only those are found by it. */
export const addressSeen = ({ caller }: Session): Condition => ({
  OR: [{ homeTeamId: null }, { homeTeamId: { in: [...caller.teamIds] } }],
});

/** Returns SQL for the address that a caller sees of a row. It is null for others: no order tells of them. */
export const seenAddressSql = ({ caller }: Session) => sql`CASE
  WHEN record.home_team_id IS NULL OR record.home_team_id = ANY(${[...caller.teamIds]}::uuid[]) THEN record.address
END`;
