/** What makes a text of the corpus hard or easy to read. The figures are counted by it. */
export const corpusKinds = [
  'labelled',
  'layout',
  'table',
  'prose',
  'bilingual',
  'format',
  'month',
  'decided',
  'negated',
  'two labels',
  'unlimited',
  'empty',
  'other date',
  'open',
  'counted',
  'ambiguous',
] as const;

export type CorpusKind = (typeof corpusKinds)[number];

export type CorpusLanguage = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl';

/** What a careful reader says of a text: its date, that it has none, or between which dates they hesitate. */
export type Expected =
  | { readonly date: string }
  | { readonly none: true }
  | { readonly question: readonly string[] };

export interface CorpusCase {
  readonly kind: CorpusKind;
  readonly language: CorpusLanguage;
  readonly text: string;
  readonly today: string;
  readonly expected: Expected;
}

/** A document with gaps. {@link parseTemplates} describes how it is written. */
export interface CorpusTemplate {
  readonly kind: CorpusKind;
  readonly language: CorpusLanguage;
  readonly text: string;
  /** `none`, one term such as `expiry`, or `question` and its terms. */
  readonly truth: string;
  /** The ways in which its dates may be written; those of its language unless given. */
  readonly styles: readonly string[];
  /** Which days its dates may have, where digits alone could be read in two ways. */
  readonly days: 'clear' | 'ambiguous' | 'free';
}

const today = '2026-11-27';

const day = 86_400_000;

const months: Record<CorpusLanguage, string> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
};

const shortMonths: Record<CorpusLanguage, string> = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  de: 'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.',
  fr: 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.',
  es: 'ene. feb. mar. abr. may. jun. jul. ago. sept. oct. nov. dic.',
  it: 'gen. feb. mar. apr. mag. giu. lug. ago. set. ott. nov. dic.',
  nl: 'jan. feb. mrt. apr. mei jun. jul. aug. sep. okt. nov. dec.',
};

const weekdays: Record<CorpusLanguage, string> = {
  en: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday',
  de: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag',
  fr: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
  es: 'domingo lunes martes miércoles jueves viernes sábado',
  it: 'domenica lunedì martedì mercoledì giovedì venerdì sabato',
  nl: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
};

/** How dates are written in a language; what stands twice is twice as common. */
const usualStyles: Record<CorpusLanguage, readonly string[]> = {
  en: [
    'D MMMM YYYY',
    'D MMMM YYYY',
    'MMMM D, YYYY',
    'MMMM D, YYYY',
    'DD MMM YYYY',
    'DD-MMM-YYYY',
    '^DD MMM YYYY',
    'MMM D, YYYY',
    'Do MMMM YYYY',
    'W, D MMMM YYYY',
    'YYYY-MM-DD',
    'YYYY-MM-DD',
    'DD/MM/YYYY',
    'MM/DD/YYYY',
    'DD.MM.YYYY',
  ],
  de: [
    'DD.MM.YYYY',
    'DD.MM.YYYY',
    'DD.MM.YYYY',
    'D.M.YYYY',
    'DD. MM. YYYY',
    'DD.MM.YY',
    'D. MMMM YYYY',
    'D. MMMM YYYY',
    'D. MMM YYYY',
    'W, D. MMMM YYYY',
    'YYYY-MM-DD',
  ],
  fr: [
    'DD/MM/YYYY',
    'DD/MM/YYYY',
    'DD/MM/YYYY',
    'DD.MM.YYYY',
    'DD/MM/YY',
    'Do MMMM YYYY',
    'Do MMMM YYYY',
    'DD MMM YYYY',
    '^Do MMMM YYYY',
    'W Do MMMM YYYY',
    'YYYY-MM-DD',
  ],
  es: [
    'DD/MM/YYYY',
    'DD/MM/YYYY',
    'DD-MM-YYYY',
    'D/M/YYYY',
    'D de MMMM de YYYY',
    'D de MMMM de YYYY',
    '^D de MMMM de YYYY',
    'D de MMMM del YYYY',
    'W, D de MMMM de YYYY',
    'YYYY-MM-DD',
  ],
  it: [
    'DD/MM/YYYY',
    'DD/MM/YYYY',
    'DD.MM.YYYY',
    'DD-MM-YYYY',
    'DD/MM/YY',
    'Do MMMM YYYY',
    'Do MMMM YYYY',
    'D MMM YYYY',
    'W D MMMM YYYY',
    'YYYY-MM-DD',
  ],
  nl: [
    'DD-MM-YYYY',
    'DD-MM-YYYY',
    'D-M-YYYY',
    'DD/MM/YYYY',
    'DD.MM.YYYY',
    'D MMMM YYYY',
    'D MMMM YYYY',
    'D MMM YYYY',
    'W D MMMM YYYY',
    'YYYY-MM-DD',
  ],
};

const firstNames: Record<CorpusLanguage, string> = {
  en: 'Amelia Oliver Grace Thomas Priya Samuel Hannah Declan Ruth Marcus',
  de: 'Anneliese Jürgen Sabine Matthias Heike Lukas Ursula Bernd Ayşe Friedrich',
  fr: 'Camille Étienne Chloé Bastien Aïcha Gérard Solène Mathieu Inès Yves',
  es: 'Lucía Javier Carmen Álvaro Núria Rafael Pilar Sergio Ximena Manuel',
  it: 'Giulia Marco Chiara Lorenzo Francesca Davide Elena Pietro Beatrice Nicolò',
  nl: 'Femke Jeroen Anouk Pieter Fatima Bas Marloes Willem Sanne Ruben',
};

const lastNames: Record<CorpusLanguage, string> = {
  en: 'Whitaker Okafor Brennan Sinclair Patel Hargreaves Doyle Lindqvist Castellano Freeman',
  de: 'Brinkmann Grünewald Özdemir Kowalski Schäfer Hofstetter Nowak Zimmermann Brühl Lange',
  fr: 'Lefèvre Marchand Benali Rousseau Deschamps Fontaine Girard Chevalier Haddad Perrin',
  es: 'Navarro Ortega Iglesias Domínguez Castaño Ferrer Quiroga Salazar Peña Bermúdez',
  it: 'Bianchi Moretti Ferrara Galli Esposito Rinaldi Colombo Barbieri Sartori Marchetti',
  nl: 'Hendriks Dijkstra Verhoeven Jansen Bakker Postma Kuipers Vermeulen Smeets Yilmaz',
};

const companyNames: Record<CorpusLanguage, string> = {
  en: 'Harbourline Logistics Ltd|Northgate Crane Hire|Bluestone Catering LLC|Peak Scaffolding Inc.|Fenwick & Rowe',
  de: 'Nordwerk Anlagenbau GmbH|Spedition Huber KG|Bäckerei Sonnleitner|Elektro Falk GmbH & Co. KG|Isartal Reinigung AG',
  fr: 'Transports Vauban SARL|Ateliers du Rhône SA|Boulangerie Maréchal|Électricité Novalis SAS|Chantiers Bretons',
  es: 'Construcciones Almería S.L.|Transportes del Ebro S.A.|Panadería La Espiga|Grúas Montalbán|Instalaciones Duero S.L.',
  it: 'Officine Padane S.r.l.|Trasporti Adriatici S.p.A.|Panificio Orsini|Elettroimpianti Verdi|Edilizia Toscana S.n.c.',
  nl: 'Kraanverhuur Zeeland B.V.|Transportbedrijf De Linde|Bakkerij Van Houten|Installatietechniek Twente|Schoonmaak Groep Noord',
};

const cityNames: Record<CorpusLanguage, string> = {
  en: 'Bristol|Aberdeen|Portland|Galway|Wellington|Halifax',
  de: 'Kassel|Linz|Winterthur|Rostock|Augsburg|Bremen',
  fr: 'Nantes|Grenoble|Namur|Lausanne|Perpignan|Lille',
  es: 'Zaragoza|Murcia|Vigo|Sevilla|Rosario|Valladolid',
  it: 'Bologna|Trieste|Lecce|Bergamo|Perugia|Lugano',
  nl: 'Utrecht|Zwolle|Gent|Breda|Groningen|Hasselt',
};

/** How far from today each date of a document may lie, in days. */
const reaches = {
  expiry: [12, 3600],
  next: [20, 3000],
  other: [20, 2500],
  soon: [5, 75],
  early: [40, 1500],
  base: [-250, 900],
  start: [-330, -5],
  issue: [-2900, -20],
  print: [-150, -1],
  old: [-4500, -400],
  birth: [-26_000, -7500],
} as const;

type DateName = keyof typeof reaches | 'late';

/** Returns a source of numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const isoOf = (date: Date): string => date.toISOString().slice(0, 10);

const dateOf = (iso: string): Date => new Date(`${iso}T00:00:00Z`);

/** Returns the date whose day is the other's month. */
function exchanged(iso: string): string {
  const [year, month, dayOfMonth] = iso.split('-');
  return `${year}-${dayOfMonth}-${month}`;
}

/** Returns a day of the date's month that fits, in digits, what the template asks for. */
function fittingDay(date: Date, days: CorpusTemplate['days'], random: () => number): Date {
  const fitting = new Date(date);
  if (days === 'clear') fitting.setUTCDate(13 + Math.floor(random() * 16));
  if (days === 'ambiguous') {
    const chosen = 1 + Math.floor(random() * 11);
    fitting.setUTCDate(chosen === date.getUTCMonth() + 1 ? 12 : chosen);
    if (fitting.getUTCDate() === fitting.getUTCMonth() + 1) fitting.setUTCDate(11);
  }
  return fitting;
}

/** Draws the dates of one document, each of them different. */
function drawDates(days: CorpusTemplate['days'], random: () => number): Record<DateName, string> {
  const drawn = new Set<string>([today]);
  const draw = (from: number, to: number): string => {
    for (;;) {
      const at = from + Math.floor(random() * (to - from));
      const date = isoOf(fittingDay(new Date(dateOf(today).getTime() + at * day), days, random));
      const readings = days === 'ambiguous' ? [date, exchanged(date)] : [date];
      const isFitting = readings.every((one) => (at < 0 ? one < today : one >= '2026-12-01'));
      if (drawn.has(date) || !isFitting) continue;
      drawn.add(date);
      return date;
    }
  };
  const dates = Object.fromEntries(
    Object.entries(reaches).map(([name, [from, to]]) => {
      const isFar = name === 'expiry' && random() < 0.07;
      return [name, isFar ? draw(3600, 7200) : draw(from, to)];
    }),
  ) as Record<keyof typeof reaches, string>;
  const [old, issue] = [dates.old, dates.issue].sort() as [string, string];
  const early = (dateOf(dates.early).getTime() - dateOf(today).getTime()) / day;
  return { ...dates, old, issue, late: draw(early + 60, early + 2000) };
}

/** Returns the date that a term of a template's truth means, such as `base+5y-1d`. */
function dateOfTerm(term: string, dates: Record<DateName, string>): string {
  const name = /^[a-z]+/.exec(term)?.[0] as DateName;
  const date = dateOf(dates[name]);
  for (const [, sign, count, unit] of term.matchAll(/([+-])(\d+)([ymd])/g)) {
    const step = Number(`${sign}${count}`);
    if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + step);
    if (unit === 'm') date.setUTCMonth(date.getUTCMonth() + step);
    if (unit === 'd') date.setUTCDate(date.getUTCDate() + step);
  }
  if (term.endsWith('@end'))
    return isoOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)));
  return term.endsWith('~') ? exchanged(isoOf(date)) : isoOf(date);
}

/** Returns the ordinal of a day as its language writes it; most write one only for the first. */
function ordinalOf(dayOfMonth: number, language: CorpusLanguage): string {
  if (language === 'en') {
    const isTeen = dayOfMonth > 10 && dayOfMonth < 14;
    return `${dayOfMonth}${(!isTeen && ['', 'st', 'nd', 'rd'][dayOfMonth % 10]) || 'th'}`;
  }
  if (dayOfMonth > 1) return String(dayOfMonth);
  return { fr: '1er', it: '1°' }[language as string] ?? '1';
}

/** Writes a date in a style such as `D MMMM YYYY`; a leading `^` writes it in capitals. */
function writeDate(iso: string, style: string, language: CorpusLanguage): string {
  const date = dateOf(iso);
  const [year = '', month = '', dayOfMonth = ''] = iso.split('-');
  const written = style.replace(/W|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D/g, (part) => {
    const name = (names: string, at: number): string => names.split(' ')[at] ?? '';
    if (part === 'W') return name(weekdays[language], date.getUTCDay());
    if (part === 'YYYY') return year;
    if (part === 'YY') return year.slice(2);
    if (part === 'MMMM') return name(months[language], Number(month) - 1);
    if (part === 'MMM') return name(shortMonths[language], Number(month) - 1);
    if (part === 'MM') return month;
    if (part === 'M') return String(Number(month));
    if (part === 'Do') return ordinalOf(Number(dayOfMonth), language);
    return part === 'DD' ? dayOfMonth : String(Number(dayOfMonth));
  });
  return written.startsWith('^') ? written.slice(1).toUpperCase() : written;
}

/** Sets what stands far apart in neighbouring lines in columns, or close together as extracted texts have it. */
function setColumns(text: string, inColumns: boolean): string {
  const gap = / {10,}/;
  const lines = text.split('\n').map((line) => line.split(gap));
  const set = lines.map((cells, at) => {
    if (!inColumns || cells.length === 1) return cells.join('   ');
    const beside = [lines[at - 1], cells, lines[at + 1]].filter((row) => row?.length === cells.length);
    return cells
      .map((cell, column) => cell.padEnd(Math.max(...beside.map((row) => row?.[column]?.length ?? 0)) + 6))
      .join('')
      .trimEnd();
  });
  return set.join('\n');
}

/** Makes one text of a template, with its truth. */
function makeCase(template: CorpusTemplate, seed: number): CorpusCase {
  const random = randomFrom(seed);
  for (let warming = 0; warming < 3; warming += 1) random();
  const { kind, language, truth } = template;
  const pick = (choices: readonly string[]): string => choices[Math.floor(random() * choices.length)] ?? '';
  const usual = usualStyles[language].filter((one) => kind === 'prose' || !one.startsWith('W'));
  const style = pick(template.styles.length > 0 ? template.styles : usual);
  const isNumeric = /^[\^DM]+[ /.-]+[DM]+[ /.-]/.test(style) && !style.includes('MMM');
  const days = template.days === 'clear' && !(language === 'en' && isNumeric) ? 'free' : template.days;
  const dates = drawDates(days, random);
  const separator = pick([': ', ': ', ': ', ' : ', ':\t', '\t', ' ', ' ........ ', ':   ', ' - ']);
  const kept = new Map<string, string>();
  const keep = (key: string, make: () => string): string => {
    const value = kept.get(key) ?? make();
    kept.set(key, value);
    return value;
  };
  const fill = (gap: string): string => {
    if (gap.includes('|')) return pick(gap.split('|'));
    if (gap === '=') return separator;
    const [, name = '', pattern] = /^([a-z]+)\d?(?::(.*))?$/.exec(gap) ?? [];
    if (name === 'no') {
      const sign = (one: string): string =>
        one === '#' ? pick([...'123456789']) : pick([...'BCDFGHKLMPRTVX']);
      return (pattern ?? '').replace(/[#A]/g, sign);
    }
    if (name === 'first') return keep(gap, () => pick(firstNames[language].split(' ')));
    if (name === 'last') return keep(gap, () => pick(lastNames[language].split(' ')));
    if (name === 'name')
      return keep(
        gap,
        () => `${pick(firstNames[language].split(' '))} ${pick(lastNames[language].split(' '))}`,
      );
    if (name === 'company') return keep(gap, () => pick(companyNames[language].split('|')));
    if (name === 'city') return keep(gap, () => pick(cityNames[language].split('|')));
    if (!(name in dates)) throw new Error(`no gap is called ${gap}`);
    return writeDate(dates[name as DateName], pattern ?? style, language);
  };
  let text = template.text;
  while (/\{[^{}]+\}/.test(text)) text = text.replace(/\{([^{}]+)\}/g, (_, gap: string) => fill(gap));
  text = setColumns(text, random() < 0.7);
  const [verdict = '', ...terms] = truth.split(' ');
  const expected =
    verdict === 'none'
      ? { none: true as const }
      : verdict === 'question'
        ? { question: terms.map((term) => dateOfTerm(term, dates)) }
        : { date: dateOfTerm(verdict, dates) };
  return { kind, language, text, today, expected };
}

/**
 * Reads templates from a text, each below a line such as `== en open | question early late | D MMMM YYYY | free`:
 * its language and kind, its truth (`expiry` unless given), its styles (those of the language unless given), and
 * which days its dates may have.
 *
 * A gap is a date (`{expiry}`, `{issue:DD/MM/YYYY}`), a name (`{name}`, `{first}`, `{last}`, `{company}`, `{city}`;
 * a digit behind it makes it another one), a number (`{no:AA-####}`), a choice (`{Valid until|Expires}`) or what
 * stands between a label and its value (`{=}`). Ten spaces or more stand between columns. A term of the truth is a date, perhaps counted on (`base+5y-1d`),
 * with day and month exchanged (`expiry~`), or at the end of its month (`expiry@end`).
 */
export function parseTemplates(source: string): CorpusTemplate[] {
  return source
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const parts = section
        .slice(0, end)
        .split('|')
        .map((part) => part.trim());
      const [language = '', ...kind] = (parts[0] ?? '').split(' ');
      const days = parts[3] || 'clear';
      if (!corpusKinds.includes(kind.join(' ') as CorpusKind) || !(language in months))
        throw new Error(`no template begins with: ${section.slice(0, end)}`);
      return {
        language: language as CorpusLanguage,
        kind: kind.join(' ') as CorpusKind,
        truth: parts[1] || 'expiry',
        styles: parts[2] ? parts[2].split(';').map((style) => style.trim()) : [],
        days: days as CorpusTemplate['days'],
        text: section.slice(end + 1).replace(/\n+$/, '\n'),
      };
    });
}

/** Makes so many texts, from all templates equally, the same for the same seed. */
export function makeCorpus(templates: readonly CorpusTemplate[], count: number, seed: number): CorpusCase[] {
  return Array.from({ length: count }, (_, at) => {
    const template = templates[at % templates.length];
    if (!template) throw new Error('a corpus needs templates');
    return makeCase(template, Math.imul(seed, 0x9e3779b1) + at);
  });
}
