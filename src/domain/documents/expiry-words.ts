/**
 * The words around expiry dates in six languages, in folded text (`fold`).
 *
 * A label such as "valid until" says that the date after it is the last valid day. Between a label and its date only words of
 * a closed list may stand (`leadsStraightOn`), because any other word may refer to another date.
 */

/** Place of a label in a folded text. */
export interface ExpiryLabel {
  readonly start: number;
  readonly end: number;
  /** True if the label's language puts the day before the month. English does not determine it. */
  readonly dayFirst: boolean;
  /** True if the label extends an earlier end, such as "extended to". */
  readonly extends: boolean;
  /** True if the label may as well mean another end. */
  readonly isWeak: boolean;
  /** True if invoices use the label for the day of payment, such as "échéance". */
  readonly mayBePayment: boolean;
}

/**
 * Builds a pattern of words in folded text. A space matches white space, ` ?` also none, and `~` any ending of a word.
 * The words must not continue to the left or to the right.
 */
function wordPattern(...alternatives: string[]): RegExp {
  const pattern = alternatives
    .join('|')
    .replaceAll(' ?', String.raw`[^\S\t]{0,8}`)
    .replaceAll(' ', String.raw`[^\S\t]{1,8}`)
    .replaceAll('~', String.raw`\p{L}*`);
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?!\p{L})`, 'gu');
}

const english = wordPattern(
  'date of expir(?:y|ation)|(?:expiry|expiration|exp[.]?) date|policy exp',
  // Also short for experience, unless a date is next to it.
  String.raw`exp(?=[^\p{L}\d]{0,6}(?:\d|[a-z]{3,9}[^\p{L}\d]{1,3}\d))`,
  'expir(?:y|ation|ing|es?)',
  '(?:valid|good|effective|in force|insured|covered|authori[sz]ed|approved|current|registered|licensed|certified) ?(?:until|till|to|thru|through|up to)',
  '(?:valid|usable) (?:up )?to and including',
  '(?:not|never|no longer) (?:to be )?(?:be )?(?:valid|used|operated|accepted)? ?(?:after|beyond|past)',
  '(?:do not use|void|invalid|unusable|ceases to be valid) (?:after|beyond)',
  '(?:end|last day|final day|date of end) of (?:the )?(?:validity|cover|coverage|term|insurance|lease|contract|policy)',
  'validity (?:ends?|end date|until|expires)',
  '(?:policy|cover|coverage|validity|contract|lease|licen[cs]e|permit|certificate|insurance|registration|membership|visa|tenancy|agreement)(?: period| term)? (?:ends?|end date|to|until|termination date)',
  '(?:valid|use|good)-? ?by(?: date)?|lapses(?: on)?|(?:terminates|cover ceases)(?: on| at)?',
  'termination date|last valid day|(?:period|term|year|cover) ending',
  '(?:runs?|continues|in effect|remains valid) (?:until|till|to|through)|val[.]? (?:until|to|thru)',
  // The number of the field on driving licences of Europe.
  '4b[.)]?',
);

const dayFirst = wordPattern(
  'gue?ltig(?:keit)? ?bis|gue?ltig(?:keit)? (?:noch |langstens |langst |maximal |nur )?bis',
  'gue?ltigkeitsende|gue?ltigkeitsdauer bis|ende der gue?ltigkeit|ablauf der gue?ltigkeit',
  'letzter gue?ltigkeitstag|ablaufdatum|ablauf(?: am)?|ablauftermin|lauft ab(?: am)?',
  String.raw`lauft (?:am|zum)(?=[^\n]{1,40} ab(?!\p{L}))`,
  'verfalls?(?:datum|tag|termin)|verfallt(?: am)?|verliert (?:ihre?|seine?) gue?ltigkeit(?: am)?',
  'gue?lt[.] ?bis|(?:tuv|frist) ?bis|erlischt(?: am)?',
  '(?:befristet|versichert|zugelassen|genehmigt|anerkannt|berechtigt|giltig) bis|gilt (?:noch )?bis',
  'gilt als erteilt bis',
  '(?:laufzeit|vertragslaufzeit|versicherungsdauer|lauft|deckung|versicherungsschutz) bis|vertragsende',
  'vertragsablauf',
  String.raw`nach(?: dem)?(?=[^\n]{4,40} (?:ungue?ltig|nicht mehr gue?ltig|verfallen))`,
  'versicherungs(?:ende|ablauf)|mietende',
  "nicht (?:mehr )?(?:gue?ltig |verwenden |zu verwenden |benutzen )?nach|date d'? ?expiration",
  '(?:expire|expirera|expirant) (?:le|au)|expiration(?: le)?|exp(?:[.])? le',
  "(?:valables?|valides?|valid[ei]te|validee?s?|habilitee?|agree?e?|autorisee?|assuree?|en vigueur) jusqu'? ?(?:au|a|en)",
  '(?:date de )?fin (?:de|de la|du|d) ?(?:validite|garantie|couverture|contrat|bail|assurance)',
  "date limite de validite|date de fin|date d'? ?echeance|echeance",
  '(?:arrive|vient) a (?:echeance|expiration)(?: le)?|perime(?: le)?|caduc(?: le)?',
  '(?:non|pas|plus) (?:valable|valide)s? (?:apres|au-dela du)|ne (?:pas|plus) utiliser apres',
  'cesse (?:de|ses effets) le',
  'fecha (?:de |limite de )(?:caducidad|vencimiento|expiracion|validez|fin|termino)|caducidad',
  '(?:caduca|caducara)(?: el)?|f(?:ec|echa)?[.] ?(?:caducidad|vencimiento|venc[.]?|cad[.]?)|vto[.]?',
  "venc[.]|cad[.]|val[.] (?:hasta|jusqu'? ?au)|vencimiento|(?:vence|vencera)(?: el)?",
  '(?:expira|expirara)(?: el)?|(?:valid[oa]s?|validez|valedero|vigencia) ?hasta',
  '(?:vigente|en vigor|asegurado|autorizado|habilitado|vigencia) hasta',
  'fin de (?:la )?(?:vigencia|validez|cobertura|contrato)|vigencia(?=:)|validez',
  'no (?:es )?(?:valid[oa]|utilizar|usar) (?:despues|mas alla|pasado) ?(?:de)?l?',
  'termino de (?:vigencia|validez)|data di (?:scadenza|fine validita)|scadenza|scad[.]',
  '(?:scade|scadra|in scadenza)(?: il)?',
  '(?:valid[oaie]|validita|valevole|vigente|autorizzato|assicurato) ?fino',
  '(?:fine|termine) (?:della |di )?(?:validita|copertura|contratto)|valid[oaie] (?:sino|entro)',
  'non (?:valid[oa]|utilizzare|usare) (?:dopo|oltre)(?: il)?|geldig(?:heid)? ?(?:tot|t/?m)',
  'geldig tot (?:en met|uiterlijk)|vervaldatum|vervaldag|verloopdatum|verloopt|vervalt|loopt af',
  'afloopdatum|einde (?:van de )?(?:geldigheid|looptijd|contract|dekking)|geldigheidsdatum|einddatum',
  '(?:verzekerd|bevoegd|erkend|houdbaar) tot|niet (?:meer )?(?:geldig|gebruiken|te gebruiken) na',
  'uiterste (?:geldigheids)?datum',
);

/**
 * Labels that say less clearly that the document ends. They count only in a document without others, and a person has to
 * confirm their dates.
 */
const englishWeak = wordPattern(
  '(?:calibration|refresher|retest|re-?test|recertification|retraining) due(?: by| on| date)?',
  '(?:shall |will )?(?:ends?|terminates?|finish(?:es)?) on|until|thru|end date|validity(?= ?:)',
  'renew(?:ed|al)? (?:by|before|due|no later than)',
);
const weak = wordPattern(
  'gue?ltigkeit(?= ?:)|enddatum|ende(?= ?:)|zu erneuern bis|validite(?= ?:)|a renouveler avant(?: le)?',
  'fecha (?:de )?fin|renovar(?:se)? antes del?|validita(?= ?:)|data (?:di )?fine',
  'da rinnovare entro(?: il)?|geldigheid(?= ?:)|te verlengen voor|hauptuntersuchung(?: fallig)?',
  'hu(?: fallig)?|endet(?: am)?|prend fin(?: le)?|termina(?: el| il)?|eindigt(?: op)?|apk(?: tot)?',
  'itv hasta',
);

/** Words by which a sentence says until when something is valid, with other words between. */
const englishUntil = wordPattern('until|till|through|thru|up to');
const until = wordPattern("bis(?: zum)?|jusqu'? ?(?:au|a)|hasta(?: el)?|fino al?|tot(?: en met)?");

/** Labels of an end that takes the place of an earlier one. */
const englishExtension = wordPattern(
  '(?:extended|prolonged)(?: by [a-z]+)? (?:to|until|till|through)|extension (?:to|until)',
  'now valid until',
);
const extension = wordPattern(
  "verlangert bis|verlangerung bis|(?:prolongee?s?|prorogee?s?) jusqu'? ?(?:au|a)",
  '(?:prorrogad[oa]s?|ampliad[oa]s?|extendid[oa]s?) hasta',
  '(?:prorogat[oaie]|estes[oaie]|prolungat[oaie]) (?:fino )?al?|verlengd tot',
);

/** Labels that invoices use for the day of payment. */
const payment = /(?:echeance|vencimiento|vence|scadenza|scade|vervaldatum|vervalt|ablauf)/u;

/** "Valid", before or after "until" and its date. */
const validBefore =
  /(?<!\p{L})(?:valid|good|gue?ltig|valables?|valides?|valid[oaie]s?|vigentes?|geldig)(?!\p{L})[^.:;\n]{0,60}$/u;
const validAfter = /^[^:;\n]{4,30}(?<!\p{L})(?:gue?ltig|geldig)(?!\p{L})/u;

/** Checks that "until" belongs to "valid": `ist bis zum 15.7.2031 gültig`, `valable en France jusqu'au`. */
function isOfValidity(folded: string, { start, end }: { start: number; end: number }): boolean {
  return (
    validBefore.test(folded.slice(Math.max(0, start - 70), start)) ||
    validAfter.test(folded.slice(end, end + 44))
  );
}

/** `Not valid until 2031-07-15`, `nicht gültig bis`: the date is a first day, or there is none. */
const negation = /(?<!\p{L})(?:not|never|no|nicht|nie|keine?|non|pas|niet|nunca|mai|nooit) +(?:[a-z]+ +)?$/u;

/**
 * Finds the labels of expiry dates in a folded text. Of labels that overlap, the longest is returned, and of those in
 * several languages one that does not determine the order of day and month.
 */
export function expiryLabels(folded: string): ExpiryLabel[] {
  const places = (pattern: RegExp, language: 'ENGLISH' | 'OTHER', kind?: 'EXTENSION' | 'WEAK') =>
    [...folded.matchAll(pattern)].map(({ index, 0: words }) => ({
      start: index,
      end: index + words.length,
      dayFirst: language === 'OTHER',
      extends: kind === 'EXTENSION',
      isWeak: kind === 'WEAK',
      mayBePayment: payment.test(words),
    }));
  const found = [
    ...places(englishExtension, 'ENGLISH', 'EXTENSION'),
    ...places(extension, 'OTHER', 'EXTENSION'),
    ...places(english, 'ENGLISH'),
    ...places(dayFirst, 'OTHER'),
    ...places(englishUntil, 'ENGLISH').filter((label) => isOfValidity(folded, label)),
    ...places(until, 'OTHER').filter((label) => isOfValidity(folded, label)),
    ...places(englishWeak, 'ENGLISH', 'WEAK'),
    ...places(weak, 'OTHER', 'WEAK'),
  ].filter(({ start }) => !negation.test(folded.slice(Math.max(0, start - 24), start)));
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return found.filter((label) => {
    const isNew = label.start >= end;
    if (isNew) end = label.end;
    return isNew;
  });
}

/**
 * Words that may stand between a label and its date. They are articles, prepositions, days of the week, the document, and
 * how the date is written.
 */
const fillers = wordPattern(
  'this|th[ei]s|your|my|our|his|her|its|certificates?|licen[cs]es?|permits?|cards?|policy|passport',
  'document|registration|insurance|cover(?:age)?|contract|lease|validity|id|authori[sz]ation|approval',
  'driving|driver|s|membership|of|on|the|at|by|in|is|to|date|and|incl(?:uding|usive|[.])?|end|last|day',
  'month|year|midnight|noon|hours|hrs|no later than|latest|up|until|d|m|y|dd|mm|mmm|yy|yyyy|format',
  'will|shall|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thurs?|thu|fri|sat|sun|am|zum',
  'bis|der|die|das|den|dem|des|datum|und|tag|monat|jahr|tt|jj|jjjj|dieser?s?|diesem?|ihre?s?',
  'ausweis(?:es)?|fuhrerscheins?|bescheinigung|zertifikats?|dokuments?|versicherung|police|vertrags?',
  'reisepass(?:es)?|urkunde|karte|genehmigung|einschl(?:ie(?:ss|ß)lich|[.])?|inkl(?:usive|[.])?',
  'spatestens|langstens|mitternacht|uhr|letzter|ablauf|(?:mon|diens|donners|frei|sams|sonn)tags?',
  'mittwochs?|sonnabends?|mo|di|mi|do|fr|sa|so|le|la|les|du|de|des|d|l|au|et|jour|mois|annee|jj|aaaa',
  'inclus|ce|cette|cet|votre|a|minuit|heures?|certificat|permis|carte|attestation|contrat|titre',
  'passeport|assurance|en date|dernier|plus tard|compris|soit|validite|est|agrement|autorisation|lundi',
  'mardi|mercredi|jeudi|vendredi|samedi|dimanche|el|los|las|fecha|dia|mes|ano|y|hasta|inclusive',
  'incluido|este|esta|su|del|carnet|permiso|certificado|tarjeta|licencia|poliza|seguro|documento',
  'pasaporte|contrato|lunes|martes|miercoles|jueves|viernes|sabado|domingo|medianoche|las|horas|il|lo',
  'i|gli|al|alla|data|di|della|dello|e|giorno|mese|anno|gg|questo|questa|patente|certificato|polizza',
  'tessera|carta|licenza|passaporto|attestato|incluso|compreso|ore|mezzanotte',
  '(?:lune|marte|mercole|giove|vener)di|sabato|domenica|validita|fino|autorizzazione|op|en|met|tot|dag',
  'maand|jaar|het|dit|deze|uw|van|een|rijbewijs|certificaat|vergunning|pas|kaart|polis|verzekering',
  'paspoort|uiterlijk|inbegrepen|apk|middernacht|uur|maandag|dinsdag|woensdag|donderdag|vrijdag',
  'zaterdag|zondag|ma|wo|vr|za|zo',
);

/** A time of day: `24:00`, `23.59 Uhr`, `12 noon`, `ore 24`. */
const timeOfDay =
  /(?<![\d.:-])(?:[01]?\d|2[0-4])[:.h][0-5]\d(?![\d.:/-])|(?<![\d.:/-])12 (?=noon|midnight)|(?<!\p{L})(?:ore|om|um|las) \d{1,2}(?![\d.:/-])|(?<![\d.:/-])\d{1,2} ?(?:uhr|heures?|h|horas|uur|hrs)(?!\p{L})/gu;

/** Checks that a text contains only filler words, times, labels of expiry dates, and signs. */
export function leadsStraightOn(folded: string): boolean {
  if (!/[\p{L}\d]/u.test(folded)) return true;
  const known = [timeOfDay, englishExtension, extension, english, dayFirst, fillers];
  const rest = known.reduce((text, pattern) => text.replace(pattern, ' '), folded);
  return !/[\p{L}\d!?]/u.test(rest) && !/[;]|[.]\s{1,3}\p{Lu}/u.test(folded);
}

/** Words that connect two dates of which either may be meant. */
const connectors = wordPattern('and|or|to|und|oder|bzw[.]?|bis|et|ou|au|y|o|al?|e|od|of|en|tot');

/** Checks that a text between two dates connects them in one sentence. */
export function connects(folded: string): boolean {
  const rest = folded.replace(connectors, ' ');
  if (rest === folded && /[\n\r]/.test(folded)) return false;
  return folded.length <= 24 && leadsStraightOn(rest);
}

/** Words after two dates that say which of them counts. */
const chooser =
  /(?<!\p{L})(?:whichever|the|je nachdem|was|welche[rs]?|zeitpunkt|datum|termin|selon|la|le|lo|segun|quale|si|date|data|fecha|wat|welke|naargelang|au|al)(?!\p{L})/u;
const earlier =
  /(?<!\p{L})(?:earlier|earliest|sooner|soonest|first|fruhere?[rns]?|zuerst|eher|premier|premiere|plus tot|plus (?:proche|rapprochee)|anterieure|primer[oa]|antes|anterior|temprana|prima|anteriore|precedente|vicina|primo|eerste?|vroegste|eerder)(?!\p{L})/u;
const later =
  /(?<!\p{L})(?:later|latest|last|spatere?[rns]?|zuletzt|derniere|plus (?:tard|tardive|eloignee)|posterieure|despues|posterior|ultim[ao]|tardia|dopo|posteriore|successiva|laatste?|later)(?!\p{L})/u;

/** Tells which of several dates counts, by the words after them in their sentence. */
export function choiceAfter(folded: string): 'EARLIEST' | 'LATEST' | null {
  const words = folded.replace(/\s/g, ' ').replace(/[.](?: .*)?$/, '');
  if (!chooser.test(words)) return null;
  if (earlier.test(words)) return later.test(words) ? null : 'EARLIEST';
  return later.test(words) ? 'LATEST' : null;
}

/** Words that start the period whose last day follows: `valid from 1.1.2027 to 31.12.2027`. */
const validity =
  /(?:valid|gultig|gueltig|validite|valable|validez|vigen|validita|geldig|insur|versicher|assur|asegur|segur|assicur|verzeker|cover|deckung|couverture|cobertura|copertura|laufzeit|looptijd|polic[ey]|poliza|polizza|polis|lease|tenancy|extend|verlanger|prolong|prorrog|prorog|verleng|licen[cs]|permit|bewilligung|genehmigung)/u;
const rangeStart =
  /(?:(?<!\p{L})(?:from|vom|ab|von|du|del|dal|van|desde|depuis|vanaf)(?: el| le)?|:)\s{0,4}(?:\p{L}{2,10}[.,]?\s)?$/u;
const rangeMiddle =
  /^\s{0,3}(?:-|(?:until|up to(?: and including)?|to|till|through|thru|bis(?: zum| einschlie(?:ss|ß)lich)?|jusqu'?(?:au|a)|au|hasta(?: el)?|al?|fino al?|tot(?: en met)?|t\/m|until and including)(?: and including)?)[\s:]{0,4}(?:the |le |el |il )?(?:\p{L}{2,10}[.,]?\s)?$/u;

/**
 * Checks that two dates are the first and the last day of a validity.
 * @param before the words before the first, in its line
 * @param between the words between the two
 */
export function isValidityRange(before: string, between: string): boolean {
  return rangeMiddle.test(between) && rangeStart.test(before) && validity.test(before);
}

/** Topics whose end is never that of the document. */
const otherTopics = [
  'password|passcode|pin|login|user ?name',
  '(?:access|activation|voucher|discount|promo|coupon|redeem) ?code|code|codes|session|link|account',
  'invitation|download|one-time|temporary|passwort|kennwort|zugang~|aktivierung~|benutzer~|konto~',
  'einladung~|mot de passe|lien|compte|contrasena|clave|enlace|cuenta|codigo|codice|wachtwoord',
  'toegang~|offers?|quotes?|quotations?|prices?|promo~|discounts?|vouchers?|coupons?|tenders?|bids?',
  'proposals?|estimates?|deals?|sale|brochure|catalog(?:ue)?|timetable|early bird|deadline|angebote?s?',
  'preis~|rabatt~|gutscheine?|aktion~|sonder~|kostenvoranschlag~|katalog|fahrplan|anmeld~|bewerb~',
  'offres?|devis|tarifs?|remises?|reductions?|bons?|propositions?|catalogue|ofertas?|presupuestos?',
  'precios?|descuentos?|cupon~|cotizacion|propuesta|tarifas?|offert[ae]|preventiv[oi]|prezz[oi]',
  'scont[oi]|buono|proposta|listino|aanbieding~|offertes?|prij(?:s|zen)|korting~|actie|voorstel|bon',
  'payments?|payable|pay|invoices?|deposit|credit card|debit card|zahlung~|zahlbar|rechnung~|skonto',
  'kaution|kreditkarte~|paiements?|payer|factures?|reglement|carte bancaire|pagos?|pagar|facturas?',
  'recibos?|cuotas?|tarjeta de credito|pagament[oi]|pagare|fattur[ae]|carta di credito|betaling~',
  'betalen|factuur|omb(?: control)?(?: no| number)?|form(?: edition| version)?|edition|template',
  'version|revision|vorlage|formular~|vordruck~|fassung|ausgabe|auflage|formulaire|modele|edicion',
  'formulario|modelo|plantilla|impreso|edizione|modulo|modello|versione|formulier|uitgave|editie',
  'sjabloon|versie|spouses?|husbands?|wife|partners?|child(?:ren)?|dependants?|dependents?|fathers?',
  'mothers?|parents?|sponsors?|guarantors?|ehegatt~|ehefrau|ehemann~|ehepartner~|kind(?:er|es)?|mutter',
  'vater|conjointe?|epou(?:x|se)|enfants?|pere|mere|conyuge|espos[oa]|hij[oa]s?|padre|madre|coniuge',
  'moglie|marito|figli[oa]?|echtgeno~|kinderen|vader|moeder',
];

/** Topics whose end is not that of the document, unless its heading names them. */
const headedTopics = [
  ['warrant(?:y|ies)|guarantees?|garantie~|gewahrleistung~|garantias?|garanzi[ae]'],
  ['software|subscription|trial|abonnement|probeabo|abbonamento|suscripcion|proefperiode'],
];

/** Words that refer to another, earlier document. */
const replaced = [
  'in place of|instead of|replac~|supersed~|previous(?:ly)?|former(?:ly)?|old|prior|anstelle|ersetzt',
  'statt|vorherig~|bisherig~|fruhere[rnms]?|alte[rsnm]?|remplac~|ancien(?:ne)?|precedente?|anterior',
  'sustituye|sustitucion|reemplaza|previ[oa]|sostitu~|vecchi[oa]|vervang~|vorige?|oude?|eerdere',
];

/** Checks that a text contains one of the words. */
const mentions = (words: readonly string[]) => {
  const pattern = wordPattern(...words);
  return (folded: string) => folded.search(pattern) >= 0;
};
const isReplaced = mentions(replaced);
const isOtherTopic = mentions(otherTopics);
const areHeadedTopics = headedTopics.map(mentions);

/**
 * Checks that words before a label refer to something other than the document itself.
 * @param before the words of the same sentence before the label
 * @param heading the first lines of the document
 */
export function isOfAnother(before: string, heading: string): boolean {
  if (!/\p{L}/u.test(before)) return false;
  const isTopic = areHeadedTopics.some((isIn) => isIn(before) && !isIn(heading));
  return isReplaced(before) || isOtherTopic(before) || isTopic;
}

/** Checks that a heading is that of an invoice. */
export const isInvoice = mentions([
  'invoice|rechnung|facture|factura|fattura|factuur|mahnung|zahlungserinnerung|recibo',
]);

const namesOtherDate = mentions([
  'issue[ds]?|birth|born|effective|start~|begin~|commence~|sign(?:ed|ature)|printed|inspected',
  'inspection|review|from|since|renewal|renewed|payment|geburt~|geb|ausgestell~|ausstell~|erteil~',
  'erstellt|gedruckt|druckdatum|ab|seit|vom|nachste~|prufung|delivr~|emis~|etabli~|naiss~|debut',
  'imprim~|prochain~|expedi~|nacim~|inicio|desde|impres~|emision|proxim~|rilasci~|nascita|nat[oa]',
  'inizio|dal|stampa|prossim~|afgifte|afgegeven|verstrek~|geboorte~|geboren|vanaf|volgende',
  'ingangsdatum|keuring',
]);

/** Checks that a cell is the caption of another date, such as "Date of issue". */
export const isOtherCaption = (folded: string): boolean =>
  folded.length <= 60 && !/\d/.test(folded) && namesOtherDate(folded);
