import { htmlMail } from '../html-mail.js';
import type { Language } from '../languages.js';
import type { MailView } from '../mail-view.js';
import type { MailContent } from '../message.js';
import { shownName } from '../names.js';
import { fillTemplate, isolate } from '../template.js';
import { textMail } from '../text-mail.js';
import { type DisabledCause, webhookTexts } from './webhook-texts.js';

/** A webhook endpoint that was disabled. */
export interface DisabledWebhook {
  readonly language: Language;
  readonly organization: string;
  readonly name: string;
  /** Host of its address. */
  readonly host: string;
  readonly cause: DisabledCause;
  /** Page of the console with the webhooks, if there is one. */
  readonly link: string | undefined;
}

/** Writes the mail about a disabled webhook endpoint as subject, text and HTML. */
export function webhookMail({ language, link, ...about }: DisabledWebhook): MailContent {
  const texts = webhookTexts[language];
  const named = (name: string) => isolate(shownName(language, name));
  const title = fillTemplate(texts.title, { name: named(about.name) });
  const entry = {
    title,
    isExpired: false,
    facts: [
      { label: texts.fields.host, value: about.host },
      { label: texts.fields.cause, value: texts.causes[about.cause] },
    ],
    links: link === undefined ? [] : [{ label: texts.action, url: link }],
  };
  const reason = fillTemplate(texts.reason, { organization: named(about.organization) });
  const view: MailView = {
    language,
    title,
    reason,
    entries: [entry],
    more: undefined,
    unsubscribe: undefined,
  };
  return { subject: title, text: textMail(view), html: htmlMail(view) };
}
