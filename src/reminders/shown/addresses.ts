import type { Session } from '../../db/connection/session.js';
import type { Condition } from '../../db/sql/query.js';
import { sql } from '../../db/sql/sql.js';
import { somebodyElse } from '../../domain/reminders/reasons.js';

/** Address that got a reminder, with its contact's workspace if that is another one. */
interface Addressed {
  readonly address: string;
  readonly homeTeamId: string | null;
}

/** Returns whether a caller sees whose address it is. */
export const seesAddress = ({ caller }: Session, { homeTeamId }: Pick<Addressed, 'homeTeamId'>): boolean =>
  homeTeamId === null || caller.teamIds.includes(homeTeamId);

/** Returns an address as a caller sees it. Addresses of invisible contacts are replaced. */
export const shownAddress = (session: Session, addressed: Addressed): string =>
  seesAddress(session, addressed) ? addressed.address : somebodyElse;

/** Returns the condition that a caller sees a row's address. Searches only find visible addresses. */
export const addressSeen = ({ caller }: Session): Condition => ({
  OR: [{ homeTeamId: null }, { homeTeamId: { in: [...caller.teamIds] } }],
});

/**
 * Returns SQL for a row's address if the caller sees it, else null. So orders reveal nothing about invisible
 * ones.
 */
export const seenAddressSql = ({ caller }: Session) => sql`CASE
  WHEN record.home_team_id IS NULL OR record.home_team_id = ANY(${[...caller.teamIds]}::uuid[]) THEN record.address
END`;
