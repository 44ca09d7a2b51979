import * as z from 'zod';
import { enums } from '../../prisma/generated/columns.js';
import { prepared, type Statement } from '../db/connection/statement.js';
import type { Condition, RowOf } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { badField } from '../domain/errors.js';
import { mailWordsRule, replyToRule, senderNameRule } from '../domain/reminders/mail-words.js';
import { rules } from '../domain/rules.js';
import { largestLogo, logoRule } from '../mail/logo.js';
import { declareResource } from '../records/declare/declare.js';
import { exposedInGraphql, link } from '../records/declare/fields.js';
import { findLinked } from '../records/loaders.js';
import type { RecordValues, Write } from '../records/resource.js';

const scopeRule = z
  .enum(enums.MailTextScope)
  .nullish()
  .transform((scope) => scope ?? 'TEAM');

/** Titles of mail texts, by their scopes. */
const titles = { ORGANIZATION: 'Organization', TEAM: 'Workspace', CATEGORY: 'Document type' } as const;

/** Returns what a mail text is for. A change that does not say keeps it. */
function targetOf(input: Condition, current: RecordValues | undefined) {
  return {
    scope: input.scope ?? current?.scope ?? 'TEAM',
    categoryId: input.categoryId ?? current?.categoryId ?? null,
  };
}

/**
 * Checks what a mail text is for. It says so from its beginning, and a document type is one of its workspace.
 * @throws GatewayError BAD_REQUEST
 */
async function resolve(
  { tx, teamId, problems }: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<Condition> {
  const target = targetOf(input, current);
  if (current) {
    if (target.scope !== current.scope) throw badField(['scope'], 'must stay as it is');
    if (target.categoryId !== current.categoryId) throw badField(['categoryId'], 'must stay as it is');
    if (teamId !== current.teamId && target.scope !== 'ORGANIZATION')
      throw badField(['teamId'], 'is where the mail text stays');
    return { ...input, ...target };
  }
  const isNamed = target.categoryId !== null;
  if (isNamed !== (target.scope === 'CATEGORY')) {
    throw badField(['categoryId'], isNamed ? 'needs the scope CATEGORY' : 'must name the document type');
  }
  const category = isNamed
    ? ((await findLinked(tx, 'category', String(target.categoryId))) as RowOf<'Category'> | null)
    : null;
  if (category && category.teamId !== teamId)
    problems.add(['categoryId'], 'names a document type of another workspace', 'reference');
  return { ...input, ...target };
}

/** Mail texts: own words of the mails that remind of items. */
export const mailTexts = declareResource('MailText', {
  fields: {
    id: exposedInGraphql(),
    scope: exposedInGraphql(scopeRule, {
      enum: {
        about: 'What a mail text is for. The most specific one decides.',
        values: {
          ORGANIZATION: 'The reminders of all workspaces.',
          TEAM: 'The reminders of a workspace.',
          CATEGORY: 'The reminders of a document type.',
        },
      },
    }),
    categoryId: exposedInGraphql(rules.uuid, {
      sent: 'The document type, if the scope is `CATEGORY`. It must belong to the workspace.',
    }),
    category: link('categoryId', 'The document type that the mail text is for.', {
      hasNone: false,
      list: 'The mail texts of the document type, at most one.',
    }),
    words: exposedInGraphql(mailWordsRule, {
      type: '[MailWords]',
      description: 'The own words by language. Languages that are missing have the built-in words.',
    }),
    senderName: exposedInGraphql(senderNameRule, {
      sent: "The sender's name in mails. If null, it is unchanged.",
    }),
    replyTo: exposedInGraphql(replyToRule, {
      sent: 'The address that replies to the mails go to. If null, it is unchanged.',
    }),
    logo: exposedInGraphql(logoRule, {
      long: true,
      sent: `The picture above the text of mails: a data URL of a PNG or JPEG picture in base64, at most ${largestLogo} bytes and 1000 pixels wide and high.`,
    }),
    teamId: exposedInGraphql(rules.uuid),
    team: link('teamId', 'The workspace that the mail text belongs to.', {
      list: 'The mail texts of the workspace.',
    }),
    created: exposedInGraphql(),
    modified: exposedInGraphql(),
  },
  filter: {
    term: {
      in: ['senderName', 'replyTo'],
      description: "Part of the sender's name or the reply address, ignoring case.",
    },
    scope: 'Mail texts for this.',
    teamId: 'Mail texts of this workspace.',
    categoryId: 'Mail texts for this document type.',
  },
  writing: 'administer',
  order: { field: 'created', direction: 'asc' },
  indexed: [],
  digested: ['logo'],
  title: ({ scope }) => titles[scope],
  resolve,
});

/** The records that decide which mail texts apply to a mail. */
export interface MailSubject {
  readonly organizationId: string;
  readonly teamId: string;
  /** Null for a mail about several items. */
  readonly categoryId: string | null;
}

/** Returns the statement that reads the mail texts for a mail, the most specific first. */
export function appliedTexts({ organizationId, teamId, categoryId }: MailSubject): Statement {
  const statement = sql`
    SELECT scope, words, sender_name AS "senderName", reply_to AS "replyTo", logo FROM mail_texts
    WHERE organization_id = ${organizationId}::uuid AND (scope = 'ORGANIZATION'
      OR (scope = 'TEAM' AND team_id = ${teamId}::uuid) OR category_id = ${categoryId}::uuid)
    ORDER BY scope DESC`;
  return prepared('mail_texts.applied', statement);
}
