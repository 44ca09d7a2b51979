import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { RowOf } from '../db/sql/columns.js';
import { readRows } from '../db/sql/select.js';
import { updateRows } from '../db/sql/write.js';
import { nextModified } from '../domain/dates.js';
import { rules } from '../domain/rules.js';
import { changesBetween, logEvent } from '../records/event-logs.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';
import { checkVersion } from '../records/locking.js';
import { lockOrganization } from './administrators.js';
import { checkGiven } from './people.js';

/** Changes of an organization. Missing values are kept, null returns to the default. */
export interface OrganizationChanges {
  readonly name?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly locale?: string | null | undefined;
}

const organizationRules = z.object({
  name: rules.name,
  timezone: rules.timezone.transform((zone) => zone ?? 'UTC'),
  locale: rules.language.transform((language) => language ?? 'en'),
});

/** Loads the caller's organization. No other is visible. */
const ownOrganization: BatchLoader<RowOf<'Organization'>> = async (session, ids) => {
  const [found] = await readRows(session, 'Organization', {});
  if (!found) throw new Error("The caller's organization is gone.");
  return ids.map(() => found);
};

/** Reads the caller's organization, once per request. */
export function readOrganization(session: Session): Promise<RowOf<'Organization'>> {
  return loadBatched(session, ownOrganization, session.caller.organizationId);
}

/**
 * Changes the organization of a transaction's caller, with the event.
 * @throws GatewayError BAD_REQUEST naming the invalid value; PRECONDITION_FAILED
 */
export async function changeOrganization(
  tx: Transaction,
  given: OrganizationChanges,
  work: Pick<Session, 'now' | 'precondition'>,
): Promise<RowOf<'Organization'>> {
  const { now } = work;
  const values = checkGiven(organizationRules, given);
  await lockOrganization(tx);
  const [current] = await readRows(tx, 'Organization', {});
  if (!current) throw new Error("The caller's organization is gone.");
  checkVersion(work, current);
  const kept = Object.fromEntries(
    Object.keys(values).map((field) => [field, current[field as keyof RowOf<'Organization'>]]),
  );
  const changes = changesBetween(kept, values);
  const names = Object.keys(changes);
  if (names.length === 0) return current;
  const modified = nextModified(now, current.modified);
  const [row = current] = await updateRows(tx, 'Organization', { id: current.id }, { ...values, modified });
  const { caller } = tx;
  const description = `Organization ${JSON.stringify(row.name)} was changed: ${names.join(', ')}`;
  const about = { teamId: caller.user.teamId, details: changes, entities: [] };
  await logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about });
  return row;
}

/** Changes the caller's organization; see `changeOrganization`. */
export async function updateOrganization(
  session: Session,
  changes: OrganizationChanges,
): Promise<RowOf<'Organization'>> {
  const row = await session.inTransaction((tx) => changeOrganization(tx, changes, session));
  session.forgetLoaded();
  return row;
}
