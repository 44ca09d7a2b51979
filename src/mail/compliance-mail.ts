import { counted } from './digest-mail.js';
import {
  fillTemplate,
  isolate,
  type Language,
  type MailContent,
  oneLine,
  renderMail,
  shownName,
} from './mail.js';
import { endLinks, type MailedReminder, reminderTexts, wordDate } from './reminder-mail.js';

/** Kind of the records of a mail; `any` for several. */
type MailedKind = 'vehicle' | 'contact' | 'company' | 'location' | 'any';

type Counted = { readonly one: string; readonly other: string };

/** Texts of mails about records that lack something, in one language. */
interface ComplianceTexts {
  /** Title and section for records that lack something, and for those that soon will. */
  readonly lacking: { readonly title: string; readonly hint: string };
  readonly soon: { readonly title: string; readonly hint: string };
  /** Names of many records. */
  readonly kinds: Readonly<Record<MailedKind, Counted>>;
  readonly expired: string;
  readonly missing: string;
  readonly since: string;
  readonly until: string;
  readonly all: string;
  readonly watching: string;
  readonly weekly: string;
}

/** Texts of mails about records that lack something, in every language. */
const complianceTexts: Readonly<Record<Language, ComplianceTexts>> = {
  en: {
    lacking: { title: 'Not compliant', hint: 'Add what is missing, and renew what has expired.' },
    soon: { title: 'Soon not compliant', hint: 'Renew in time.' },
    kinds: {
      vehicle: { one: '{{count}} vehicle', other: '{{count}} vehicles' },
      contact: { one: '{{count}} person', other: '{{count}} people' },
      company: { one: '{{count}} company', other: '{{count}} companies' },
      location: { one: '{{count}} location', other: '{{count}} locations' },
      any: { one: '{{count}} record', other: '{{count}} records' },
    },
    expired: 'expired',
    missing: 'missing',
    since: 'since {{date}}',
    until: 'Compliant until {{date}}',
    all: 'Show all',
    watching: 'You are receiving this mail because you watch what is missing in “{{workspace}}”.',
    weekly:
      'You are receiving this mail because you want to hear from {{organization}} each week what is missing. If nothing is, no mail comes.',
  },
  de: {
    lacking: { title: 'Nicht vollständig', hint: 'Ergänzen, was fehlt, und erneuern, was abgelaufen ist.' },
    soon: { title: 'Bald nicht mehr vollständig', hint: 'Rechtzeitig erneuern.' },
    kinds: {
      vehicle: { one: '{{count}} Fahrzeug', other: '{{count}} Fahrzeuge' },
      contact: { one: '{{count}} Person', other: '{{count}} Personen' },
      company: { one: '{{count}} Firma', other: '{{count}} Firmen' },
      location: { one: '{{count}} Standort', other: '{{count}} Standorte' },
      any: { one: '{{count}} Eintrag', other: '{{count}} Einträge' },
    },
    expired: 'abgelaufen',
    missing: 'fehlt',
    since: 'seit {{date}}',
    until: 'Vollständig bis {{date}}',
    all: 'Alle anzeigen',
    watching: 'Sie erhalten diese Mail, weil Sie beobachten, was in „{{workspace}}“ fehlt.',
    weekly:
      'Sie erhalten diese Mail, weil Sie jede Woche von {{organization}} hören möchten, was fehlt. Fehlt nichts, kommt keine.',
  },
  fr: {
    lacking: { title: 'Non conforme', hint: 'Ajoutez ce qui manque et renouvelez ce qui a expiré.' },
    soon: { title: 'Bientôt non conforme', hint: 'Renouvelez à temps.' },
    kinds: {
      vehicle: { one: '{{count}} véhicule', other: '{{count}} véhicules' },
      contact: { one: '{{count}} personne', other: '{{count}} personnes' },
      company: { one: '{{count}} société', other: '{{count}} sociétés' },
      location: { one: '{{count}} lieu', other: '{{count}} lieux' },
      any: { one: '{{count}} fiche', other: '{{count}} fiches' },
    },
    expired: 'expiré',
    missing: 'manquant',
    since: 'depuis le {{date}}',
    until: 'Conforme jusqu’au {{date}}',
    all: 'Tout afficher',
    watching: 'Vous recevez ce message car vous surveillez ce qui manque dans « {{workspace}} ».',
    weekly:
      'Vous recevez ce message car vous souhaitez savoir chaque semaine ce qui manque chez {{organization}}. Si rien ne manque, aucun message n’est envoyé.',
  },
  es: {
    lacking: { title: 'No conforme', hint: 'Añada lo que falta y renueve lo que ha caducado.' },
    soon: { title: 'Pronto no conforme', hint: 'Renueve a tiempo.' },
    kinds: {
      vehicle: { one: '{{count}} vehículo', other: '{{count}} vehículos' },
      contact: { one: '{{count}} persona', other: '{{count}} personas' },
      company: { one: '{{count}} empresa', other: '{{count}} empresas' },
      location: { one: '{{count}} lugar', other: '{{count}} lugares' },
      any: { one: '{{count}} registro', other: '{{count}} registros' },
    },
    expired: 'caducado',
    missing: 'falta',
    since: 'desde el {{date}}',
    until: 'Cumple hasta el {{date}}',
    all: 'Mostrar todo',
    watching: 'Recibe este correo porque vigila lo que falta en «{{workspace}}».',
    weekly:
      'Recibe este correo porque desea saber cada semana qué falta en {{organization}}. Si no falta nada, no llega ninguno.',
  },
  it: {
    lacking: { title: 'Non conforme', hint: 'Aggiunga ciò che manca e rinnovi ciò che è scaduto.' },
    soon: { title: 'Presto non conforme', hint: 'Rinnovi in tempo.' },
    kinds: {
      vehicle: { one: '{{count}} veicolo', other: '{{count}} veicoli' },
      contact: { one: '{{count}} persona', other: '{{count}} persone' },
      company: { one: '{{count}} azienda', other: '{{count}} aziende' },
      location: { one: '{{count}} luogo', other: '{{count}} luoghi' },
      any: { one: '{{count}} scheda', other: '{{count}} schede' },
    },
    expired: 'scaduto',
    missing: 'mancante',
    since: 'dal {{date}}',
    until: 'Conforme fino al {{date}}',
    all: 'Mostra tutto',
    watching: 'Riceve questo messaggio perché segue ciò che manca in «{{workspace}}».',
    weekly:
      'Riceve questo messaggio perché desidera sapere ogni settimana che cosa manca in {{organization}}. Se non manca nulla, non ne arriva nessuno.',
  },
  nl: {
    lacking: { title: 'Niet in orde', hint: 'Vul aan wat ontbreekt, en vernieuw wat verlopen is.' },
    soon: { title: 'Straks niet meer in orde', hint: 'Vernieuw op tijd.' },
    kinds: {
      vehicle: { one: '{{count}} voertuig', other: '{{count}} voertuigen' },
      contact: { one: '{{count}} persoon', other: '{{count}} personen' },
      company: { one: '{{count}} bedrijf', other: '{{count}} bedrijven' },
      location: { one: '{{count}} locatie', other: '{{count}} locaties' },
      any: { one: '{{count}} record', other: '{{count}} records' },
    },
    expired: 'verlopen',
    missing: 'ontbreekt',
    since: 'sinds {{date}}',
    until: 'In orde tot en met {{date}}',
    all: 'Alles tonen',
    watching: 'U krijgt deze mail omdat u volgt wat er in ‘{{workspace}}’ ontbreekt.',
    weekly:
      'U krijgt deze mail omdat u elke week van {{organization}} wilt horen wat er ontbreekt. Ontbreekt er niets, dan komt er geen.',
  },
};

/** A requirement that is not met. Its date is `YYYY-MM-DD`. */
interface MailedGap {
  readonly name: string;
  readonly state: 'EXPIRED' | 'MISSING';
  readonly since: string | undefined;
}

/** A record as a mail shows it. */
export interface MailedHolder {
  readonly name: string;
  /** The requirements that it does not meet. */
  readonly gaps: readonly MailedGap[];
  /** The last day on which it lacks nothing, `YYYY-MM-DD`. What it will lack then is in `lapsing`. */
  readonly until: string | undefined;
  readonly lapsing: readonly string[];
  /** Its page, for those who may sign in. */
  readonly link: string | undefined;
}

/** Records of a section of a mail. */
export interface MailedHolders {
  /** The first ones. */
  readonly holders: readonly MailedHolder[];
  /** Number of all. */
  readonly total: number;
  readonly kind: MailedKind;
}

/** Contents of a mail about records that lack something. */
export interface MailedCompliance extends Pick<MailedReminder, 'digest' | 'unsubscribe'> {
  readonly language: Language;
  readonly organization: string;
  /** The workspace that is watched; undefined for the weekly mail. */
  readonly workspace: string | undefined;
  readonly lacking: MailedHolders;
  readonly soon: MailedHolders;
  /** List of the console, for those who may sign in. */
  readonly all: string | undefined;
}

/** Writes one of the requirements that a record does not meet. */
function gapText(language: Language, { name, state, since }: MailedGap): string {
  const texts = complianceTexts[language];
  const what = state === 'EXPIRED' ? texts.expired : texts.missing;
  const begin = since && ` ${fillTemplate(texts.since, { date: wordDate(language, since) })}`;
  return `${isolate(shownName(language, name))}: ${what}${begin ?? ''}`;
}

/** Writes the lines below the name of a record. */
function linesOf(language: Language, { gaps, until, lapsing }: MailedHolder): string[] {
  const date = until && `${wordDate(language, until)} (${until})`;
  const lapse = date && fillTemplate(complianceTexts[language].until, { date });
  const names = lapsing.map((name) => isolate(shownName(language, name))).join(', ');
  const ends = lapse ? [names ? `${lapse}: ${names}` : lapse] : [];
  return [...gaps.map((gap) => gapText(language, gap)), ...ends];
}

/** Writes a mail about records that lack something, or soon will. */
export function complianceMail(news: MailedCompliance): MailContent {
  const { language, organization, workspace, all } = news;
  const texts = complianceTexts[language];
  const parts = (['lacking', 'soon'] as const).filter((part) => news[part].total > 0);
  const title = parts
    .map((part) => {
      const { holders, total, kind } = news[part];
      const [only] = holders;
      const what =
        total === 1 && only
          ? isolate(shownName(language, only.name))
          : counted(language, texts.kinds[kind], total);
      return `${texts[part].title}: ${what}`;
    })
    .join(' · ');
  const sections = parts.map((part) => ({
    ...texts[part],
    count: new Intl.NumberFormat(language).format(news[part].total),
    rows: news[part].holders.map((holder) => ({
      title: shownName(language, holder.name),
      isExpired: part === 'lacking',
      facts: linesOf(language, holder).map((value) => ({ label: '', value })),
      links:
        holder.link === undefined ? [] : [{ label: reminderTexts[language].links.open, url: holder.link }],
    })),
  }));
  const left = parts.reduce((sum, part) => sum + news[part].total - news[part].holders.length, 0);
  const more = fillTemplate(reminderTexts[language].more, {
    count: new Intl.NumberFormat(language).format(left),
  });
  const place = isolate(shownName(language, workspace ?? organization));
  return renderMail({
    ...{ language, title, entries: [], sections, links: endLinks(reminderTexts[language], news) },
    lead: oneLine(shownName(language, workspace ?? organization)),
    action: all === undefined ? undefined : { label: texts.all, url: all },
    more: left > 0 ? more : undefined,
    reason:
      workspace === undefined
        ? fillTemplate(texts.weekly, { organization: place })
        : fillTemplate(texts.watching, { workspace: place }),
  });
}
