import * as z from 'zod';
import { languages, limits, rules } from '../rules.js';
import { isVisible } from '../text/names.js';

/** Fields that own words of mails can have, with what they stand for. There are no others. */
export const mailFields = {
  'item.name': 'The name of the item.',
  'item.expirationDate': 'The expiration date of the item in words, such as 31 March 2027.',
  'item.daysLeft': 'The days until the date that the mail is about, such as in 7 days, or 3 days ago.',
  'item.documentType': 'The document type of the item.',
  'item.workspace': 'The workspace of the item.',
  'item.assignee': 'The user the item is assigned to.',
  'item.details': 'The details of the item, at most 500 characters.',
  'recipient.name': 'The name of the recipient, or their address if no name is known.',
  'organization.name': 'The name of the organization.',
} as const;

/** Name of a field in own words. */
export type MailField = keyof typeof mailFields;

/** Values of the fields in one mail. A field without a value has none in this mail. */
export type MailValues = Readonly<Partial<Record<MailField, string>>>;

/** The most characters of a paragraph of own words. */
const longestParagraph = 4_096;

/** A part of own words: text, or a field. */
type Piece = { readonly text: string } | { readonly field: MailField };

/** A fault for which a text cannot be own words, with its place. */
interface Fault {
  readonly fault: string;
}

const isField = (name: string): name is MailField => Object.hasOwn(mailFields, name);

/** Says where in a text a character is. */
function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  const character = `character ${[...(lines.at(-1) ?? '')].length + 1}`;
  return text.includes('\n') ? `line ${lines.length}, ${character}` : character;
}

/** Names an unknown field in a message. */
function quoted(name: string): string {
  const characters = [...name.replace(/\p{Cc}+/gu, ' ')];
  return `{{${characters.slice(0, 40).join('')}${characters.length > 40 ? '…' : ''}}}`;
}

/** Splits a text into its fields and what is between them. Braces that are no fields are a fault. */
function readWords(text: string): Piece[] | Fault {
  const pieces: Piece[] = [];
  let end = 0;
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', end)) {
    const close = text.indexOf('}}', start);
    if (close < 0) return { fault: `has {{ without }} at ${placeOf(text, start)}` };
    const name = text.slice(start + 2, close).trim();
    if (!isField(name)) {
      const known = Object.keys(mailFields).join(', ');
      return { fault: `has an unknown field ${quoted(name)} at ${placeOf(text, start)}; there are ${known}` };
    }
    pieces.push({ text: text.slice(end, start) }, { field: name });
    end = close + 2;
  }
  return [...pieces, { text: text.slice(end) }];
}

/** A line of own words with values, and the values of its fields. */
interface FilledLine {
  text: string;
  readonly fields: string[];
}

/**
 * Puts values into own words. Values are not read again, so braces in them stay. A line is left out if it has fields, all
 * of which are empty: it would end in the middle of a sentence.
 * @returns undefined if a field has no value in this mail, or the words cannot be read
 */
export function fillWords(words: string, values: MailValues): string | undefined {
  const pieces = readWords(words);
  if ('fault' in pieces) return undefined;
  let line: FilledLine = { text: '', fields: [] };
  const lines = [line];
  for (const piece of pieces) {
    if ('field' in piece) {
      const value = values[piece.field];
      if (value === undefined) return undefined;
      line.text += value;
      line.fields.push(value);
      continue;
    }
    const [first = '', ...others] = piece.text.split('\n');
    line.text += first;
    for (const text of others) {
      line = { text, fields: [] };
      lines.push(line);
    }
  }
  const kept = lines.filter(({ fields }) => fields.length === 0 || fields.some((value) => value !== ''));
  return kept.map(({ text }) => text).join('\n');
}

/** Makes the rule of own words. Those without a visible character are none. */
const wordsRule = (text: z.ZodType<string | null>) =>
  text
    .superRefine((words, context) => {
      const read = readWords(words ?? '');
      if ('fault' in read)
        context.addIssue({ code: 'custom', message: read.fault, params: { rule: 'format' } });
    })
    .transform((words) => (words !== null && isVisible(words) ? words : null));

/** A line that headers of mails can have. */
const headerLine = rules.line.refine((line) => !/[\p{Cc}\u2028\u2029]/u.test(line ?? ''), {
  error: 'must be a single line',
  params: { rule: 'characters' },
});

/** A paragraph of own words. Programs end lines in several ways. */
const paragraph = rules
  .textWithin(longestParagraph)
  .transform((text) => text?.replace(/\r\n?|[\u2028\u2029]/g, '\n') ?? null);

/** Rule of the name of a mail's sender. What looks like an encoded word (RFC 2047) would be decoded. */
export const senderNameRule = headerLine
  .refine((name) => !name?.includes('=?'), { error: 'must not have =?', params: { rule: 'characters' } })
  .transform((name) => (name !== null && isVisible(name) ? name.trim() : null));

/** Rule of the address that replies go to. All mail programs can write to it. */
export const replyToRule = rules.email
  .refine((address) => !/[^\p{ASCII}].*@/u.test(address), {
    error: 'must have only ASCII characters before the @',
    params: { rule: 'format' },
  })
  .nullish()
  .transform((address) => address ?? null);

/** Rule of the own words in one language. */
export const wordsInLanguage = z.object({
  language: z
    .string('is required')
    .toLowerCase()
    .pipe(z.enum(languages, `must be a language: one of ${languages.join(', ')}`)),
  subject: wordsRule(headerLine),
  opening: wordsRule(paragraph),
  closing: wordsRule(paragraph),
});

/** Rule of the own words in several languages. Languages without own words are left out. */
export const mailWordsRule = z
  .array(wordsInLanguage)
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .superRefine((entries, context) => {
    for (const [index, { language }] of entries.entries()) {
      if (entries.findIndex((other) => other.language === language) === index) continue;
      context.addIssue({ code: 'custom', message: 'is that of another entry', path: [index, 'language'] });
    }
  })
  .nullish()
  .transform((entries) => (entries ?? []).filter((entry) => wordNames.some((name) => entry[name] !== null)));

/** Places of own words in a mail. */
const wordNames = ['subject', 'opening', 'closing'] as const;

/** Own words in one language. What is null has the built-in words. */
export type MailWords = z.output<typeof wordsInLanguage>;

/** The own parts of a mail, whichever mail texts they come from. */
export interface OwnMail extends Pick<MailWords, (typeof wordNames)[number]> {
  readonly senderName: string | null;
  readonly replyTo: string | null;
  /** Data URL. */
  readonly logo: string | null;
}

/** A mail text that applies to a mail. */
export interface AppliedText extends Pick<OwnMail, 'senderName' | 'replyTo' | 'logo'> {
  readonly words: readonly MailWords[];
}

/**
 * Picks what a mail in a language has of its own. Of several mail texts, the first one that has something decides, for
 * each place.
 * @param texts the mail texts that apply, the most specific first
 */
export function pickOwn(language: string, texts: readonly AppliedText[]): OwnMail {
  const inLanguage = texts.flatMap(({ words }) => words.filter((entry) => entry.language === language));
  const word = (name: (typeof wordNames)[number]) =>
    inLanguage.find((entry) => entry[name] !== null)?.[name] ?? null;
  const other = (name: 'senderName' | 'replyTo' | 'logo') =>
    texts.find((text) => text[name] !== null)?.[name] ?? null;
  return {
    ...{ subject: word('subject'), opening: word('opening'), closing: word('closing') },
    ...{ senderName: other('senderName'), replyTo: other('replyTo'), logo: other('logo') },
  };
}
