import type { Language } from './languages.js';

/** Part of a mail about one item. The mail's text and its HTML both show it. */
export interface EntryView {
  readonly title: string;
  /** True if the date has passed. */
  readonly isExpired: boolean;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** A mail before it is text or HTML. */
export interface MailView {
  readonly language: Language;
  readonly title: string;
  readonly entries: readonly EntryView[];
  /** Text that follows the entries of a digest that is cut. */
  readonly more: string | undefined;
  /** Text that says why the recipient gets the mail. */
  readonly reason: string;
  readonly unsubscribe: { readonly label: string; readonly url: string } | undefined;
}
