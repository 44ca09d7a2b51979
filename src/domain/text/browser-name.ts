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
