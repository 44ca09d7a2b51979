import type { Language } from './languages.js';

/** Part of a mail about one item, as text and HTML show it. */
export interface EntryView {
  readonly title: string;
  /** True if the date has passed. */
  readonly isExpired: boolean;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** A mail before it is rendered as text and HTML. */
export interface MailView {
  readonly language: Language;
  readonly title: string;
  readonly entries: readonly EntryView[];
  /** Line after the entries of a shortened digest. */
  readonly more: string | undefined;
  /** Reason why the recipient gets it. */
  readonly reason: string;
  readonly unsubscribe: { readonly label: string; readonly url: string } | undefined;
}
