import { countedExpired } from './digest-mail.js';
import { fillTemplate, isolate, type Language, type MailContent, renderMail, shownName } from './mail.js';
import { endLinks, type MailedReminder, reminderTexts, wordDate } from './reminder-mail.js';

/** Texts of weekly mails about nothing, in one language. */
interface WellTexts {
  /** Title if nothing has expired, and otherwise. */
  readonly well: string;
  readonly nothing: string;
  readonly fields: { readonly watched: string; readonly next: string; readonly last: string };
  /** Values of fields that have none. */
  readonly noNext: string;
  readonly noLast: string;
  readonly open: string;
  readonly reason: string;
}

/** Texts of weekly mails about nothing, in every language. */
const wellTexts: Readonly<Record<Language, WellTexts>> = {
  en: {
    well: 'All is well: no reminders this week',
    nothing: 'No new reminders this week',
    fields: { watched: 'Documents watched', next: 'Next to expire', last: 'Last mail to you' },
    noNext: 'Nothing has a date ahead',
    noLast: 'This is the first one',
    open: 'Show what is next',
    reason:
      'You are receiving this mail because you want one from {{organization}} each week, even if nothing is due. If it does not come, something is wrong.',
  },
  de: {
    well: 'Alles in Ordnung: diese Woche keine Erinnerungen',
    nothing: 'Diese Woche keine neuen Erinnerungen',
    fields: {
      watched: 'Überwachte Dokumente',
      next: 'Läuft als Nächstes ab',
      last: 'Letzte Mail an Sie',
    },
    noNext: 'Nichts hat ein Datum in der Zukunft',
    noLast: 'Dies ist die erste',
    open: 'Anzeigen, was als Nächstes kommt',
    reason:
      'Sie erhalten diese Mail, weil Sie jede Woche eine von {{organization}} möchten, auch wenn nichts fällig ist. Bleibt sie aus, stimmt etwas nicht.',
  },
  es: {
    well: 'Todo en orden: esta semana no hay recordatorios',
    nothing: 'Esta semana no hay recordatorios nuevos',
    fields: {
      watched: 'Documentos vigilados',
      next: 'Lo próximo que caduca',
      last: 'Último correo enviado a usted',
    },
    noNext: 'Nada tiene una fecha futura',
    noLast: 'Este es el primero',
    open: 'Ver lo próximo',
    reason:
      'Recibe este correo porque desea uno de {{organization}} cada semana, aunque no venza nada. Si no llega, algo falla.',
  },
  fr: {
    well: 'Tout va bien : aucun rappel cette semaine',
    nothing: 'Aucun nouveau rappel cette semaine',
    fields: {
      watched: 'Documents surveillés',
      next: 'Prochaine expiration',
      last: 'Dernier message envoyé',
    },
    noNext: 'Rien n’a de date à venir',
    noLast: 'Celui-ci est le premier',
    open: 'Afficher la suite',
    reason:
      'Vous recevez ce message car vous en souhaitez un de {{organization}} chaque semaine, même si rien n’arrive à échéance. S’il n’arrive pas, quelque chose ne va pas.',
  },
  it: {
    well: 'Tutto bene: nessun promemoria questa settimana',
    nothing: 'Nessun nuovo promemoria questa settimana',
    fields: {
      watched: 'Documenti sorvegliati',
      next: 'Prossima scadenza',
      last: 'Ultimo messaggio inviato',
    },
    noNext: 'Niente ha una data futura',
    noLast: 'Questo è il primo',
    open: 'Mostra le prossime scadenze',
    reason:
      'Riceve questo messaggio perché ne desidera uno da {{organization}} ogni settimana, anche se non scade nulla. Se non arriva, qualcosa non va.',
  },
  nl: {
    well: 'Alles in orde: deze week geen herinneringen',
    nothing: 'Deze week geen nieuwe herinneringen',
    fields: {
      watched: 'Bewaakte documenten',
      next: 'Verloopt als eerste',
      last: 'Laatste mail aan u',
    },
    noNext: 'Niets heeft een datum in de toekomst',
    noLast: 'Dit is de eerste',
    open: 'Tonen wat er komt',
    reason:
      'U krijgt deze mail omdat u er elke week een van {{organization}} wilt, ook als er niets verloopt. Blijft hij uit, dan is er iets mis.',
  },
};

/** Contents of a weekly mail to somebody to whom nothing was sent. */
export interface AllIsWell extends Pick<MailedReminder, 'digest' | 'unsubscribe'> {
  readonly language: Language;
  readonly organization: string;
  /** Numbers of items whose reminders are on, and of those among them that have expired. */
  readonly watched: number;
  readonly expired: number;
  /** The item that expires next. Its date is `YYYY-MM-DD`. */
  readonly next: { readonly name: string; readonly date: string } | null;
  /** The day of the last mail, `YYYY-MM-DD`. */
  readonly last: string | undefined;
  /** List of the console, for those who may sign in. */
  readonly link: string | undefined;
}

/** Writes the mail that says that nothing was due. It says that all is well only if it is. */
export function allIsWellMail(news: AllIsWell): MailContent {
  const { language, organization, watched, expired, next, last, link } = news;
  const texts = wellTexts[language];
  const number = new Intl.NumberFormat(language).format(watched);
  const dated = (date: string) => `${wordDate(language, date)} (${date})`;
  const count = expired > 0 ? `${number}; ${countedExpired(language, expired)}` : number;
  const nextText = next && `${isolate(shownName(language, next.name))}, ${dated(next.date)}`;
  const title = watched > 0 && expired === 0 ? texts.well : texts.nothing;
  return renderMail({
    ...{ language, title },
    reason: fillTemplate(texts.reason, { organization: isolate(shownName(language, organization)) }),
    entries: [
      {
        title,
        facts: [
          { label: texts.fields.watched, value: count },
          { label: texts.fields.next, value: nextText ?? texts.noNext },
          { label: texts.fields.last, value: last ? dated(last) : texts.noLast },
        ],
        links: link === undefined ? [] : [{ label: texts.open, url: link }],
      },
    ],
    links: endLinks(reminderTexts[language], news),
  });
}
