import { formatDate } from '../dates.js';
import { limits } from '../rules.js';
import { isVisible } from '../text/names.js';
import { isPlausible } from './expiry-dates.js';
import { type ExpiryLabel, expiryLabels, leadsStraightOn } from './expiry-words.js';
import { agreedDate, compose, fold, indexFrom, type WrittenDate, writtenDates } from './written-dates.js';

/** Words with which programs begin the names of their files. Whatever follows is their own, too. */
const programs = [
  'whatsapp|viber image|wechat image|photo on|image from|evernote snapshot|scannable|notebloc',
  'screenshot|screen shot|screencast|screen ?recording|snipping tool|bildschirmfoto|bildschirmaufnahme',
  "capture d'? ?ecran|captura de (?:pantalla|ecra)|schermata|cattura|schermafbeelding|schermafdruk|schermopname",
  'cam ?scanner|adobe ?scan|genius ?scan|tiny ?scan(?:ner)?|turbo ?scan|swift ?scan|simple ?scan|scanbot',
  'clear ?scanner|fast ?scanner|scanner ?pro|office ?lens|microsoft ?lens|hp ?scan|scansnap|naps2',
].join('|');

/** Words with which devices and programs begin names if a number follows. People begin names with them, too. */
const devices = [
  'e?img|mvimg|pximg|fb img|pxl|dsc[fn]?|dcim|sam|cimg|imag|pict|gopr|gh|dji|pano|vid|mov|aud|ptt|stk|burst|win|wp',
  'mmexport|received|snapchat|signal|telegram|line album|imessage|messenger|snip',
  'epson|brother|canon|kyocera|ricoh|xerox|konica|lexmark|ccf|cce|scn|skm|rnp|brw|brn|mfp',
].join('|');

const begins = new RegExp(`^(?:(?:${programs})(?!\\p{L})|(?:${devices}) ?(?=\\d))`, 'u');

/** Words of which other names of devices and programs consist, beside numbers, in six languages. */
const otherWords = [
  'scan scans scanned scanner scanning photo photos picture pic image images camera cam document documents doc docs',
  'file page pages new untitled note notes pdf jpg jpeg fax mail email message attachment download upload export',
  'copy edited edit hdr cover night portrait top shot original raw mp img vid my the of on at from am pm wa nr no',
  'gescannt gescannte gescanntes dokument dokumente neu neue neues neuer foto fotos bild bilder aufnahme kamera',
  'seite seiten datei kopie unbenannt ohne titel notiz anhang vom um uhr',
  'numerisation numerise numerises nouveau nouvelle fichier appareil sans titre copie du le',
  'escaneado escaneo escanear escaner digitalizado digitalizacion documento documentos nuevo nueva imagen archivo',
  'pagina paginas sin titulo camara las los la el del de',
  'scansione scansioni scannerizzato documenti nuovo nuova immagine fotocamera copia senza titolo alle',
  'mfp xerox lexmark ricoh epson brother canon kyocera teams instagram discord telegram desktop cloud dropbox google drive',
  'iscanner camerascanner vflat photoshop docusign notes notizen print prints printed ausdruck captura skan tarama ekran',
  'skarmbild bildschirm enregistrement ecran l grabacion pantalla registrazione schermo scansionato scansionati',
  'gescand gescande documenten nieuw nieuwe afbeelding bestand naamloos om van op met',
];
const plainWords: ReadonlySet<string> = new Set(otherWords.flatMap((line) => line.split(' ')));

// Single letters are parts of counters and times.
const isPlain = (word: string) => word.length === 1 || plainWords.has(word);

/** Words before or after the day on which a document was signed or finished. */
const signing = [
  'signed|countersigned|completed|executed|unterschrieben|unterzeichnet|signiert|signe|firmado|firmada|firmato|firmata',
  'sottoscritto|getekend|ondertekend',
].join('|');
const signed = {
  before: new RegExp(
    String.raw`(?<!\p{L})(?:${signing})(?:[^\p{L}\d]+(?:on|am|le|el|il|op))?[^\p{L}\d]*$`,
    'u',
  ),
  after: new RegExp(String.raw`^[^\p{L}\d]*(?:${signing})(?!\p{L})`, 'u'),
};

/** A time of day after a day: `03.12`, `031200`, `at 3.12.11`. Documents end with a day, not at a time. */
const time = new RegExp(
  String.raw`^[^\p{L}\d]{0,3}(?:(?:t|at|um|a|a las|alle|om|le)[^\p{L}\d]{0,3})?` +
    String.raw`(?:\d{1,2}[.:_h-][0-5]\d(?:[.:_-][0-5]\d)?|(?:[01]\d|2[0-3])(?:[0-5]\d){2}\d{0,3})(?!\d)`,
  'u',
);

/**
 * Checks that a file was named by a device or a program, or after signing. The date in such a name, as in
 * `IMG_20261127_031200`, `Scan 2026-11-27` or `Contract signed 2026-11-27`, is the day of that.
 * @param folded the name without folders and extension, folded
 * @param day where the date stands in it
 */
function isDeviceName(folded: string, { start, end }: { start: number; end: number }): boolean {
  const spaced = folded.replace(/[^\p{L}\d']+/gu, ' ').trim();
  if (begins.test(spaced) || time.test(folded.slice(end))) return true;
  if (signed.before.test(folded.slice(0, start)) || signed.after.test(folded.slice(end))) return true;
  const others = `${folded.slice(0, start)} ${folded.slice(end)}`.match(/\p{L}+/gu) ?? [];
  return others.every(isPlain);
}

/** Most characters between a label and the date after it, and after a date. */
const near = { label: 40, after: 3 };

/** Milliseconds after which a day is later than today in every time zone. */
const clearly = 2 * 86_400_000;

/** A date in a file's name. */
export interface NamedDate {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** True if a label beside it says that it is the last valid day. Otherwise only a person may take it. */
  readonly isLabelled: boolean;
}

/** Returns the base name of a path: the part after the last `/` or `\`. */
function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Drops the extension of a file's name. */
const withoutExtension = (name: string) => name.trim().replace(/\.(?=\d*[A-Za-z])[A-Za-z\d]{1,5}$/, '');

/** Finds the label of a date, just before or after it. */
function labelOf(
  date: WrittenDate,
  spaced: string,
  labels: readonly ExpiryLabel[],
  dates: readonly WrittenDate[],
): ExpiryLabel | undefined {
  const at = indexFrom(labels, date.start);
  // Languages share words, so that two labels may overlap.
  const before = labels.slice(Math.max(0, at - 2), at).reverse();
  const leading = before.find(
    ({ end }) =>
      end <= date.start && date.start - end <= near.label && leadsStraightOn(spaced.slice(end, date.start)),
  );
  if (leading) return leading;
  const after = labels[indexFrom(labels, date.end)];
  const isBeside = after && after.start - date.end <= near.after;
  if (!isBeside || /[\p{L}\d]/u.test(spaced.slice(date.end, after.start))) return undefined;
  const next = dates[indexFrom(dates, after.end)];
  return next && leadsStraightOn(spaced.slice(after.end, next.start)) ? undefined : after;
}

/** Finds the dates with a label beside them. A label's language may tell which number is the day. */
function labelledIn(folded: string, dates: readonly WrittenDate[]): WrittenDate[] {
  const spaced = folded.replace(/[-_.,+]/g, ' ');
  const found = [...expiryLabels(spaced).filter(({ isWeak }) => !isWeak), ...shortLabels(spaced)];
  const labels = found.sort((one, other) => one.start - other.start);
  let end = Number.NEGATIVE_INFINITY;
  return dates.flatMap((date) => {
    const label = labelOf(date, spaced, labels, dates);
    // The label may mean the date right after another one as well.
    const isNext = date.start - end <= near.after;
    if (!label && !isNext) return [];
    end = date.end;
    return [label?.dayFirst ? { ...date, readings: date.readings.slice(0, 1) } : date];
  });
}

/** Finds `exp` after a date. In texts it may be short for experience, in names it hardly is. */
const shortLabels = (spaced: string): ExpiryLabel[] =>
  [...spaced.matchAll(/(?<=\d[ ]{0,3})exp(?=[^\p{L}\d]|$)/gu)].map(({ index }) => ({
    ...{ start: index, end: index + 3, dayFirst: false, extends: false, isWeak: false, mayBePayment: false },
  }));

/**
 * Finds the expiration date in a file's name. It reads `licence exp 2031-07-15.pdf`, `gültig bis 15.07.2031`,
 * `20310715-valid-until`, and ignores folders. A date without a label is returned only if it is the name's only one,
 * clearly in the future, and if no device or program gave the name, because they name files by the day on which they
 * made them. The result is null for several different dates, and for one whose day could be the month (`05-07-2031`).
 */
export function dateInFileName(name: string, today: Date): NamedDate | null {
  const own = lastPart(name).trim();
  const folded = fold(compose(own));
  const dates = writtenDates(folded);
  const [first] = dates;
  if (!first) return null;
  const labelled = labelledIn(folded, dates);
  if (labelled.length > 0) {
    const date = agreedDate(labelled);
    return date === null ? null : { date, isLabelled: true };
  }
  const date = agreedDate(dates);
  const isLater = date !== null && date >= formatDate(new Date(today.getTime() + clearly));
  if (!isLater || !isPlausible(date, today)) return null;
  return isDeviceName(fold(compose(withoutExtension(own))), first) ? null : { date, isLabelled: false };
}

/**
 * Creates a record's title from a file's name. It drops folder and extension, keeps dates, and cuts the title
 * to the 255 characters of a line. If nothing remains, as for `.pdf`, the title is the whole name. It is
 * empty only if the name is.
 */
export function nameOfFile(name: string): string {
  const stem = withoutExtension(lastPart(name)).trim();
  return [...(isVisible(stem) ? stem : name.trim())].slice(0, limits.line).join('').trimEnd();
}
