import { isVisible } from '../../domain/text/names.js';
import { htmlMail } from '../html-mail.js';
import type { Language } from '../languages.js';
import type { MailView } from '../mail-view.js';
import type { MailContent } from '../message.js';
import { shownName } from '../names.js';
import { wordDate } from '../reminder-mail.js';
import { fillTemplate, isolate, oneLine } from '../template.js';
import { textMail } from '../text-mail.js';
import { invitationTexts } from './invitation-texts.js';

/** An invitation to one person. */
export interface InvitationLetter {
  readonly language: Language;
  readonly organization: string;
  readonly userName: string;
  /** Name of the inviting user, if it is known. */
  readonly inviter: string | null;
  /** Last day on which the link works, `YYYY-MM-DD`. */
  readonly until: string;
  readonly link: string;
}

/** Writes an invitation as a mail's subject, text and HTML. */
export function invitationMail(letter: InvitationLetter): MailContent {
  const { language, link, until } = letter;
  const texts = invitationTexts[language];
  const organization = shownName(language, letter.organization);
  const inviter = letter.inviter ?? '';
  const values = { organization: isolate(organization), inviter: isolate(oneLine(inviter)) };
  const title = fillTemplate(isVisible(inviter) ? texts.title.by : texts.title.alone, values);
  const entry = {
    title,
    isExpired: false,
    facts: [
      { label: texts.fields.organization, value: organization },
      { label: texts.fields.name, value: shownName(language, letter.userName) },
      { label: texts.fields.until, value: wordDate(language, until) },
    ],
    links: [{ label: texts.accept, url: link }],
  };
  const reason = fillTemplate(texts.reason, values);
  const view: MailView = {
    ...{ language, title, reason },
    entries: [entry],
    more: undefined,
    unsubscribe: undefined,
  };
  return { subject: title, text: textMail(view), html: htmlMail(view) };
}
