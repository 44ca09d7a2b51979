// RFC 5321 §4.1.2 with the letters of RFC 6531: dot-separated atoms or a quoted text, then a domain or an
// address in brackets. A domain may be a single name, as on a private network.
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const quoted = String.raw`"(?:[^"\\\p{C}\s]|\\[^\p{C}\s])*"`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const literal = String.raw`\[[\x21-\x5a\x5e-\x7e]+\]`;
const email = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quoted})@(?:${label}(?:\\.${label})*|${literal})$`,
  'u',
);

/** Maximum characters of an e-mail address, and of its local part (RFC 5321 §4.5.3.1). */
const longest = { address: 320, local: 64 } as const;

/** Checks the syntax of an e-mail address without white space. Longer ones are rejected at once. */
export function isEmail(text: string): boolean {
  if (text.length > 2 * longest.address || !email.test(text)) return false;
  return [...text.slice(0, text.lastIndexOf('@'))].length <= longest.local;
}

/** Checks a sender or recipient of mail: an address, or the form `Name <address>`. */
export function isMailbox(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  return isEmail(address) && !/[\p{Cc}"]/u.test(text);
}

/** Checks an origin in the form in which browsers send it, such as `https://gateway.example.com`. */
export function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Trims white space: Unicode's White_Space, and U+FEFF, which `trim` also removes. */
export function trimWhiteSpace(text: string): string {
  let kept = text.trim();
  // NEL is white space in Unicode, but not in JavaScript.
  while (kept.startsWith('\u0085')) kept = kept.slice(1).trimStart();
  while (kept.endsWith('\u0085')) kept = kept.slice(0, -1).trimEnd();
  return kept;
}

/**
 * Names that JavaScript engines know although the time zone database does not. They come from the engines'
 * Unicode library.
 */
const foreignZones =
  /^(?:SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

/** Maximum characters of a time zone's name. Each part has at most 14, and there are at most three parts. */
const longestZone = 64;

/** Checks for a time zone of the IANA database, in any letter case, including aliases. */
export function isZone(text: string): boolean {
  // Newer engines also accept offsets such as +01:00.
  if (text.length > longestZone || !/^[a-z]/i.test(text) || foreignZones.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses a URL like browsers do (the URL standard).
 * @returns undefined if it is invalid
 */
export function readUrl(text: string): URL | undefined {
  try {
    // Not `URL.canParse`: once Node.js 20 has compiled its callers, it rejects URLs with letters such as ü.
    return new URL(text);
  } catch {
    return undefined;
  }
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names the browser and the system of a `User-Agent`, such as `Firefox, Linux`. Only names from here are used:
 * whoever sends the header must not be able to write a sentence into a mail.
 * @param joint joins the two names
 * @returns null for an unknown browser
 */
export function browserName(agent: string, joint = ', '): string | null {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = find(browsers);
  return browser === undefined ? null : [browser, find(systems)].filter(Boolean).join(joint);
}
