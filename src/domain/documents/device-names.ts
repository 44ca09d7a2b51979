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
  'epson|brother|canon|kyocera|ricoh|xerox|konica|ccf|skm',
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
  'gescand gescande documenten nieuw nieuwe afbeelding bestand naamloos om van op met',
];
const plainWords: ReadonlySet<string> = new Set(otherWords.flatMap((line) => line.split(' ')));

// Single letters are parts of counters and times.
const isPlain = (word: string) => word.length === 1 || plainWords.has(word);

/** A time of day after a day: `03.12`, `031200`, `at 3.12.11`. Documents end with a day, not at a time. */
const time = new RegExp(
  String.raw`^[^\p{L}\d]{0,3}(?:(?:t|at|um|a|a las|alle|om|le)[^\p{L}\d]{0,3})?` +
    String.raw`(?:\d{1,2}[.:_h-][0-5]\d(?:[.:_-][0-5]\d)?|(?:[01]\d|2[0-3])(?:[0-5]\d){2}\d{0,3})(?!\d)`,
  'u',
);

/**
 * Checks that a device or a program named a file, such as `IMG_20261127_031200` or `Scan 2026-11-27`. The date in such a
 * name is the day on which the file was made.
 * @param folded the name without folders and extension, folded
 * @param day where the date stands in it
 */
export function isDeviceName(folded: string, { start, end }: { start: number; end: number }): boolean {
  const spaced = folded.replace(/[^\p{L}\d']+/gu, ' ').trim();
  if (begins.test(spaced) || time.test(folded.slice(end))) return true;
  const others = `${folded.slice(0, start)} ${folded.slice(end)}`.match(/\p{L}+/gu) ?? [];
  return others.every(isPlain);
}
