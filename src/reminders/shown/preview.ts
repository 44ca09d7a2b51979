import type { Session } from '../../db/connection/session.js';
import { readRows } from '../../db/sql/select.js';
import { formatDate } from '../../domain/dates.js';
import { badField, notFound } from '../../domain/errors.js';
import { check, isUuid, rules } from '../../domain/rules.js';
import { todayIn } from '../../domain/status.js';
import { expirationItems } from '../../items/expiration-items.js';
import type { Item } from '../../items/storage.js';
import { pickLanguage } from '../../mail/languages.js';
import type { MailContent } from '../../mail/message.js';
import { reminderMail } from '../../mail/reminder-mail.js';
import { load } from '../../records/loaders.js';
import { findRecord } from '../../records/record.js';
import { readWorkspace } from '../evaluate/workspace.js';
import { readingOf } from './next.js';

const dayMilliseconds = 86_400_000;

/** Item, step and language of a preview. */
export interface PreviewQuery {
  readonly itemId: string;
  /** Step whose day the mail is shown for. Defaults to today. */
  readonly stepId?: string | null | undefined;
  /** Language. Defaults to the caller's. */
  readonly language?: string | null | undefined;
}

/** Returns how many days are left to the date on the day of a step. */
async function daysAtStep(session: Session, teamId: string, stepId: string): Promise<number> {
  const workspace = isUuid(stepId) ? await readWorkspace(readingOf(session), teamId) : undefined;
  const steps = [...(workspace?.steps.values() ?? [])].flat();
  const step = steps.find(({ id }) => id === stepId.toLowerCase());
  if (!step) throw notFound('step of a reminder policy', stepId);
  return 0 - step.offsetDays;
}

async function languageOf(session: Session, given: string | null | undefined) {
  const language = check(rules.language, given, ['language']);
  if (language) return language;
  const { user, organizationId } = session.caller;
  const [person, [organization]] = await Promise.all([
    load(session, 'user', user.id),
    readRows(session, 'Organization', { where: { id: organizationId } }, ['locale']),
  ]);
  return pickLanguage(person?.language, organization?.locale);
}

/**
 * Writes the mail that would remind of an item. Its links lead nowhere.
 * @param origin of links; without it, mails have none
 * @throws GatewayError NOT_FOUND for the item or the step; BAD_REQUEST for an item without a date, or an
 *   unsupported language
 */
export async function previewReminder(
  session: Session,
  { itemId, stepId, language }: PreviewQuery,
  origin: string | undefined,
): Promise<MailContent> {
  const written = await languageOf(session, language);
  const item: Item | null = await findRecord(session, expirationItems, itemId);
  if (!item) throw notFound(expirationItems.noun, itemId);
  const { expirationDate } = item;
  if (!expirationDate) throw badField(['itemId'], 'names an item without a date');
  const [team, category, assignee] = await Promise.all([
    load(session, 'team', item.teamId),
    load(session, 'category', item.categoryId),
    load(session, 'user', item.assignedToId),
  ]);
  const today = todayIn(team?.timezone ?? 'UTC', session.now);
  const daysLeft =
    stepId == null
      ? Math.round((expirationDate.getTime() - today.getTime()) / dayMilliseconds)
      : await daysAtStep(session, item.teamId, stepId);
  const link = origin && `${origin}/r/preview`;
  return reminderMail({
    language: written,
    workspace: team?.name ?? '',
    entries: [
      {
        ...{ name: item.name, details: item.details, daysLeft, expirationDate: formatDate(expirationDate) },
        ...{ documentType: category?.name, assignee: assignee?.name },
        links: { acknowledge: link, snooze: link },
      },
    ],
    isDigest: false,
    unsubscribe: link,
  });
}
