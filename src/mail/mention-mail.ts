import { fillTemplate, isolate, type Language, type MailContent, renderMail, shownName } from './mail.js';
import { endLinks, type MailedReminder, reminderTexts } from './reminder-mail.js';

/** Texts of mails about a mention, in one language. */
interface MentionTexts {
  /** Title with the record's name, and without one. */
  readonly title: string;
  readonly untitled: string;
  /** The name of an author who is unknown. */
  readonly somebody: string;
  readonly workspace: string;
  readonly open: string;
  readonly reason: string;
}

/** Texts of mails about a mention, in every language. */
const mentionTexts: Readonly<Record<Language, MentionTexts>> = {
  en: {
    title: '{{author}} mentioned you: {{about}}',
    untitled: '{{author}} mentioned you in a note',
    somebody: 'Somebody',
    workspace: 'Workspace',
    open: 'Show the note',
    reason: 'You are receiving this mail because a note in {{organization}} mentions you.',
  },
  de: {
    title: '{{author}} hat Sie erwähnt: {{about}}',
    untitled: '{{author}} hat Sie in einer Notiz erwähnt',
    somebody: 'Jemand',
    workspace: 'Arbeitsbereich',
    open: 'Notiz anzeigen',
    reason: 'Sie erhalten diese Mail, weil eine Notiz in {{organization}} Sie erwähnt.',
  },
  es: {
    title: '{{author}} le ha mencionado: {{about}}',
    untitled: '{{author}} le ha mencionado en una nota',
    somebody: 'Alguien',
    workspace: 'Espacio de trabajo',
    open: 'Mostrar la nota',
    reason: 'Recibe este correo porque una nota de {{organization}} le menciona.',
  },
  fr: {
    title: '{{author}} vous a mentionné : {{about}}',
    untitled: '{{author}} vous a mentionné dans une note',
    somebody: 'Quelqu’un',
    workspace: 'Espace de travail',
    open: 'Afficher la note',
    reason: 'Vous recevez ce message car une note de {{organization}} vous mentionne.',
  },
  it: {
    title: '{{author}} l’ha menzionata: {{about}}',
    untitled: '{{author}} l’ha menzionata in una nota',
    somebody: 'Qualcuno',
    workspace: 'Area di lavoro',
    open: 'Mostra la nota',
    reason: 'Riceve questo messaggio perché una nota di {{organization}} la menziona.',
  },
  nl: {
    title: '{{author}} heeft u genoemd: {{about}}',
    untitled: '{{author}} heeft u in een notitie genoemd',
    somebody: 'Iemand',
    workspace: 'Werkruimte',
    open: 'Notitie tonen',
    reason: 'U krijgt deze mail omdat een notitie in {{organization}} u noemt.',
  },
};

/** The most characters of a note that a mail shows. */
const mostCharacters = 2_000;

/** A note that mentions somebody, as a mail shows it. */
export interface MentioningNote extends Pick<MailedReminder, 'digest' | 'unsubscribe'> {
  readonly language: Language;
  readonly organization: string;
  readonly workspace: string;
  /** Whoever wrote it; null if unknown. */
  readonly author: string | null;
  /** The name of the item that it is about; null for another record. */
  readonly about: string | null;
  readonly text: string;
  /** The page of the record, if there is one. */
  readonly link: string | undefined;
}

/** Writes the mail to somebody whom a note mentions. It shows the note's text. */
export function mentionMail(note: MentioningNote): MailContent {
  const { language, organization, workspace, about, text, link } = note;
  const texts = mentionTexts[language];
  const named = (name: string) => isolate(shownName(language, name));
  const author = note.author === null ? texts.somebody : named(note.author);
  const title = fillTemplate(about === null ? texts.untitled : texts.title, {
    author,
    about: named(about ?? ''),
  });
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return renderMail({
    ...{ language, title, opening: shown },
    reason: fillTemplate(texts.reason, { organization: named(organization) }),
    entries: [
      {
        title,
        facts: [{ label: texts.workspace, value: named(workspace) }],
        links: link === undefined ? [] : [{ label: texts.open, url: link }],
      },
    ],
    links: endLinks(reminderTexts[language], note),
  });
}
