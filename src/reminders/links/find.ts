import { named, type Statement } from '../../db/connection/statement.js';
import { sql } from '../../db/sql/sql.js';
import { todayIn } from '../../domain/status.js';
import { type Language, pickLanguage } from '../../mail/languages.js';
import type { LinkPurpose } from '../../mail/links.js';

/** The current subject of a link. */
export interface LinkSubject {
  readonly language: Language;
  readonly organizationName: string;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly contactId: string | null;
  /** True if the recipient may no longer act. */
  readonly isInactive: boolean;
  /** The item; undefined if it is gone, or the link is about all mails. */
  readonly item:
    | {
        readonly id: string;
        readonly teamId: string;
        readonly name: string;
        /** `YYYY-MM-DD` */
        readonly date: string | null;
        /** Today in the workspace. */
        readonly today: Date;
      }
    | undefined;
}

interface Row {
  readonly organizationName: string;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly contactId: string | null;
  readonly isInactive: boolean;
  readonly languages: readonly (string | null)[];
  readonly itemId: string | null;
  readonly teamId: string;
  readonly name: string;
  readonly date: string | null;
  readonly timezone: string;
}

/** Reads rows with a statement, inside a transaction or not. */
type Read = (statement: Statement) => Promise<Row[]>;

/** Returns the folded address of a recipient. */
export const addressOf = (recipientKey: string) => recipientKey.replace(/^mail:/, '');

/**
 * Finds the subject and the owner of a link.
 * @returns undefined if the organization is gone
 */
export async function findLinkSubject(
  read: Read,
  { organizationId, itemId, recipientKey }: LinkPurpose,
  now: Date,
): Promise<LinkSubject | undefined> {
  const address = addressOf(recipientKey);
  const statement = sql`
    SELECT organization.name AS "organizationName", person.id AS "userId", person.name AS "userName",
      contact.id AS "contactId", person.is_active IS FALSE AND contact.id IS NULL AS "isInactive",
      ARRAY[setting.language, person.language, organization.locale] AS languages,
      item.id AS "itemId", item.team_id AS "teamId", item.name, item.expiration_date::text AS date,
      team.timezone
    FROM organizations AS organization
    LEFT JOIN expiration_items AS item
      ON item.organization_id = organization.id AND item.id = ${itemId ?? null}::uuid
    LEFT JOIN teams AS team ON team.id = item.team_id
    LEFT JOIN recipient_settings AS setting
      ON setting.organization_id = organization.id AND setting.recipient_key = ${recipientKey}
    LEFT JOIN LATERAL (
      SELECT id, name, language, is_active FROM users
      WHERE users.organization_id = organization.id AND natural_key(email) = ${address} ORDER BY id LIMIT 1
    ) AS person ON true
    LEFT JOIN LATERAL (
      SELECT id FROM contacts
      WHERE contacts.organization_id = organization.id AND contacts.team_id = item.team_id AND is_active
        AND natural_key(email) = ${address} ORDER BY id LIMIT 1
    ) AS contact ON true
    WHERE organization.id = ${organizationId}::uuid`;
  const [row] = await read(named('mail_links.find', statement));
  if (!row) return undefined;
  const { itemId: id, teamId, name, date, timezone, languages, ...whose } = row;
  return {
    ...whose,
    language: pickLanguage(...languages),
    item: id === null ? undefined : { id, teamId, name, date, today: todayIn(timezone, now) },
  };
}
