/** The most bytes of a tool's answer, as it is sent. */
export const mostAnswerBytes = 25_000;

/** Characters of a text and entries of a list that are kept. Each step is tried after the one before. */
const steps = [
  { text: 2_000, entries: 100 },
  { text: 500, entries: 40 },
  { text: 150, entries: 15 },
  { text: 60, entries: 5 },
  { text: 20, entries: 2 },
] as const;

/** An answer that fits, and whether something of it was cut. */
export interface Fitted {
  readonly value: object;
  readonly isCut: boolean;
}

/** Returns a value with long texts and lists cut. Calls `onCut` for each of them. */
function cut(value: unknown, limits: (typeof steps)[number], onCut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.text || /^https?:\/\/\S+$/.test(value)) return value;
    onCut();
    // The cut may split a surrogate pair.
    return `${value.slice(0, limits.text).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > limits.entries) onCut();
    return value.slice(0, limits.entries).map((entry) => cut(entry, limits, onCut));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, limits, onCut)]));
}

/**
 * Cuts texts and lists until a value fits.
 * @param fits returns whether it does, with what is sent around it
 * @returns undefined if it does not fit even then
 */
export function fitted(value: object, fits: (value: object, isCut: boolean) => boolean): Fitted | undefined {
  if (fits(value, false)) return { value, isCut: false };
  for (const limits of steps) {
    let isCut = false;
    const shorter = cut(value, limits, () => {
      isCut = true;
    }) as object;
    if (fits(shorter, isCut)) return { value: shorter, isCut };
  }
  return undefined;
}
