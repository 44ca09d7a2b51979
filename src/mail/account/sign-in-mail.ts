import { htmlMail } from '../html-mail.js';
import type { Language } from '../languages.js';
import type { MailView } from '../mail-view.js';
import type { MailContent } from '../message.js';
import { shownName } from '../names.js';
import { fillTemplate, isolate } from '../template.js';
import { textMail } from '../text-mail.js';
import { signInTexts } from './sign-in-texts.js';

/** A link with which one person signs in. */
export interface SignInLetter {
  readonly language: Language;
  readonly organization: string;
  readonly userName: string;
  /** True if the link sets a new password. */
  readonly isReset: boolean;
  /** Name of the browser that asked for the link, if it is known. */
  readonly browser: string | null;
  /** Network address that asked for the link. */
  readonly address: string;
  readonly link: string;
}

/** Writes the mail with a link for signing in as subject, text and HTML. */
export function signInMail(letter: SignInLetter): MailContent {
  const { language, isReset, browser, address, link } = letter;
  const texts = signInTexts[language];
  const organization = shownName(language, letter.organization);
  const about = isReset ? texts.reset : texts.link;
  const title = fillTemplate(about.title, { organization: isolate(organization) });
  const entry = {
    title,
    isExpired: false,
    facts: [
      { label: texts.fields.name, value: shownName(language, letter.userName) },
      ...(browser === null ? [] : [{ label: texts.fields.browser, value: browser }]),
      { label: texts.fields.address, value: address },
    ],
    links: [{ label: about.action, url: link }],
  };
  const view: MailView = {
    ...{ language, title, reason: `${texts.validity} ${about.notYou}` },
    entries: [entry],
    more: undefined,
    unsubscribe: undefined,
  };
  return { subject: title, text: textMail(view), html: htmlMail(view) };
}
