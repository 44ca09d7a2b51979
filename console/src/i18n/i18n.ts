import keys from 'virtual:texts/keys';
import { signal } from '@preact/signals';
import { keep, readKept } from '../data/browser';
import type { tables } from './texts';

type Tables = typeof tables;

/** Languages of the console, by their own names. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
} as const;

export type Language = keyof typeof languages;

/** The key of a text: its table and row, such as `items.title`. */
export type Key = { [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}` }[keyof Tables];

/** The current language. */
export const language = signal<Language>('en');

const storage = 'expiration-gateway.language';
let texts: Readonly<Record<string, string>> = {};
let plurals = new Intl.PluralRules('en');

/** Loads a language's texts when it is chosen. They are in the order of the keys. */
const loaders: Record<Language, () => Promise<{ default: readonly string[] }>> = {
  en: () => import('virtual:texts/en'),
  de: () => import('virtual:texts/de'),
  fr: () => import('virtual:texts/fr'),
  es: () => import('virtual:texts/es'),
  it: () => import('virtual:texts/it'),
  nl: () => import('virtual:texts/nl'),
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** Finds the person's language: the one chosen here, or the browser's first supported one. */
function preferred(): Language {
  const chosen = readKept('localStorage', storage) ?? '';
  const wanted = [chosen, ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find(isLanguage) ?? 'en';
}

/** Switches to another language, and stores the choice. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  await load(wanted);
  keep('localStorage', storage, wanted);
}

async function load(wanted: Language): Promise<void> {
  const { default: loaded } = await loaders[wanted]();
  texts = Object.fromEntries(keys.map((key, at) => [key, loaded[at] ?? key]));
  plurals = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  language.value = wanted;
}

/** Loads the person's language. */
export const loadLanguage = (): Promise<void> => load(preferred());

/** Removes bidirectional controls, which would reorder the words after a text. */
export const withoutTurns = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** The number of a list's rows, as the gateway has counted them. */
export interface Total {
  readonly totalCount: number;
  /** False if there may be more. */
  readonly isTotalComplete: boolean;
}

/** Returns a number as a total. */
export const totalOf = (totalCount: number, isTotalComplete = true): Total => ({
  totalCount,
  isTotalComplete,
});

/** Returns the number of a table's rows with its head, as ARIA counts them. A number that is not known is -1. */
export const ariaRows = ({ totalCount, isTotalComplete }: Total): number =>
  isTotalComplete ? totalCount + 1 : -1;

const numberIn = (value: string | number | Total | undefined): number | undefined =>
  typeof value === 'object' ? value.totalCount : typeof value === 'number' ? value : undefined;

/**
 * Returns a text in the current language. With `n` it is the form for that number: the table has the forms
 * separated by a bar, singular first.
 */
export function t(key: Key, values: Readonly<Record<string, string | number | Total>> = {}): string {
  // Reading the signal makes components render again when the language changes.
  void language.value;
  const text = texts[key] ?? key;
  const forms = text.split('|');
  const n = numberIn(values.n);
  const form = n !== undefined && plurals.select(n) !== 'one' ? forms.at(-1) : forms[0];
  return (form ?? text).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === 'object') return formatTotal(value);
    return typeof value === 'number' ? formatNumber(value) : withoutTurns(value);
  });
}

/** Returns whether there is a text for a key that is composed at run time. */
export const hasText = (key: string): key is Key => Object.hasOwn(texts, key);

/** Returns the locale with this person's dates and numbers: `en-GB` for `en`. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === language.value) ?? language.value;

/** Formats a number as the language does. */
export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** Formats a total; `10,000+` if there may be more. */
export const formatTotal = ({ totalCount, isTotalComplete }: Total): string =>
  `${formatNumber(totalCount)}${isTotalComplete ? '' : '+'}`;
