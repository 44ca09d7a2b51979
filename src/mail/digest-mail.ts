import { fillTemplate, type Language, type MailContent, oneLine, renderMail, shownName } from './mail.js';
import {
  endLinks,
  entryTitle,
  factsOf,
  linksOf,
  type MailedReminder,
  ownWords,
  type ReminderEntry,
  reminderTexts,
} from './reminder-mail.js';

/** A heading, and what to do about everything below it. */
interface SectionTexts {
  readonly title: string;
  readonly hint: string;
}

/** Texts of digests in one language. */
interface DigestTexts {
  /** Link to the list of all items. */
  readonly all: string;
  /** Part of the subject, by the plural form of its number. */
  readonly expired: { readonly one: string; readonly other: string };
  readonly sections: {
    readonly expired: SectionTexts;
    /** Last days to give notice. */
    readonly notice: SectionTexts;
    /** Within `soonDays` days. */
    readonly soon: SectionTexts;
    readonly later: SectionTexts;
  };
}

/** Days before its date from which an item cannot wait. */
const soonDays = 7;

/** Texts of digests in every language. */
const digestTexts: Readonly<Record<Language, DigestTexts>> = {
  de: {
    all: 'Alle als Liste anzeigen',
    expired: { one: '{{count}} ist abgelaufen', other: '{{count}} sind abgelaufen' },
    sections: {
      expired: {
        title: 'Abgelaufen',
        hint: 'Erneuern, oder archivieren, was nicht mehr gebraucht wird.',
      },
      notice: { title: 'Kündigungsfristen', hint: 'Rechtzeitig kündigen, oder weiterlaufen lassen.' },
      soon: { title: 'In den nächsten 7 Tagen', hint: 'Jetzt erneuern.' },
      later: { title: 'Später', hint: 'Die Erneuerung planen.' },
    },
  },
  en: {
    all: 'Show all in a list',
    expired: { one: '{{count}} has expired', other: '{{count}} have expired' },
    sections: {
      expired: { title: 'Expired', hint: 'Renew, or archive what is no longer needed.' },
      notice: { title: 'Notice periods', hint: 'Give notice in time, or let it continue.' },
      soon: { title: 'Within 7 days', hint: 'Renew now.' },
      later: { title: 'Later', hint: 'Plan the renewal.' },
    },
  },
  es: {
    all: 'Ver todos en una lista',
    expired: { one: '{{count}} ha caducado', other: '{{count}} han caducado' },
    sections: {
      expired: { title: 'Caducados', hint: 'Renueve, o archive lo que ya no se necesita.' },
      notice: { title: 'Plazos de preaviso', hint: 'Avise a tiempo, o deje que continúe.' },
      soon: { title: 'En los próximos 7 días', hint: 'Renueve ahora.' },
      later: { title: 'Más adelante', hint: 'Planifique la renovación.' },
    },
  },
  fr: {
    all: 'Tout afficher dans une liste',
    expired: { one: '{{count}} a expiré', other: '{{count}} ont expiré' },
    sections: {
      expired: { title: 'Expirés', hint: 'Renouvelez, ou archivez ce qui ne sert plus.' },
      notice: { title: 'Délais de préavis', hint: 'Donnez congé à temps, ou laissez reconduire.' },
      soon: { title: 'Dans les 7 prochains jours', hint: 'Renouvelez maintenant.' },
      later: { title: 'Plus tard', hint: 'Prévoyez le renouvellement.' },
    },
  },
  it: {
    all: 'Mostra tutti in un elenco',
    expired: { one: '{{count}} è scaduto', other: '{{count}} sono scaduti' },
    sections: {
      expired: { title: 'Scaduti', hint: 'Rinnovi, o archivi ciò che non serve più.' },
      notice: { title: 'Termini di disdetta', hint: 'Dia disdetta in tempo, o lasci proseguire.' },
      soon: { title: 'Nei prossimi 7 giorni', hint: 'Rinnovi ora.' },
      later: { title: 'Più avanti', hint: 'Pianifichi il rinnovo.' },
    },
  },
  nl: {
    all: 'Alles in een lijst tonen',
    expired: { one: '{{count}} is verlopen', other: '{{count}} zijn verlopen' },
    sections: {
      expired: { title: 'Verlopen', hint: 'Vernieuw, of archiveer wat niet meer nodig is.' },
      notice: { title: 'Opzegtermijnen', hint: 'Zeg op tijd op, of laat doorlopen.' },
      soon: { title: 'Binnen 7 dagen', hint: 'Vernieuw nu.' },
      later: { title: 'Later', hint: 'Plan de vernieuwing.' },
    },
  },
};

type Counted = { readonly one: string; readonly other: string };

/** Fills the form of a text that fits a number. */
export function counted(language: Language, text: Counted, count: number): string {
  const form = new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
  return fillTemplate(text[form], { count: new Intl.NumberFormat(language).format(count) });
}

/** Says how many have expired. */
export const countedExpired = (language: Language, count: number): string =>
  counted(language, digestTexts[language].expired, count);

/** A mail about several items to one recipient. */
export interface MailedDigest extends MailedReminder {
  /** Number of all items; a digest may list fewer. */
  readonly total: number;
  /** Number of those that have expired. */
  readonly expired: number;
  /** Page with the list of all items. */
  readonly all?: string | undefined;
}

type SectionKind = keyof DigestTexts['sections'];

const kinds: readonly SectionKind[] = ['expired', 'notice', 'soon', 'later'];

function kindOf({ about, daysLeft }: ReminderEntry): SectionKind {
  if (about === 'NOTICE') return 'notice';
  if (daysLeft < 0) return 'expired';
  return daysLeft <= soonDays ? 'soon' : 'later';
}

/**
 * Writes one mail about several items, in sections that say what to do.
 * @param digest its entries are the most urgent ones
 */
export function digestMail(digest: MailedDigest): MailContent {
  const { language, workspace, entries, total, expired, all } = digest;
  const [texts, own] = [reminderTexts[language], digestTexts[language]];
  const title = counted(language, texts.digest, total);
  const sections = kinds.flatMap((kind) => {
    const inside = entries.filter((entry) => kindOf(entry) === kind);
    if (inside.length === 0) return [];
    const rows = inside.map((entry) => ({
      title: entryTitle(texts, language, entry),
      isExpired: kind === 'expired',
      facts: factsOf(texts, digest, entry).filter(({ label }) => label !== texts.fields.workspace),
      links: linksOf(texts, language, entry.links),
    }));
    return [{ ...own.sections[kind], rows }];
  });
  const left = total - entries.length;
  const { subject: _, ...words } = ownWords(digest, undefined);
  const view = {
    ...{ language, title, entries: [], sections, ...words },
    lead: `${texts.fields.workspace}: ${oneLine(shownName(language, workspace))}`,
    action: all === undefined ? undefined : { label: own.all, url: all },
    more:
      left > 0
        ? fillTemplate(texts.more, { count: new Intl.NumberFormat(language).format(left) })
        : undefined,
    reason: fillTemplate(texts.reason, { workspace: shownName(language, workspace) }),
    links: endLinks(texts, digest),
  };
  return renderMail(view, expired > 0 ? `${title}, ${countedExpired(language, expired)}` : title);
}
