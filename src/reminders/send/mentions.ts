import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { kindsWithPage, recordPage } from '../../domain/doors/paths.js';
import { entityKinds } from '../../domain/models.js';
import { mentionsIn, withNames } from '../../domain/text/mentions.js';
import { pickLanguage } from '../../mail/mail.js';
import { mentionMail } from '../../mail/mention-mail.js';
import { seesSql } from '../../records/sees.js';
import type { News } from './all-is-well.js';
import { type ClaimedDelivery, cancelDelivery } from './queue.js';

/** Milliseconds after which nobody is told any more. There may have been no mail server. */
const keptFor = 7 * 86_400_000;

interface MentionRow {
  readonly recipientKey: string;
  readonly userId: string;
  readonly author: string | null;
  readonly bodyText: string | null;
  readonly organization: string;
  readonly workspace: string;
  readonly entityId: string | null;
  readonly entityType: number | null;
  readonly recordName: string | null;
  readonly languages: readonly (string | null)[];
  readonly isSuppressed: boolean;
  readonly isLate: boolean;
}

/** Reads a note and whoever it mentions, as they are now. None if the note is gone, or they may not see it any more. */
async function readMention(
  tx: Transaction,
  { id }: ClaimedDelivery,
  now: Date,
): Promise<MentionRow | undefined> {
  const statement = sql`
    SELECT 'mail:' || natural_key(own.address) AS "recipientKey", person.id AS "userId", own.payload->>'from' AS author,
      note.body_text AS "bodyText", organization.name AS organization, team.name AS workspace,
      about.entity_id AS "entityId", about.entity_type AS "entityType", item.name AS "recordName",
      ARRAY[setting.language, person.language, organization.locale] AS languages,
      coalesce(setting.muted_until > ${now}::timestamptz, false) OR EXISTS (
        SELECT FROM suppressions AS suppression
        WHERE suppression.organization_id = own.organization_id AND suppression.address_key = natural_key(own.address)
          AND (suppression.scope = 'ALL' OR suppression.scope = 'ITEM' AND suppression.scope_id = item.id)
          AND (suppression.until IS NULL OR suppression.until > ${now}::timestamptz)
      ) AS "isSuppressed",
      own.created < ${new Date(now.getTime() - keptFor)}::timestamptz AS "isLate"
    FROM deliveries AS own
    JOIN notes AS note ON note.id = own.subject_id AND note.organization_id = own.organization_id
    JOIN teams AS team ON team.id = note.team_id
    JOIN organizations AS organization ON organization.id = own.organization_id
    JOIN users AS person ON person.id = (own.payload->>'userId')::uuid AND person.organization_id = own.organization_id
      AND natural_key(person.email) = natural_key(own.address)
    LEFT JOIN LATERAL (
      SELECT entity_id, entity_type FROM note_relations WHERE note_id = note.id ORDER BY position LIMIT 1
    ) AS about ON true
    LEFT JOIN expiration_items AS item ON item.id = about.entity_id AND item.organization_id = own.organization_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = own.organization_id AND setting.recipient_key = 'mail:' || natural_key(own.address)
    CROSS JOIN LATERAL (SELECT note.team_id) AS told
    WHERE own.id = ${id}::uuid AND ${seesSql}
      AND (item.id IS NULL OR EXISTS (SELECT FROM (SELECT item.team_id) AS told WHERE ${seesSql}))`;
  const [row] = await tx.run<MentionRow>(prepared('mentions.compose', statement));
  return row;
}

/** Reads the current names of users whom a text mentions. */
async function readNames(
  tx: Transaction,
  { organizationId }: ClaimedDelivery,
  text: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = mentionsIn(text).map(({ userId }) => userId);
  const statement = sql`
    SELECT id, name FROM users WHERE organization_id = ${organizationId}::uuid AND id = ANY(${ids}::uuid[])`;
  const rows = await tx.run<{ id: string; name: string }>(prepared('mentions.names', statement));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Writes the mail to somebody whom a note mentions, from its current text. It is cancelled if the note is gone or
 * mentions them no more, if they may not see it, and if they want no mails.
 * @param origin the gateway's public address; without it, the mail has no link
 * @returns undefined if there is nothing to send
 */
export async function composeMention(
  tx: Transaction,
  delivery: ClaimedDelivery,
  origin: string | undefined,
  now: Date,
): Promise<News | undefined> {
  const row = await readMention(tx, delivery, now);
  const isMentioned = mentionsIn(row?.bodyText).some(({ userId }) => userId === row?.userId);
  if (!row || !isMentioned || row.isSuppressed || row.isLate) {
    const reason = row?.isSuppressed ? 'suppressed' : 'nothing to tell';
    await cancelDelivery(tx, delivery.id, row ? reason : 'inactive', now);
    return undefined;
  }
  const { recipientKey, organization, workspace, author, languages, recordName, entityId, entityType } = row;
  const kind = kindsWithPage.find((one) => entityType !== null && one === entityKinds.get(entityType));
  const names = await readNames(tx, delivery, row.bodyText ?? '');
  const letter = {
    ...{ language: pickLanguage(...languages), organization, workspace, author, about: recordName },
    text: withNames(row.bodyText ?? '', (userId) => names.get(userId)),
    link: origin !== undefined && kind && entityId ? recordPage(origin, kind, entityId) : undefined,
  };
  return { recipientKey, content: (end) => mentionMail({ ...letter, ...end }) };
}
