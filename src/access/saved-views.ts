import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition, RowOf } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { sql } from '../db/sql/sql.js';
import { deleteRows, insertReturning, updateRows } from '../db/sql/write.js';
import { forbidden, may, personOf } from '../domain/caller.js';
import { nextModified } from '../domain/dates.js';
import { badField, GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, limits, newId, rules } from '../domain/rules.js';
import { checkVersion } from '../records/locks.js';
import { checkGiven } from './people.js';

/** Limits on views. A list has at most as many shared ones as are shown at once. */
const viewLimits = { views: 200, listed: 500, filters: 50 } as const;

/** Values of a view that callers write. */
export interface ViewValues {
  readonly name?: string | null | undefined;
  readonly columns?: readonly string[] | null | undefined;
  readonly filters?: readonly { readonly name: string; readonly value: string }[] | null | undefined;
  readonly sort?: string | null | undefined;
  readonly isShared?: boolean | null | undefined;
  readonly teamId?: string | null | undefined;
}

/** A view as a caller sees it. */
export interface ShownView extends RowOf<'SavedView'> {
  readonly isOwn: boolean;
  readonly mayChange: boolean;
}

const isNamedOnce = (entries: readonly { readonly name: string }[]) =>
  new Set(entries.map(({ name }) => name)).size === entries.length;

/** Rules of a view. The lists and their columns are those of programs, so any names will do. */
const viewRules = z.object({
  name: rules.name,
  columns: z
    .array(rules.requiredLine)
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish()
    .transform((names) => [...new Set(names)]),
  filters: z
    .array(z.object({ name: rules.requiredLine, value: rules.requiredLine }))
    .max(viewLimits.filters, `must have at most ${viewLimits.filters} entries`)
    .refine(isNamedOnce, 'must not have a filter twice')
    .nullish()
    .transform((filters) => filters ?? []),
  sort: rules.line,
  isShared: rules.flag(false),
  teamId: rules.uuid,
});

const newRules = viewRules.extend({
  list: z.string('is required').regex(/^[a-z][a-z-]{0,59}$/, 'must be the name of a list, such as items'),
});

const rows = defineRows('SavedView');

/** Returns the condition on the views that a caller sees: its own, and shared ones. */
const seenBy = ({ caller }: Session): Condition => ({
  OR: [
    { userId: personOf(caller).id },
    { isShared: true, teamId: null },
    { isShared: true, teamId: { in: [...caller.teamIds] } },
  ],
});

function shown({ caller }: Session, view: RowOf<'SavedView'>): ShownView {
  const isOwn = view.userId === personOf(caller).id;
  const needs = view.isShared ? (isOwn ? 'write' : 'administer') : 'read';
  return { ...view, isOwn, mayChange: may(caller.role, needs) };
}

/** Lists the views of a list that the caller sees, by name. */
export async function listViews(session: Session, list: string): Promise<ShownView[]> {
  const where = { list, ...seenBy(session) };
  const orderBy = [{ name: 'asc' as const }, { id: 'asc' as const }];
  const found = await readRows(session, 'SavedView', { where, orderBy, take: viewLimits.listed });
  return found.map((view) => shown(session, view));
}

/** Checks that a view is shared with a workspace of the caller, if with one. @throws GatewayError BAD_REQUEST */
function checkTeam({ caller }: Session, teamId: string | null = null): void {
  if (teamId !== null && !caller.teamIds.includes(teamId))
    throw badField(['teamId'], 'names no workspace that exists', 'reference');
}

/** Checks that a caller may share, where a view is shared. @throws GatewayError FORBIDDEN */
function checkShared({ caller }: Session, isShared: boolean): void {
  if (isShared && !may(caller.role, 'write')) throw forbidden(caller.role);
}

/**
 * Creates a view of the caller's.
 * @throws GatewayError BAD_REQUEST; FORBIDDEN for a shared one of somebody who only reads; CONFLICT for a name that the
 *   caller has for the list already, or if there are too many
 */
export function createView(
  session: Session,
  given: ViewValues & { readonly list: string },
): Promise<ShownView> {
  const { caller, now } = session;
  const values = check(newRules, given);
  checkTeam(session, values.teamId);
  checkShared(session, values.isShared);
  const userId = personOf(caller).id;
  return session.inTransaction(async (tx) => {
    const lock = sql`SELECT FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
    const count = sql`SELECT count(*)::int AS count FROM saved_views WHERE user_id = ${userId}::uuid`;
    const [, [found]] = await Promise.all([
      tx.run(prepared('users.lock_for_views', lock)),
      tx.run<{ count: number }>(prepared('saved_views.count', count)),
    ]);
    if ((found?.count ?? 0) >= viewLimits.views)
      throw new GatewayError('CONFLICT', `You have ${viewLimits.views} views, which is the most.`);
    await checkName(tx, { id: '', userId, ...values });
    const place = { id: newId(), organizationId: caller.organizationId, userId };
    const row = await insertReturning(tx, 'SavedView', { ...place, ...values, created: now, modified: now });
    return shown(session, row);
  });
}

/** Checks that a person has no other view of the name for the list. @throws GatewayError CONFLICT */
async function checkName(
  tx: Transaction,
  { id, userId, list, name }: Pick<RowOf<'SavedView'>, 'id' | 'userId' | 'list' | 'name'>,
): Promise<void> {
  const found = await readRows(tx, 'SavedView', { where: { userId, list, name } }, ['id']);
  if (found.some((other) => other.id !== id))
    throw new GatewayError('CONFLICT', 'is already in use', { path: ['name'] });
}

/**
 * Locks a view that the caller may change. It is its own, or for an admin a shared one.
 * @throws GatewayError NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED
 */
async function lockView(tx: Transaction, session: Session, id: string): Promise<ShownView> {
  const row = isUuid(id) ? await rows.lock(tx, id.toLowerCase()) : null;
  const { caller } = session;
  const isSeen =
    row &&
    (row.userId === personOf(caller).id ||
      (row.isShared && (row.teamId === null || caller.teamIds.includes(row.teamId))));
  if (!isSeen) throw notFound('view', id);
  const view = shown(session, row);
  // Who may no longer share anything can still take the own view back.
  if (!view.mayChange && !view.isOwn) throw forbidden(caller.role);
  checkVersion(session, row);
  return view;
}

/**
 * Changes a view. Missing values are kept.
 * @throws GatewayError NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED; BAD_REQUEST; CONFLICT for a name in use
 */
export function updateView(session: Session, id: string, given: ViewValues): Promise<ShownView> {
  const values = checkGiven(viewRules, given);
  checkTeam(session, values.teamId);
  return session.inTransaction(async (tx) => {
    const { isOwn: _, mayChange: __, ...current } = await lockView(tx, session, id);
    const changed = { ...current, ...values };
    checkShared(session, changed.isShared);
    await checkName(tx, changed);
    const modified = nextModified(session.now, current.modified);
    const [row] = await updateRows(tx, 'SavedView', { id: current.id }, { ...values, modified });
    if (!row) throw new Error('A view that was locked is gone.');
    return shown(session, row);
  });
}

/** Deletes a view, and returns it as it was. @throws GatewayError NOT_FOUND; FORBIDDEN; PRECONDITION_FAILED */
export function deleteView(session: Session, id: string): Promise<ShownView> {
  return session.inTransaction(async (tx) => {
    const view = await lockView(tx, session, id);
    await deleteRows(tx, 'SavedView', { id: view.id });
    return view;
  });
}
