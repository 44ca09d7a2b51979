import * as z from 'zod';
import type { Mention } from '../documents/document-words.js';
import { dateInFileName, type NamedDate } from '../documents/file-names.js';
import type { Box, DocumentFinding, FindingField, FindingSource } from '../documents/finding.js';

/** A detail that can be suggested for a document. The workspace itself has the last five. */
export type SuggestionField =
  | FindingField
  | 'document_type'
  | 'contact'
  | 'vehicle'
  | 'person'
  | 'expiration_item';

/**
 * A source of a suggestion. `WORKSPACE` is a record of the workspace that the document mentions, and `FILE_NAME` the
 * name of the file.
 */
export type SuggestionSource = FindingSource | 'WORKSPACE' | 'FILE_NAME';

/** A detail of a document to choose from, as it is stored with the upload. Nothing uses it unseen. */
export interface Suggestion {
  readonly field: SuggestionField;
  /**
   * The value as text. Dates are `YYYY-MM-DD`, document types names, contacts e-mail addresses. What the document may be a
   * paper of has its id, and so has the item that it may renew.
   */
  readonly value: string;
  /** Name of the record whose id is the value. */
  readonly name?: string;
  /** Certainty of the value, from 0 to 100. */
  readonly confidence: number;
  readonly source: SuggestionSource;
  /** Number of the page, from 1; null if unknown. */
  readonly page: number | null;
  readonly box: Box | null;
  /** Words of the document around the value. */
  readonly words: string | null;
  /** An English sentence that says why it is suggested. */
  readonly reason: string;
}

/** The most suggestions of an upload, those of one field, and the longest texts. */
const limits = { all: 20, perField: 5, value: 255, words: 120, name: 80 };

/** Limits of what a suggestion says. A reason repeats its words, and names of records shortened. */
export const suggestionRules = z.object({
  value: z.string().max(limits.value),
  name: z.string().max(limits.value).nullable(),
  words: z.string().max(limits.words).nullable(),
  reason: z.string().max(500),
});

/** Explains in a sentence where a finding stands. */
function reasonOf({ source, page, words, confidence }: DocumentFinding): string {
  const place = `page ${page}`;
  switch (source) {
    case 'TEXT':
      return `The text of ${place} says “${words}”.`;
    case 'OCR':
      return `“${words}” was recognized in the picture of ${place}, with a certainty of ${confidence} %.`;
    case 'MRZ':
      return `The machine-readable zone on ${place} says so, and its check digits agree.`;
    case 'BARCODE':
      return `A barcode on ${place} says so.`;
  }
}

/** Rounds a place to ten-thousandths of the page. */
function rounded(box: Box | null): Box | null {
  if (box === null) return null;
  const round = (part: number) => Math.round(part * 10_000) / 10_000;
  return { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}

/** Converts a finding to the suggestion that is stored. */
export function suggestionOf(finding: DocumentFinding): Suggestion {
  const words = finding.words.slice(0, limits.words).toWellFormed();
  const { field, source, page, box } = finding;
  const confidence = Math.round(Math.min(100, Math.max(0, finding.confidence)));
  const reason = reasonOf({ ...finding, words, confidence });
  return { field, value: finding.value, confidence, source, page, box: rounded(box), words, reason };
}

/** A record of the workspace that a document mentions. */
export interface MentionedRecord {
  readonly kind: 'Document type' | 'Contact' | 'Vehicle' | 'Expiration item';
  readonly name: string;
  /** Number or address that the document has instead of the name. */
  readonly has?: { readonly what: string; readonly value: string };
}

/** Shortens a text of a record for a sentence. */
const inSentence = (text: string) => {
  const signs = [...text];
  return `“${signs.length > limits.name ? `${signs.slice(0, limits.name - 1).join('')}…` : text}”`;
};

/** Explains in a sentence where a record of the workspace stands in the document. */
function reasonOfMention({ kind, name, has }: MentionedRecord, page: number | null, words: string): string {
  const subject = `${kind} ${inSentence(name)}`;
  const found = has
    ? `${subject} has the ${[...has.what].slice(0, limits.name).join('')} ${inSentence(has.value)}, which`
    : subject;
  return `${found} stands ${page === null ? "in the file's name" : `on page ${page}`} as “${words}”.`;
}

/** Fields whose value is an id. Their suggestions have the record's name, too. */
const namedFields: ReadonlySet<SuggestionField> = new Set(['vehicle', 'person', 'expiration_item']);

/** Converts a mention of a record to the suggestion that is stored. */
export function mentionOf(
  {
    field,
    value,
    about,
    most,
  }: Pick<Suggestion, 'field' | 'value'> & { about: MentionedRecord; most: number },
  { similarity, confidence, page, box, words: found }: Omit<Mention, 'from' | 'to'>,
): Suggestion {
  const words = found.slice(0, limits.words).toWellFormed();
  const reason = reasonOfMention(about, page, words);
  const certainty = Math.round(similarity * Math.min(most, confidence));
  return {
    ...{ field, value, confidence: certainty, source: 'WORKSPACE', page, box: rounded(box), words, reason },
    ...(namedFields.has(field) && {
      name: about.name.slice(0, limits.value).toWellFormed(),
    }),
  };
}

/** Orders suggestions by certainty. */
const byCertainty = (one: Suggestion, other: Suggestion) => other.confidence - one.confidence;

/**
 * Selects the suggestions that are stored. Of several with the same value, the most certain stays, and of each
 * field the five most certain. What the document says itself has room before what it mentions. The order is by
 * certainty.
 */
export function selectSuggestions(
  said: readonly Suggestion[],
  mentioned: readonly Suggestion[] = [],
): Suggestion[] {
  const selected = new Map<string, Suggestion>();
  const counts = new Map<string, number>();
  for (const suggestion of [...[...said].sort(byCertainty), ...[...mentioned].sort(byCertainty)]) {
    const { field, value } = suggestion;
    const count = counts.get(field) ?? 0;
    const key = `${field} ${value}`;
    const isKept = selected.size < limits.all && count < limits.perField && value.length <= limits.value;
    if (!isKept || value === '' || selected.has(key)) continue;
    selected.set(key, suggestion);
    counts.set(field, count + 1);
  }
  return [...selected.values()].sort(byCertainty);
}

/** Certainty of a date in a file's name. A date beside a label is more certain. */
const prepared = { labelled: 80, other: 50 };

function suggestionOfName(filename: string, { date, isLabelled }: NamedDate): Suggestion {
  const words = filename.slice(0, limits.words).toWellFormed();
  return {
    ...{ field: 'expiration_date', value: date, source: 'FILE_NAME', page: null, box: null, words },
    confidence: isLabelled ? prepared.labelled : prepared.other,
    reason: `The file's name has this date: “${words}”.`,
  };
}

/** Adds the date in a file's name to the suggestions for it. */
export function withNamedDate(
  suggestions: readonly Suggestion[],
  filename: string | null,
  today: Date,
): readonly Suggestion[] {
  const found = filename === null ? null : dateInFileName(filename, today);
  return found ? selectSuggestions([...suggestions, suggestionOfName(filename ?? '', found)]) : suggestions;
}

/** Returns the suggestions that come from the document itself, not from the file's name. */
export const saidByDocument = (suggestions: readonly Suggestion[]): readonly Suggestion[] =>
  suggestions.filter(({ source }) => source !== 'FILE_NAME');

/** Returns the expiration dates among suggestions, the most certain first. */
export const suggestedDates = (suggestions: readonly Suggestion[]): readonly Suggestion[] =>
  suggestions.filter(({ field }) => field === 'expiration_date');

/** Checks that an item has no date, or another one than is suggested. A person should look then. */
export const needsLook = (suggestions: readonly Suggestion[], date: string | null): boolean =>
  date === null || suggestedDates(suggestions).some(({ value }) => value !== date);

/** Returns the suggestions in a stored value. An upload of an older version has none. */
export const storedSuggestions = (stored: unknown): readonly Suggestion[] =>
  Array.isArray(stored) ? (stored as Suggestion[]) : [];
