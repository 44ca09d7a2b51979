import { parseDate } from '../../domain/dates.js';
import { isUuid } from '../../domain/rules.js';
import type { ImportOptions } from '../../imports/options.js';

/** A value of a cell, or why it has none. */
export type Read = { readonly value: unknown } | { readonly problem: string };

const words = {
  true: ['true', 'yes', 'y', '1', 'ja', 'j', 'oui', 'sí', 'si', 's', 'sì', 'wahr', 'vrai', 'x'],
  false: ['false', 'no', 'n', '0', 'nein', 'non', 'nee', 'falsch', 'faux'],
};

function readBoolean(text: string): Read {
  const word = text.trim().toLowerCase();
  if (words.true.includes(word)) return { value: true };
  return words.false.includes(word) ? { value: false } : { problem: 'must be true or false' };
}

function readNumber(text: string, isWhole: boolean): Read {
  const number = text.trim();
  const pattern = isWhole ? /^[+-]?\d+$/ : /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
  if (pattern.test(number)) return { value: Number(number) };
  return { problem: isWhole ? 'must be a whole number' : 'must be a number such as 1234.5' };
}

/** Orders of day, month and year, by the formats that a person may choose. */
const orders = { YMD: ['y', 'm', 'd'], DMY: ['d', 'm', 'y'], MDY: ['m', 'd', 'y'] } as const;

/** Examples for each format. */
const examples = { YMD: '2027-12-31 or 2027/12/31', DMY: '31.12.2027', MDY: '12/31/2027' };

/** Reads a date. Without a chosen format, only `YYYY-MM-DD` is one: the order is never guessed. */
function readDate(text: string, format: ImportOptions['dateFormat']): Read {
  const written = text.trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) {
    return parseDate(written) ? { value: written } : { problem: 'is no day of the calendar' };
  }
  if (format === null) return { problem: 'must be written YYYY-MM-DD, or a date format must be chosen' };
  const parts = /^(\d{1,4})[-./ ]+(\d{1,2})[-./ ]+(\d{1,4})\.?$/.exec(written)?.slice(1);
  const order = orders[format];
  const part = (letter: 'y' | 'm' | 'd') => parts?.[(order as readonly string[]).indexOf(letter)] ?? '';
  if (part('y').length !== 4) return { problem: `must be a date such as ${examples[format]}` };
  const iso = `${part('y')}-${part('m').padStart(2, '0')}-${part('d').padStart(2, '0')}`;
  return /^\d{4}-\d{2}-\d{2}$/.test(iso) && parseDate(iso)
    ? { value: iso }
    : { problem: 'is no day of the calendar' };
}

/** Splits the entries of a cell with a list. */
export const entriesIn = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Types of lists of records, and the members by which their entries are found. */
const references: Readonly<Record<string, string>> = {
  ContactReference: 'email',
  LocationReference: 'name',
  TagReference: 'name',
  CategoryCustomFieldInput: 'name',
};

/**
 * Reads a cell that is not empty.
 * @param type name of the GraphQL type of its values
 */
export function readCell(
  text: string,
  type: string,
  { dateFormat }: Pick<ImportOptions, 'dateFormat'>,
): Read {
  if (type === 'Boolean') return readBoolean(text);
  if (type === 'Int' || type === 'Float') return readNumber(text, type === 'Int');
  if (type === 'Date') return readDate(text, dateFormat);
  if (type === 'ID' || type === 'UUID') return { value: text.trim() };
  const key = references[type];
  if (key === undefined) return { value: text };
  return {
    value: entriesIn(text).map((entry) =>
      isUuid(entry) && type !== 'CategoryCustomFieldInput' ? { id: entry } : { [key]: entry },
    ),
  };
}
