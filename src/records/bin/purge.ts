import type { Session } from '../../db/connection/session.js';
import type { RowOf } from '../../db/sql/columns.js';
import { deleteRows } from '../../db/sql/write.js';
import { notFound } from '../../domain/errors.js';
import { entityKinds, entityNames } from '../../domain/events.js';
import { isUuid } from '../../domain/rules.js';
import { logEvent } from '../event-logs.js';
import { checkVersion } from '../locking.js';
import { binEntries, lockEntry } from './entries.js';

/**
 * Deletes an entry of the bin for good, with everything that is kept for it. The event log records it.
 * @returns the entry as it was
 * @throws GatewayError NOT_FOUND; PRECONDITION_FAILED
 */
export async function purgeEntry(session: Session, id: string): Promise<RowOf<'BinEntry'>> {
  if (!isUuid(id)) throw notFound(binEntries.noun, id);
  const purged = await session.inTransaction(async (tx) => {
    const entry = await lockEntry(tx, { id: id.toLowerCase() }, session.now);
    const kind = entry && entityKinds.get(entry.typeId);
    if (!entry || !kind) throw notFound(binEntries.noun, id);
    checkVersion(session, entry);
    await deleteRows(tx, 'BinEntry', { id: entry.id });
    // Events continue even for a deleted workspace, because admins read them.
    if (!session.caller.teamIds.includes(entry.teamId)) session.reach(entry.teamId);
    const name = entityNames[kind];
    const subject = `${name[0]?.toUpperCase()}${name.slice(1)}${entry.name === null ? '' : ` "${entry.name}"`}`;
    await logEvent(tx, session, {
      type: 'deleted',
      teamId: entry.teamId,
      description: `${subject} was deleted from the bin`,
      details: null,
      entities: [{ kind, id: entry.recordId }],
    });
    return entry;
  });
  session.forgetLoaded();
  return purged;
}
