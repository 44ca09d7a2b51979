import { documentRequestTexts } from './document-request-texts.js';
import {
  fillTemplate,
  isolate,
  keepLines,
  type Language,
  type MailContent,
  renderMail,
  shownName,
} from './mail.js';
import { endLinks, reminderTexts, wordDate } from './reminder-mail.js';

/** A document that a mail asks for. Dates are `YYYY-MM-DD`. */
interface MailedRequest {
  readonly documentType: string | null;
  readonly holder: string | null;
  readonly item: string | null;
  readonly date: string | null;
  readonly dueOn: string | null;
  readonly message: string | null;
  readonly declinedReason: string | null;
}

/** A mail that asks somebody for documents. */
interface DocumentRequestLetter {
  readonly language: Language;
  readonly organization: string;
  readonly asked: readonly MailedRequest[];
  /** True if the recipient was asked before. */
  readonly isAgain: boolean;
  /** The last day of the link, `YYYY-MM-DD`. */
  readonly until: string;
  readonly link: string;
  /** Address that stops mails. */
  readonly unsubscribe: string | undefined;
}

/** Lists what is known about a document that is asked for, with labels. */
export function factsOfRequest(
  language: Language,
  { documentType, item, holder, date, dueOn, message, declinedReason }: MailedRequest,
): { readonly title: string; readonly facts: { readonly label: string; readonly value: string }[] } {
  const { fields, document } = documentRequestTexts[language];
  const dated = (day: string) => `${wordDate(language, day)} (${day})`;
  const title = shownName(language, documentType ?? item ?? document);
  const facts = [
    [fields.holder, holder && shownName(language, holder)],
    [fields.item, item && item !== title && shownName(language, item)],
    [fields.date, date && dated(date)],
    [fields.dueOn, dueOn && dated(dueOn)],
    [fields.message, message && keepLines(message)],
    [fields.declined, declinedReason && keepLines(declinedReason)],
  ] as const;
  return { title, facts: facts.flatMap(([label, value]) => (value ? [{ label, value }] : [])) };
}

/** Writes the mail that asks somebody for documents, all that one workspace wants. */
export function documentRequestMail(letter: DocumentRequestLetter): MailContent {
  const { language, asked, isAgain, until, link, unsubscribe } = letter;
  const { mail } = documentRequestTexts[language];
  const organization = isolate(shownName(language, letter.organization));
  const entries = asked.map((one) => factsOfRequest(language, one));
  const asks = fillTemplate(entries.length === 1 ? mail.title : mail.several, {
    organization,
    document: isolate(entries[0]?.title ?? ''),
    count: entries.length,
  });
  return renderMail({
    language,
    title: isAgain ? fillTemplate(mail.again, { title: asks }) : asks,
    action: { label: mail.action, url: link },
    entries: entries.map((entry) => ({ ...entry, links: [] })),
    reason: fillTemplate(mail.reason, { organization, date: wordDate(language, until) }),
    links: endLinks(reminderTexts[language], { digest: undefined, unsubscribe }),
  });
}
