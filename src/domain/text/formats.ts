// RFC 5321 §4.1.2 with the letters of RFC 6531: dot-separated atoms or a quoted text, then a domain or an address
// in brackets. A domain may be a single name, as on a private network.
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const quoted = String.raw`"(?:[^"\\\p{C}\s]|\\[^\p{C}\s])*"`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const literal = String.raw`\[[\x21-\x5a\x5e-\x7e]+\]`;
const email = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quoted})@(?:${label}(?:\\.${label})*|${literal})$`,
  'u',
);

/** Most characters of an e-mail address, and of its local part (RFC 5321 §4.5.3.1). */
const longest = { address: 320, local: 64 } as const;

/** Checks the syntax of an e-mail address without white space. Longer ones are not looked at. */
export function isEmail(text: string): boolean {
  if (text.length > 2 * longest.address || !email.test(text)) return false;
  return [...text.slice(0, text.lastIndexOf('@'))].length <= longest.local;
}

/** Trims white space: Unicode's White_Space, and U+FEFF, which `trim` cuts as well. */
export function trimWhiteSpace(text: string): string {
  const trimmed = text.trim();
  // NEL is white space to Unicode, but not to JavaScript.
  const rest = trimmed.replace(/^\u0085+/, '');
  const kept = rest.endsWith('\u0085') ? rest.slice(0, -1) : rest;
  return kept === text ? text : trimWhiteSpace(kept);
}

/** Names that JavaScript engines know from their Unicode library, not from the time zone database. */
const foreignZones =
  /^(?:SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

/** Characters of a time zone's name at most. Each of its parts has 14, and three are the most there are. */
const longestZone = 64;

/** Checks for a time zone of the IANA database, in any letter case, aliases included. */
export function isZone(text: string): boolean {
  // Later engines take offsets such as +01:00 as well.
  if (text.length > longestZone || !/^[a-z]/i.test(text) || foreignZones.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a URL as browsers do (the URL standard).
 * @returns undefined for what is none
 */
export function readUrl(text: string): URL | undefined {
  try {
    // Not `URL.canParse`: once Node.js 20 has compiled its callers, it refuses URLs with letters such as ü.
    return new URL(text);
  } catch {
    return undefined;
  }
}
