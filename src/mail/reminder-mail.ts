import { fillWords, type MailValues, type OwnMail } from '../domain/reminders/mail-words.js';
import type { ItemDate } from '../domain/reminders/policy.js';
import { isVisible } from '../domain/text/names.js';
import { readLogo } from './logo.js';
import {
  escapeHtml,
  fillTemplate,
  isolate,
  keepLines,
  type Language,
  type MailContent,
  oneLine,
  renderMail,
  shownName,
} from './mail.js';

/** Texts of the mails in one language. `{{when}}` is replaced by something like "in 7 days". */
interface ReminderTexts {
  /** Title of a mail about one item: before its date, on it, after it. */
  readonly expires: string;
  readonly expired: string;
  /** The same about its last day to give notice. */
  readonly noticeEnds: string;
  readonly noticeEnded: string;
  /** Titles of a digest, by the plural form of its number. */
  readonly digest: { readonly one: string; readonly other: string };
  /** Line of a digest that does not list all items. */
  readonly more: string;
  readonly fields: {
    readonly date: string;
    readonly notice: string;
    readonly type: string;
    readonly workspace: string;
    readonly assignee: string;
    readonly details: string;
  };
  readonly links: {
    /** Link to send the new document. */
    readonly send: string;
    readonly open: string;
    /** Link to renew until a date. */
    readonly renew: string;
    readonly acknowledge: string;
    readonly snooze: string;
    readonly digest: string;
    readonly unsubscribe: string;
  };
  /** Sentence that explains why the recipient gets it. */
  readonly reason: string;
  /** Title and sentence of a test mail that an administrator sends. */
  readonly test: { readonly subject: string; readonly text: string };
}

const en: ReminderTexts = {
  expires: '{{name}} expires {{when}}',
  expired: '{{name}} expired {{when}}',
  noticeEnds: '{{name}}: the last day to give notice is {{when}}',
  noticeEnded: '{{name}}: the last day to give notice was {{when}}',
  digest: { one: '{{count}} document needs attention', other: '{{count}} documents need attention' },
  more: 'And {{count}} more.',
  fields: {
    date: 'Expires',
    notice: 'Last day to give notice',
    type: 'Document type',
    workspace: 'Workspace',
    assignee: 'Assigned to',
    details: 'Details',
  },
  links: {
    send: 'Send the new document',
    open: 'Open',
    renew: 'It was renewed until {{date}}',
    acknowledge: 'I’ll take care of it',
    snooze: 'Remind me later',
    digest: 'One mail a day or a week',
    unsubscribe: 'Stop these mails',
  },
  reason: 'You are receiving this mail because reminders of “{{workspace}}” are sent to your address.',
  test: {
    subject: 'Mail works',
    text: 'This is a test mail. Reminders of things that expire will reach you the same way.',
  },
};

const de: ReminderTexts = {
  expires: '{{name}} läuft {{when}} ab',
  expired: '{{name}} ist {{when}} abgelaufen',
  noticeEnds: '{{name}}: Die Kündigungsfrist endet {{when}}',
  noticeEnded: '{{name}}: Die Kündigungsfrist endete {{when}}',
  digest: {
    one: '{{count}} Dokument braucht Aufmerksamkeit',
    other: '{{count}} Dokumente brauchen Aufmerksamkeit',
  },
  more: 'Und {{count}} weitere.',
  fields: {
    date: 'Läuft ab am',
    notice: 'Letzter Kündigungstag',
    type: 'Dokumentart',
    workspace: 'Arbeitsbereich',
    assignee: 'Zuständig',
    details: 'Einzelheiten',
  },
  links: {
    send: 'Neues Dokument senden',
    open: 'Öffnen',
    renew: 'Erneuert bis {{date}}',
    acknowledge: 'Ich kümmere mich darum',
    snooze: 'Später erinnern',
    digest: 'Eine Mail am Tag oder pro Woche',
    unsubscribe: 'Diese Mails abbestellen',
  },
  reason: 'Sie erhalten diese Mail, weil Erinnerungen von „{{workspace}}“ an Ihre Adresse gehen.',
  test: {
    subject: 'Mail funktioniert',
    text: 'Diese Mail wurde gesendet, um die Einstellungen zu prüfen. So erreichen Sie Erinnerungen an das, was abläuft.',
  },
};

const es: ReminderTexts = {
  expires: '{{name}} caduca {{when}}',
  expired: '{{name}} caducó {{when}}',
  noticeEnds: '{{name}}: el plazo de preaviso termina {{when}}',
  noticeEnded: '{{name}}: el plazo de preaviso terminó {{when}}',
  digest: { one: '{{count}} documento requiere atención', other: '{{count}} documentos requieren atención' },
  more: 'Y {{count}} más.',
  fields: {
    date: 'Caduca el',
    notice: 'Último día de preaviso',
    type: 'Tipo de documento',
    workspace: 'Espacio de trabajo',
    assignee: 'Asignado a',
    details: 'Detalles',
  },
  links: {
    send: 'Enviar el nuevo documento',
    open: 'Abrir',
    renew: 'Se renovó hasta el {{date}}',
    acknowledge: 'Yo me encargo',
    snooze: 'Recordar más tarde',
    digest: 'Un correo al día o a la semana',
    unsubscribe: 'No recibir más estos correos',
  },
  reason: 'Recibe este correo porque los recordatorios de «{{workspace}}» se envían a su dirección.',
  test: {
    subject: 'El correo funciona',
    text: 'Este correo se envió para probar la configuración. Así le llegarán los recordatorios de lo que caduca.',
  },
};

const fr: ReminderTexts = {
  expires: '{{name}} expire {{when}}',
  expired: '{{name}} a expiré {{when}}',
  noticeEnds: '{{name}} : le délai de préavis se termine {{when}}',
  noticeEnded: '{{name}} : le délai de préavis s’est terminé {{when}}',
  digest: {
    one: '{{count}} document demande votre attention',
    other: '{{count}} documents demandent votre attention',
  },
  more: 'Et {{count}} de plus.',
  fields: {
    date: 'Expire le',
    notice: 'Dernier jour de préavis',
    type: 'Type de document',
    workspace: 'Espace de travail',
    assignee: 'Attribué à',
    details: 'Détails',
  },
  links: {
    send: 'Envoyer le nouveau document',
    open: 'Ouvrir',
    renew: 'Renouvelé jusqu’au {{date}}',
    acknowledge: 'Je m’en occupe',
    snooze: 'Me le rappeler plus tard',
    digest: 'Un message par jour ou par semaine',
    unsubscribe: 'Ne plus recevoir ces messages',
  },
  reason: 'Vous recevez ce message car les rappels de « {{workspace}} » sont envoyés à votre adresse.',
  test: {
    subject: 'L’envoi de messages fonctionne',
    text: 'Ce message a été envoyé pour vérifier les réglages. Les rappels de ce qui expire vous parviendront ainsi.',
  },
};

const it: ReminderTexts = {
  expires: '{{name}} scade {{when}}',
  expired: '{{name}} è scaduto {{when}}',
  noticeEnds: '{{name}}: il termine di disdetta scade {{when}}',
  noticeEnded: '{{name}}: il termine di disdetta è scaduto {{when}}',
  digest: {
    one: '{{count}} documento richiede attenzione',
    other: '{{count}} documenti richiedono attenzione',
  },
  more: 'E altri {{count}}.',
  fields: {
    date: 'Scade il',
    notice: 'Ultimo giorno di disdetta',
    type: 'Tipo di documento',
    workspace: 'Area di lavoro',
    assignee: 'Assegnato a',
    details: 'Dettagli',
  },
  links: {
    send: 'Invia il nuovo documento',
    open: 'Apri',
    renew: 'Rinnovato fino al {{date}}',
    acknowledge: 'Me ne occupo io',
    snooze: 'Ricordamelo più tardi',
    digest: 'Un messaggio al giorno o alla settimana',
    unsubscribe: 'Non ricevere più questi messaggi',
  },
  reason: 'Riceve questo messaggio perché i promemoria di «{{workspace}}» vengono inviati al suo indirizzo.',
  test: {
    subject: 'La posta funziona',
    text: 'Questo messaggio è stato inviato per provare le impostazioni. I promemoria di ciò che scade arriveranno così.',
  },
};

const nl: ReminderTexts = {
  expires: '{{name}} verloopt {{when}}',
  expired: '{{name}} is {{when}} verlopen',
  noticeEnds: '{{name}}: de opzegtermijn eindigt {{when}}',
  noticeEnded: '{{name}}: de opzegtermijn eindigde {{when}}',
  digest: { one: '{{count}} document vraagt aandacht', other: '{{count}} documenten vragen aandacht' },
  more: 'En nog {{count}}.',
  fields: {
    date: 'Verloopt op',
    notice: 'Laatste opzegdag',
    type: 'Documenttype',
    workspace: 'Werkruimte',
    assignee: 'Toegewezen aan',
    details: 'Bijzonderheden',
  },
  links: {
    send: 'Het nieuwe document sturen',
    open: 'Openen',
    renew: 'Verlengd tot {{date}}',
    acknowledge: 'Ik regel het',
    snooze: 'Later herinneren',
    digest: 'Eén mail per dag of per week',
    unsubscribe: 'Deze mails stoppen',
  },
  reason: 'U krijgt deze mail omdat herinneringen van “{{workspace}}” naar uw adres gaan.',
  test: {
    subject: 'Mail werkt',
    text: 'Deze mail is gestuurd om de instellingen te proberen. Zo bereiken herinneringen aan wat verloopt u.',
  },
};

/** Texts of reminders in every language. */
export const reminderTexts: Readonly<Record<Language, ReminderTexts>> = { en, de, es, fr, it, nl };

/** Links of one item in a mail. Missing links are not shown. */
interface EntryLinks {
  readonly send?: string | undefined;
  readonly open?: string | undefined;
  /** The link, and the date that it proposes, `YYYY-MM-DD`. */
  readonly renew?: { readonly url: string; readonly date: string } | undefined;
  readonly acknowledge?: string | undefined;
  readonly snooze?: string | undefined;
}

/** The current state of an item in a mail. */
export interface ReminderEntry {
  readonly name: string;
  /** The date that it is about. */
  readonly about: ItemDate;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** The day it expires, if that is another date. */
  readonly expirationDate?: string | undefined;
  /** Days until the date, in the workspace's time zone; negative after it. */
  readonly daysLeft: number;
  readonly documentType?: string | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly details?: string | null | undefined;
  readonly links: EntryLinks;
}

/** A reminder to one recipient. */
export interface MailedReminder {
  readonly language: Language;
  readonly workspace: string;
  /** Most urgent first; at least one. */
  readonly entries: readonly ReminderEntry[];
  /** Address at which the recipient chooses how often mails come. */
  readonly digest?: string | undefined;
  readonly unsubscribe?: string | undefined;
  /** Own parts of the mail. */
  readonly own?: OwnMail | undefined;
  /** Name of the recipient, or the address. */
  readonly recipient?: string | undefined;
  readonly organization?: string | undefined;
}

/** Characters of an item's details that a mail shows. */
const detailsShown = 500;

/** Formats the days until a date: "in 7 days", "tomorrow", "3 days ago". */
function wordDays(language: Language, daysLeft: number): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(daysLeft, 'day');
}

/** Formats a date in words: "31 March 2027". */
export function wordDate(language: Language, date: string): string {
  // English has two orders of day and month; this one is understood everywhere.
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${date}T00:00:00Z`));
}

/** Says in one line when an item expires. */
export function entryTitle(texts: ReminderTexts, language: Language, entry: ReminderEntry): string {
  const when = wordDays(language, entry.daysLeft);
  const [ahead, past] =
    entry.about === 'NOTICE' ? [texts.noticeEnds, texts.noticeEnded] : [texts.expires, texts.expired];
  return fillTemplate(entry.daysLeft < 0 ? past : ahead, {
    name: isolate(shownName(language, entry.name)),
    when,
  });
}

function shorten(text: string): string {
  const characters = [...text.trim()];
  return characters.length > detailsShown ? `${characters.slice(0, detailsShown).join('')}…` : text.trim();
}

/** Lists the facts about one item in a mail: label and value. */
export function factsOf(
  texts: ReminderTexts,
  { language, workspace }: Pick<MailedReminder, 'language' | 'workspace'>,
  entry: ReminderEntry,
) {
  const { about, date, expirationDate } = entry;
  const inWords = (day: string | undefined) => day && `${wordDate(language, day)} (${day})`;
  const facts: (readonly [string, string | null | undefined])[] = [
    [about === 'NOTICE' ? texts.fields.notice : texts.fields.date, inWords(date)],
    [texts.fields.date, inWords(expirationDate)],
    [texts.fields.type, entry.documentType],
    [texts.fields.workspace, workspace],
    [texts.fields.assignee, entry.assignee],
    [texts.fields.details, entry.details && shorten(entry.details)],
  ];
  return facts.flatMap(([label, value]) =>
    value && isVisible(value) ? [{ label, value: keepLines(value) }] : [],
  );
}

/** The most characters of a subject. */
const longestSubject = 255;

/** Returns the values of the fields in own words. A digest has none of a single item. */
function valuesOf(reminder: MailedReminder, entry: ReminderEntry | undefined): MailValues {
  const { language, workspace, recipient = '', organization = '' } = reminder;
  const name = (text: string | null | undefined) => isolate(oneLine(text ?? ''));
  const expires = entry?.about === 'NOTICE' ? entry.expirationDate : entry?.date;
  return {
    ...{ 'item.workspace': name(workspace), 'recipient.name': name(recipient) },
    'organization.name': name(organization),
    ...(entry && {
      'item.name': isolate(shownName(language, entry.name)),
      'item.expirationDate': expires ? wordDate(language, expires) : '',
      'item.daysLeft': wordDays(language, entry.daysLeft),
      'item.documentType': name(entry.documentType),
      'item.assignee': name(entry.assignee),
      'item.details': keepLines(shorten(entry.details ?? '')),
    }),
  };
}

/**
 * Writes what a reminder has of its own. Words with a field that it cannot have are left out.
 * @param entry the only item; a digest has none
 */
export function ownWords(reminder: MailedReminder, entry: ReminderEntry | undefined) {
  const { own, language, organization, workspace } = reminder;
  const values = valuesOf(reminder, entry);
  const fill = (words: string | null | undefined) => {
    // Values are clean, and their isolates stay: without them, a name would reorder the words around it.
    const filled = words ? (fillWords(keepLines(words), values) ?? '').trim() : '';
    return isVisible(filled) ? filled : undefined;
  };
  // Words about the expiration would be wrong in the subject of a mail about another date.
  const subject = entry?.about === 'EXPIRATION' ? fill(own?.subject) : undefined;
  const logo = own?.logo ? readLogo(own.logo) : undefined;
  return {
    opening: fill(own?.opening),
    closing: fill(own?.closing),
    subject: subject && [...subject.replace(/\s+/g, ' ')].slice(0, longestSubject).join(''),
    logo: typeof logo === 'string' ? undefined : logo,
    logoName: shownName(language, organization ?? workspace),
  };
}

/** Lists the links of one item: label and address. */
export function linksOf(texts: ReminderTexts, language: Language, { renew, ...links }: EntryLinks) {
  const shown = (kind: keyof typeof links) =>
    links[kind] ? [{ label: texts.links[kind], url: links[kind] }] : [];
  const date = renew && wordDate(language, renew.date);
  const renewal = renew
    ? [{ label: fillTemplate(texts.links.renew, { date: date ?? '' }), url: renew.url }]
    : [];
  return [...shown('send'), ...shown('open'), ...renewal, ...shown('acknowledge'), ...shown('snooze')];
}

/** Lists the links at the end of a mail: label and address. */
export function endLinks(texts: ReminderTexts, mail: Pick<MailedReminder, 'digest' | 'unsubscribe'>) {
  const order = ['digest', 'unsubscribe'] as const;
  return order.flatMap((kind) => (mail[kind] ? [{ label: texts.links[kind], url: mail[kind] }] : []));
}

/**
 * Writes a reminder as a title and lines, for messages without a layout.
 * @param total number of all items, if fewer are given
 */
export function reminderLines(
  language: Language,
  workspace: string,
  entries: readonly ReminderEntry[],
  total: number,
): { readonly title: string; readonly lines: readonly string[] } {
  const texts = reminderTexts[language];
  const [first] = entries;
  if (!first) throw new Error('A reminder tells of at least one item.');
  const named = shownName(language, workspace);
  if (total === 1) {
    const facts = factsOf(texts, { language, workspace }, first);
    const lines = facts.map(({ label, value }) => `${label}: ${oneLine(value)}`);
    return { title: entryTitle(texts, language, first), lines };
  }
  const plural = new Intl.PluralRules(language).select(total) === 'one' ? 'one' : 'other';
  const count = (number: number) => new Intl.NumberFormat(language).format(number);
  const left = total - entries.length;
  const more = left > 0 ? [fillTemplate(texts.more, { count: count(left) })] : [];
  const lines = entries.map((entry) => `${entryTitle(texts, language, entry)} (${entry.date})`);
  const title = fillTemplate(texts.digest[plural], { count: count(total) });
  return { title: `${title} · ${named}`, lines: [...lines, ...more] };
}

/**
 * Writes a reminder of one item as a mail's subject, text and HTML.
 * @returns the content, whose text reads well in a terminal and whose HTML loads nothing
 */
export function reminderMail(reminder: MailedReminder): MailContent {
  const { language, entries, workspace } = reminder;
  const texts = reminderTexts[language];
  const [entry] = entries;
  if (!entry) throw new Error('A reminder tells of an item.');
  const title = entryTitle(texts, language, entry);
  const { subject, ...own } = ownWords(reminder, entry);
  const view = {
    language,
    title,
    ...own,
    entries: [
      {
        title,
        isExpired: entry.daysLeft < 0,
        facts: factsOf(texts, reminder, entry),
        links: linksOf(texts, language, entry.links),
      },
    ],
    reason: fillTemplate(texts.reason, { workspace: shownName(language, workspace) }),
    links: endLinks(texts, reminder),
  };
  return renderMail(view, subject ?? `${title} (${entry.date})`);
}

/** Writes the test mail that an administrator sends. */
export function trialMail(language: Language): MailContent {
  const { subject, text } = reminderTexts[language].test;
  const html =
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;padding:24px">` +
    `<h1 style="font-size:22px">${escapeHtml(subject)}</h1><p>${escapeHtml(text)}</p></body></html>`;
  return { subject, text: `${text}\n`, html };
}
