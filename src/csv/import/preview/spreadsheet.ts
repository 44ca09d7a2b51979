import type { Damage } from '../../../imports/options.js';

/** Digits that a spreadsheet keeps of a number. */
const keptDigits = 15;

/** Returns whether a text is a number that a spreadsheet has shortened, such as `1.23E+019`. */
export const isShortened = (text: string): boolean => /^\d([.,]\d{1,17})?E\+\d{2,3}$/i.test(text.trim());

/** Returns whether a text is a number as spreadsheets save it. */
export const isNumber = (text: string): boolean => isShortened(text) || /^\d+$/.test(text.trim());

/** Returns whether a number is another one that a spreadsheet has rounded. */
function isRoundedFrom(after: string, before: string): boolean {
  if (isShortened(after)) {
    const number = after.replace(',', '.');
    const decimals = /\.(\d+)/.exec(number)?.[1]?.length ?? 0;
    return Number(before).toExponential(decimals) === Number(number).toExponential(decimals);
  }
  const digits = before.replace(/^0+/, '');
  if (!/^\d+$/.test(digits) || digits.length !== after.length) return false;
  if (!/^0+$/.test(after.slice(keptDigits))) return false;
  // Some programs round the last digit that they keep, and some cut off what follows.
  const difference = Number(after.slice(0, keptDigits)) - Number(digits.slice(0, keptDigits));
  return difference === 0 || difference === 1;
}

/**
 * Recognizes a text that a spreadsheet has opened as a number and saved. `0012` becomes `12`, and a number of
 * many digits `1.23E+19`. A person who changes a text does not write it so.
 * @param before text of the record
 * @param after text of the file
 */
export function damageOf(before: string, after: string): Damage | null {
  const [was, is] = [before.trim().replace(/^\+/, ''), after.trim()];
  if (was === is || !isNumber(is) || !/^\d+(\.\d+)?(E\d+)?$/i.test(was)) return null;
  if (/^0+\d/.test(was) && was.replace(/^0+(?=\d)/, '') === is) return 'LOST_ZEROS';
  return isRoundedFrom(is, was) ? 'ROUNDED' : null;
}
