/** Place of a label in a folded text, such as "valid until". The date after it is the last valid day. */
export interface ExpiryLabel {
  readonly start: number;
  readonly end: number;
  /** True if the label's language puts the day before the month. English does not determine it. */
  readonly dayFirst: boolean;
}

/** Builds a pattern of words in folded text. A space matches white space, and ` ?` also none. */
function words(...alternatives: string[]): RegExp {
  const pattern = alternatives
    .join('|')
    .replaceAll(' ?', String.raw`\s{0,8}`)
    .replaceAll(' ', String.raw`\s{1,8}`)
    .replaceAll('~', String.raw`\p{L}*`);
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?!\p{L})`, 'gu');
}

const english = words(
  'date of expir(?:y|ation)',
  '(?:expiry|expiration|exp[.]?) date',
  'policy exp',
  // Also short for experience, unless a date is next to it.
  String.raw`exp(?=[^\p{L}\d]{0,6}(?:\d|[a-z]{3,9}[^\p{L}\d]{1,3}\d))`,
  'expir(?:y|ation|ing|es?)',
  '(?:valid|good) ?(?:until|till|to|thru|through|up to)',
  'not (?:valid )?after',
);

const dayFirst = words(
  ...['gue?ltig(?:keit)? ?bis', 'ablaufdatum', 'ablauf am', 'verfalls?datum', 'befristet bis'],
  ...["date d[' ]{0,2}expiration", 'expire le', "(?:valable|valide|validite) jusqu[' ]{0,2}(?:au|a)"],
  ...['fin de validite', 'date limite de validite', "date d[' ]{0,2}echeance", 'echeance'],
  ...[
    'fecha de (?:caducidad|vencimiento|expiracion)',
    'caducidad',
    'caduca',
    'vencimiento',
    'vence',
    'expira',
  ],
  ...['valid[oa]s? ?hasta', 'vigente hasta', 'data di scadenza', 'scadenza', 'scade', 'valid[oaie] ?fino'],
  ...['geldig ?(?:tot|t/?m)', 'vervaldatum', 'verloopdatum', 'verloopt', 'vervalt'],
);

/** `Not valid until 2031-07-15`, `nicht gültig bis`: the date is a first day, or there is none. */
const negation = /(?<!\p{L})(?:not|never|no|nicht|keine?|non|pas|niet) +(?:[a-z]+ +)?$/u;

/** Finds the labels of expiry dates in a folded text. They are in order within each language. */
export function expiryLabels(folded: string): ExpiryLabel[] {
  const places = (pattern: RegExp, dayFirst: boolean) =>
    [...folded.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
      dayFirst,
    }));
  return [...places(english, false), ...places(dayFirst, true)].filter(
    ({ start }) => !negation.test(folded.slice(Math.max(0, start - 24), start)),
  );
}

/** Words that introduce another date, or a condition; `~` stands for any ending. */
const turning = words(
  ...['issu~', 'birth~', 'born', 'effecti~', 'start~', 'begin~', 'commenc~', 'sign~', 'print~', 'inspect~'],
  ...['from', 'since', 'after', 'before', 'following', 'revo~', 'notice', 'renew~', 'cancel~', 'replac~'],
  'unless',
  ...['geb', 'geboren', 'geburt~', 'ausgest~', 'ausstell~', 'erteil~', 'erstell~', 'gedruckt', 'widerruf~'],
  ...['ab', 'seit', 'nach', 'vor', 'nee?', 'naiss~', 'delivr~', 'emis~', 'etabli~', 'debut', 'imprim~'],
  ...['depuis', 'apres', 'avant', 'nacim~', 'expedi~', 'inicio', 'desde', 'antes', 'despues', 'impres~'],
  ...['nasci~', 'nato', 'nata', 'rilasci~', 'inizio', 'dal?', 'dopo', 'prima', 'stampa~'],
  ...['geboor~', 'geboren', 'afg~', 'verstrek~', 'vanaf', 'sinds', 'na', 'voor', 'ondertekend'],
);
const endOrNumber = /[!?;\d]|\p{L}{5}[.](?:\s|$)/u;

/** Checks that words between a label and a date do not refer to another date. */
export function leadsOn(folded: string): boolean {
  return folded.search(turning) < 0 && !endOrNumber.test(folded);
}

/**
 * Filler words between a label and its date. They are articles, prepositions, and how or on what it is
 * written.
 */
const leading = words(
  ...['this', 'certificate', 'licen[cs]e', 'permit', 'card', 'policy', 'passport', 'document', 'end'],
  ...['of', 'on', 'the', 'at', 'by', 'date', 'and', 'including', 'day', 'month', 'year', 'dd', 'mm', 'yyyy'],
  ...['am', 'zum', 'bis', 'der', 'datum', 'und', 'tag', 'monat', 'jahr', 'tt', 'jjjj'],
  ...['le', 'la', 'les', 'du', 'de', 'des', 'd', 'l', 'au', 'et', 'jour', 'mois', 'annee', 'jj', 'aaaa'],
  ...['el', 'fecha', 'dia', 'mes', 'ano', 'y', 'il', 'al', 'data', 'di', 'e', 'giorno', 'mese', 'anno', 'gg'],
  ...['op', 'en', 'met', 'tot', 'dag', 'maand', 'jaar'],
);

/** Checks that a text contains only filler words, labels of expiry dates, and signs. */
export function leadsStraightOn(folded: string): boolean {
  const rest = [english, dayFirst, leading].reduce((text, known) => text.replace(known, ''), folded);
  return !/[\p{L}\d]/u.test(rest);
}
