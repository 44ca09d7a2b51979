import * as z from 'zod';
import { enums } from '../../../prisma/generated/columns.js';
import type { Session } from '../../db/connection/session.js';
import type { EnumOf } from '../../db/sql/conditions.js';
import { readRows } from '../../db/sql/select.js';
import { hasRight } from '../../domain/caller.js';
import { addDays, formatDate, todayIn } from '../../domain/dates.js';
import { badField, notFound } from '../../domain/errors.js';
import {
  type AppliedText,
  pickOwn,
  senderNameRule,
  wordsInLanguage,
} from '../../domain/reminders/mail-words.js';
import type { ItemDate } from '../../domain/reminders/policy.js';
import { type AutoRenew, endOfRenewals, proposedRenewal } from '../../domain/reminders/renewal.js';
import { check, isUuid, rules } from '../../domain/rules.js';
import { expirationItems } from '../../items/expiration-items.js';
import { earlierDatesByItem, type Item } from '../../items/item-rows.js';
import { logoRule } from '../../mail/logo.js';
import { type Language, type MailContent, pickLanguage } from '../../mail/mail.js';
import { type ReminderEntry, reminderMail } from '../../mail/reminder-mail.js';
import { load } from '../../records/loaders.js';
import { findRecord } from '../../records/record.js';
import { categories } from '../../resources/categories.js';
import { appliedTexts, type MailSubject } from '../../resources/mail-texts.js';
import { teams } from '../../resources/teams.js';
import { type PolicyStep, readWorkspace } from '../evaluate/ledger.js';
import { readingOf } from './upcoming.js';

const dayMilliseconds = 86_400_000;

/** Item, step and language of a preview. */
interface PreviewQuery {
  readonly itemId: string;
  /** Date that the mail is about. Defaults to that of the step. */
  readonly about?: ItemDate | null | undefined;
  /** Step whose day the mail is shown for. Defaults to today. */
  readonly stepId?: string | null | undefined;
  /** Language. Defaults to the caller's. */
  readonly language?: string | null | undefined;
}

/** A mail that would be sent. */
export interface MailPreview extends MailContent {
  /** The own name of its sender. */
  readonly senderName: string | null;
}

/** Finds a step of the policies of a workspace. */
async function findStep(session: Session, teamId: string, stepId: string): Promise<PolicyStep> {
  const workspace = isUuid(stepId) ? await readWorkspace(readingOf(session), teamId) : undefined;
  const steps = [...(workspace?.steps.values() ?? [])].flat();
  const step = steps.find(({ id }) => id === stepId.toLowerCase());
  if (!step) throw notFound('step of a reminder policy', stepId);
  return step;
}

/** Reads what the mails of the caller's organization say of it. */
async function readOrganization(session: Session) {
  const where = { id: session.caller.organizationId };
  const [organization] = await readRows(session, 'Organization', { where }, ['name', 'locale']);
  return organization;
}

/** An item in a preview, with the records that decide its mail texts. */
interface PreviewedItem extends Omit<MailSubject, 'organizationId'> {
  readonly workspace: string;
  readonly entry: Omit<ReminderEntry, 'links'>;
  /** The date that the mail offers to renew it to. */
  readonly proposed?: Date | undefined;
}

/** Proposes the date of a renewal to callers who may write, as their mails do. */
async function proposeInPreview(
  session: Session,
  item: Item,
  today: Date,
  rule: AutoRenew | null,
): Promise<Date | undefined> {
  if (!rule || !hasRight(session.caller, 'write')) return undefined;
  const [before = []] = await earlierDatesByItem(session, [item.id]);
  const next = proposedRenewal(item.expirationDate, before, today, rule);
  return next && endOfRenewals(item, next) === undefined ? next : undefined;
}

/**
 * Reads an item for a preview, if the caller sees it.
 * @throws GatewayError NOT_FOUND for the step; BAD_REQUEST for an item without a date
 */
async function readItem(
  session: Session,
  { itemId, about, stepId }: Omit<PreviewQuery, 'language'>,
): Promise<PreviewedItem | undefined> {
  const item: Item | null = await findRecord(session, expirationItems, itemId);
  if (!item) return undefined;
  const { teamId, categoryId, name, details, expirationDate } = item;
  const step = stepId == null ? undefined : await findStep(session, teamId, stepId);
  const kind = about ?? step?.about ?? 'EXPIRATION';
  const date = kind === 'NOTICE' ? item.noticeDate : expirationDate;
  if (!date)
    throw badField(
      ['itemId'],
      `names an item without a ${kind === 'NOTICE' ? 'last day to give notice' : 'date'}`,
    );
  const [team, category, assignee] = await Promise.all([
    load(session, 'team', teamId),
    load(session, 'category', categoryId),
    load(session, 'user', item.assignedToId),
  ]);
  const today = todayIn(team?.timezone ?? 'UTC', session.now);
  const daysLeft = step
    ? 0 - step.offsetDays
    : Math.round((date.getTime() - today.getTime()) / dayMilliseconds);
  const rule = (category?.autoRenew ?? null) as AutoRenew | null;
  return {
    ...{ teamId, categoryId, workspace: team?.name ?? '' },
    ...(kind === 'EXPIRATION' && { proposed: await proposeInPreview(session, item, today, rule) }),
    entry: {
      ...{ name, details, daysLeft, about: kind, date: formatDate(date) },
      ...(kind === 'NOTICE' && expirationDate && { expirationDate: formatDate(expirationDate) }),
      ...{ documentType: category?.name, assignee: assignee?.name },
    },
  };
}

/** Writes a mail about an item, to the caller. */
async function writePreview(
  session: Session,
  { workspace, entry, proposed }: PreviewedItem,
  language: Language,
  texts: readonly AppliedText[],
  origin: string | undefined,
): Promise<MailPreview> {
  const own = pickOwn(language, texts);
  const link = origin && `${origin}/r/preview`;
  const renew = link && proposed ? { url: link, date: formatDate(proposed) } : undefined;
  const { name, email } = session.caller.user;
  const mail = reminderMail({
    ...{ language, workspace, own, digest: link, unsubscribe: link },
    recipient: name ?? email ?? undefined,
    organization: (await readOrganization(session))?.name,
    entries: [{ ...entry, links: { open: link, renew, acknowledge: link, snooze: link } }],
  });
  return { ...mail, senderName: own.senderName };
}

/**
 * Writes the mail that would remind of an item. Its links lead nowhere.
 * @param origin of links; without it, mails have none
 * @throws GatewayError NOT_FOUND for the item or the step; BAD_REQUEST for an item without a date, or an
 *   unsupported language
 */
export async function previewReminder(
  session: Session,
  { language, ...query }: PreviewQuery,
  origin: string | undefined,
): Promise<MailPreview> {
  const wanted = check(rules.language, language, ['language']);
  const { user } = session.caller;
  const [person, organization] = await Promise.all([
    load(session, 'user', user.id),
    readOrganization(session),
  ]);
  const item = await readItem(session, query);
  if (!item) throw notFound(expirationItems.noun, query.itemId);
  const { organizationId } = session.caller;
  const texts = await session.lookUp<AppliedText>(appliedTexts({ ...item, organizationId }));
  const written = wanted ?? pickLanguage(person?.language, organization?.locale);
  return writePreview(session, item, written, texts, origin);
}

/** An invented item, by the language of its words. */
const samples: Readonly<Record<Language, Pick<ReminderEntry, 'name' | 'documentType' | 'details'>>> = {
  de: {
    name: 'Gewerbeschein Nordfiliale',
    documentType: 'Gewerbeschein',
    details: 'Formular 12 ausfüllen.\nZwei Wochen für die Bearbeitung einplanen.',
  },
  en: {
    name: 'Trade licence of the north branch',
    documentType: 'Trade licence',
    details: 'Fill in form 12.\nAllow two weeks for processing.',
  },
  es: {
    name: 'Licencia comercial de la sucursal norte',
    documentType: 'Licencia comercial',
    details: 'Rellenar el formulario 12.\nPrever dos semanas de tramitación.',
  },
  fr: {
    name: 'Licence commerciale de l’agence nord',
    documentType: 'Licence commerciale',
    details: 'Remplir le formulaire 12.\nPrévoir deux semaines de traitement.',
  },
  it: {
    name: 'Licenza commerciale della filiale nord',
    documentType: 'Licenza commerciale',
    details: 'Compilare il modulo 12.\nPrevedere due settimane per la pratica.',
  },
  nl: {
    name: 'Handelsvergunning filiaal noord',
    documentType: 'Handelsvergunning',
    details: 'Formulier 12 invullen.\nReken op twee weken behandeltijd.',
  },
};

/** Days until the date of an invented item. */
const sampleDays = 7;

type Scope = EnumOf<'MailTextScope'>;

/** Words that are not stored yet, and what they are for. */
interface Draft {
  readonly scope?: Scope | null | undefined;
  readonly teamId?: string | null | undefined;
  readonly categoryId?: string | null | undefined;
  readonly words: object;
  readonly senderName?: string | null | undefined;
  readonly logo?: string | null | undefined;
  /** Item of the mail. An invented one, if left out. */
  readonly itemId?: string | null | undefined;
}

const draftRules = z.object({
  teamId: rules.uuid,
  categoryId: rules.uuid,
  words: wordsInLanguage,
  senderName: senderNameRule,
  logo: logoRule,
});

/** Creates the error for an id that names nothing that the caller sees. */
const namesNone = (field: string, noun: string) =>
  badField([field], `names no ${noun} that exists`, 'reference');

/**
 * Invents an item of a workspace and document type that the caller sees.
 * @throws GatewayError BAD_REQUEST
 */
async function inventItem(
  session: Session,
  language: Language,
  teamId: string,
  categoryId: string | null,
): Promise<PreviewedItem> {
  const [team, category] = await Promise.all([
    load(session, 'team', teamId),
    load(session, 'category', categoryId),
  ]);
  if (!team) throw namesNone('teamId', teams.noun);
  if (categoryId !== null && !category) throw namesNone('categoryId', categories.noun);
  const { name, documentType, details } = samples[language];
  const today = todayIn(team.timezone, session.now);
  const date = addDays(today, sampleDays);
  const rule = (category?.autoRenew ?? null) as AutoRenew | null;
  return {
    ...{ teamId, categoryId, workspace: team.name },
    proposed: rule ? proposedRenewal(date, [], today, rule) : undefined,
    entry: {
      ...{ name, details, about: 'EXPIRATION', date: formatDate(date), daysLeft: sampleDays },
      ...{ documentType: category?.name ?? documentType, assignee: session.caller.user.name },
    },
  };
}

/**
 * Writes the mail that a mail text would lead to. Where it has no words, the less specific mail texts have theirs.
 * @throws GatewayError BAD_REQUEST for words against the rules, and ids of what the caller does not see
 */
export async function previewMailText(
  session: Session,
  draft: Draft,
  origin: string | undefined,
): Promise<MailPreview> {
  const { words, teamId, categoryId, senderName, logo } = check(draftRules, draft);
  const { user, organizationId } = session.caller;
  const { itemId, scope } = draft;
  const item = itemId
    ? await readItem(session, { itemId })
    : await inventItem(session, words.language, teamId ?? user.teamId, categoryId);
  if (!item) throw namesNone('itemId', expirationItems.noun);
  const stored = await session.lookUp<AppliedText & { readonly scope: Scope }>(
    appliedTexts({ ...item, organizationId }),
  );
  const { MailTextScope: scopes } = enums;
  const wider = stored.filter((text) => scopes.indexOf(text.scope) < scopes.indexOf(scope ?? 'TEAM'));
  const texts = [{ words: [words], senderName, replyTo: null, logo }, ...wider];
  return writePreview(session, item, words.language, texts, origin);
}
