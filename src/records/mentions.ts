import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import type { FieldPath, Violations } from '../domain/errors.js';
import { newId } from '../domain/rules.js';
import { isDemoWorkspace } from '../domain/text/demo.js';
import { mentionsIn, mostMentioned, type UserMention } from '../domain/text/mentions.js';
import { seesSql } from './sees.js';

/** Kind of deliveries that tell somebody that a note mentions them. */
export const mentionSubject = 'mention';

/** A text that may mention users, and what it is about. */
export interface MentioningText {
  readonly text: string | null;
  /** The text before; none for a new one. Whoever is mentioned there is not checked again. */
  readonly before: string | null | undefined;
  readonly teamId: string;
  /** Items that it is about. */
  readonly itemIds: readonly string[];
  /** True if it is about any record. */
  readonly isAbout: boolean;
}

/** Lists whom a text mentions and an earlier one did not. */
export function newlyMentioned(
  text: string | null,
  before: string | null | undefined,
): readonly UserMention[] {
  const known = new Set(mentionsIn(before).map(({ userId }) => userId));
  return mentionsIn(text).filter(({ userId }) => !known.has(userId));
}

/** Reads which of these users exist here, and who sees the text's records. */
async function readMentioned(
  tx: Transaction,
  userIds: readonly string[],
  { teamId, itemIds }: MentioningText,
): Promise<ReadonlyMap<string, boolean>> {
  const { organizationId } = tx.caller;
  const statement = sql`
    SELECT person.id, bool_and(${seesSql}) AS sees
    FROM users AS person CROSS JOIN (
      SELECT ${teamId}::uuid AS team_id
      UNION SELECT team_id FROM expiration_items
      WHERE id = ANY(${[...itemIds]}::uuid[]) AND organization_id = ${organizationId}::uuid
    ) AS told
    WHERE person.organization_id = ${organizationId}::uuid AND person.id = ANY(${[...userIds]}::uuid[])
    GROUP BY person.id`;
  const rows = await tx.run<{ id: string; sees: boolean }>(prepared('mentions.read', statement));
  return new Map(rows.map(({ id, sees }) => [id, sees]));
}

/** Checks that those whom a text newly mentions exist here and see its records. Faults become problems. */
export async function checkMentions(
  tx: Transaction,
  about: MentioningText,
  problems: Violations,
  path: FieldPath,
): Promise<void> {
  const added = newlyMentioned(about.text, about.before);
  if (added.length === 0) return;
  if (mentionsIn(about.text).length > mostMentioned)
    return problems.add(path, `mentions more than ${mostMentioned} users`, 'entries');
  if (!about.isAbout)
    return problems.add(path, 'mentions a user, but the note is about no record', 'invalid');
  const known = await readMentioned(
    tx,
    added.map(({ userId }) => userId),
    about,
  );
  for (const { userId, name } of added) {
    const sees = known.get(userId);
    if (sees === undefined) problems.add(path, `mentions a user who does not exist: ${userId}`, 'reference');
    else if (!sees)
      problems.add(path, `mentions ${name}, who cannot see what the note is about`, 'reference');
  }
}

/** A note whose mentions are told. */
interface TellingNote {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/**
 * Queues a mail to each user who is mentioned. Each gets one for a note, however often it changes; one that was cancelled is
 * queued again. Nobody writes to the people of the demo, and nobody is told what they wrote themselves.
 */
export async function queueMentions(
  tx: Transaction,
  { id, organizationId, teamId }: TellingNote,
  mentioned: readonly UserMention[],
  now: Date,
): Promise<void> {
  const own = tx.caller.user.id;
  const userIds = mentioned.map(({ userId }) => userId).filter((userId) => userId !== own);
  if (userIds.length === 0 || isDemoWorkspace(teamId, organizationId)) return;
  const deliveryIds = userIds.map(() => newId());
  const statement = sql`
    INSERT INTO deliveries (id, organization_id, team_id, kind, dedupe_key, subject_kind, subject_id, payload, address, due_at, created)
    SELECT told.delivery_id, ${organizationId}::uuid, ${teamId}::uuid, 'MAIL', 'mention ' || ${id}::text || ' ' || person.id,
      ${mentionSubject}, ${id}::uuid, jsonb_build_object('userId', person.id, 'from', ${tx.caller.user.name}::text),
      person.email, ${now}::timestamptz, ${now}::timestamptz
    FROM unnest(${deliveryIds}::uuid[], ${userIds}::uuid[]) AS told(delivery_id, user_id)
    JOIN users AS person ON person.id = told.user_id AND person.organization_id = ${organizationId}::uuid
    -- One that was cancelled has something to tell again.
    ON CONFLICT (organization_id, dedupe_key) DO UPDATE SET state = 'QUEUED', settled_at = NULL, team_id = excluded.team_id,
      payload = excluded.payload, address = excluded.address, due_at = excluded.due_at, created = excluded.created,
      first_tried_at = NULL, last_error = NULL
    WHERE deliveries.state = 'CANCELLED'`;
  await tx.run(prepared('mentions.queue', statement));
}
