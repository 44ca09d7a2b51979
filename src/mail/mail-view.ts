import type { Language } from './languages.js';

/** Part of a mail about one item, as both its text and its HTML show it. */
export interface EntryView {
  readonly title: string;
  /** Whether the date has passed. */
  readonly isExpired: boolean;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** A mail before it is text or HTML. */
export interface MailView {
  readonly language: Language;
  readonly title: string;
  readonly entries: readonly EntryView[];
  /** What follows the entries of a digest that is cut. */
  readonly more: string | undefined;
  /** Why the recipient gets it. */
  readonly reason: string;
  readonly unsubscribe: { readonly label: string; readonly url: string } | undefined;
}
