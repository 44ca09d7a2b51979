import { signal } from '@preact/signals';
import { keep, readKept } from '../data/storage';
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

/** The name of a text: its table and its row, as in `items.title`. */
export type Key = { [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}` }[keyof Tables];

/** The language that is shown. */
export const language = signal<Language>('en');

const storage = 'expiration-gateway.language';
let texts: Readonly<Record<string, string>> = {};
let plurals = new Intl.PluralRules('en');

/** A language's texts load when it is chosen. */
const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import('virtual:texts/en'),
  de: () => import('virtual:texts/de'),
  fr: () => import('virtual:texts/fr'),
  es: () => import('virtual:texts/es'),
  it: () => import('virtual:texts/it'),
  nl: () => import('virtual:texts/nl'),
};

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** Finds the person's language: chosen here, or the browser's first that there is. */
function preferred(): Language {
  const chosen = readKept('localStorage', storage) ?? '';
  const wanted = [chosen, ...navigator.languages].map((tag) => tag.slice(0, 2));
  return wanted.find(isLanguage) ?? 'en';
}

/** Shows another language, and keeps the choice. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  await load(wanted);
  keep('localStorage', storage, wanted);
}

async function load(wanted: Language): Promise<void> {
  texts = (await loaders[wanted]()).default;
  plurals = new Intl.PluralRules(wanted);
  document.documentElement.lang = wanted;
  language.value = wanted;
}

/** Loads the person's language. */
export const loadLanguage = (): Promise<void> => load(preferred());

/**
 * Returns a text in the language that is shown. With `n` it is the form for that number: forms stand in the table
 * with a bar between them, the one for one first.
 */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  // Whoever draws a text draws it again in another language.
  void language.value;
  const text = texts[key] ?? key;
  const forms = text.split('|');
  const form = typeof values.n === 'number' && plurals.select(values.n) !== 'one' ? forms.at(-1) : forms[0];
  return (form ?? text).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? formatNumber(value) : value;
  });
}

/** Says that there is a text for a name that is made at run time. */
export const hasText = (key: string): key is Key => Object.hasOwn(texts, key);

/** Returns the language as this person writes dates and numbers in it: `en-GB` for `en`. */
export const locale = (): string =>
  navigator.languages.find((tag) => tag.slice(0, 2) === language.value) ?? language.value;

/** Writes a number as the language does. */
export const formatNumber = (value: number): string => new Intl.NumberFormat(locale()).format(value);
