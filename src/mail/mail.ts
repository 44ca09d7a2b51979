import { languages } from '../domain/rules.js';
import { isVisible } from '../domain/text/names.js';
import type { Logo } from './logo.js';

/** Language of mails, as a code of ISO 639-1. */
export type Language = (typeof languages)[number];

const isLanguage = (code: string | undefined): code is Language =>
  (languages as readonly unknown[]).includes(code);

/**
 * Picks the language of a message.
 * @param wishes language tags (BCP 47) by precedence, such as `de-CH`; unknown ones are skipped
 * @returns English if none is known
 */
export function pickLanguage(...wishes: readonly (string | null | undefined)[]): Language {
  const codes = wishes.map((tag) => tag?.toLowerCase().split(/[-_]/)[0]);
  return codes.find(isLanguage) ?? 'en';
}

/** Part of a mail about one item, as text and HTML show it. */
interface EntryView {
  readonly title: string;
  /** True if the date has passed. */
  readonly isExpired?: boolean;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly url: string }[];
}

/** Part of a digest: several items, and what to do about them. */
interface SectionView {
  readonly title: string;
  readonly hint: string;
  /** Number of its items, if fewer are shown. */
  readonly count?: string;
  readonly rows: readonly EntryView[];
}

/** A mail before it is rendered as text and HTML. */
interface MailView {
  readonly language: Language;
  readonly title: string;
  /** Line below the title. */
  readonly lead?: string | undefined;
  /** Link to everything that the mail is about. */
  readonly action?: { readonly label: string; readonly url: string } | undefined;
  /** Own lines before the entries, and after them. */
  readonly opening?: string | undefined;
  readonly closing?: string | undefined;
  readonly logo?: Logo | undefined;
  /** Name of the logo's owner, for those who do not see it. */
  readonly logoName?: string | undefined;
  readonly entries: readonly EntryView[];
  /** Sections of a digest, which has no entries. */
  readonly sections?: readonly SectionView[];
  /** Line after the entries of a shortened digest. */
  readonly more?: string | undefined;
  /** Reason why the recipient gets it. */
  readonly reason: string;
  /** Links at its end, such as the one that stops mails. */
  readonly links?: readonly { readonly label: string; readonly url: string }[];
}

/** Values of a template, by the names in its braces. */
type TemplateValues = Readonly<Record<string, string | number>>;

/**
 * Fills `{{name}}` in a text. Nothing is compiled or run, and values are not expanded: braces in them stay.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Puts a text on one line: line breaks and other control characters become spaces. Characters that change the
 * writing direction are removed, because they would also affect the text that follows.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Keeps the lines of a text, without other control characters. There are no empty lines at its ends. */
export function keepLines(text: string): string {
  return text
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => oneLine(line))
    .join('\n')
    .trim();
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a right-to-left name (UAX #9). The words around it keep their order. */
export function isolate(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const colours = { text: '#1c2024', quiet: '#5c6670', line: '#dfe3e8', accent: '#1f5fbf', late: '#b42318' };

const button = (label: string, url: string, isFirst: boolean) =>
  `<a href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 16px;border-radius:6px;` +
  `border:1px solid ${colours.accent};text-decoration:none;font-weight:600;` +
  `${isFirst ? `background:${colours.accent};color:#ffffff` : `background:#ffffff;color:${colours.accent}`}">` +
  `${escapeHtml(label)}</a>`;

const factsTable =
  'role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:0 0 16px"';

/**
 * Renders one item. `<bdi>` keeps a name in another writing direction from reordering the words around it.
 */
function entryHtml(entry: EntryView): string {
  const facts = entry.facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:3px 16px 3px 0;color:${colours.quiet};vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>` +
      `<td style="padding:3px 0;vertical-align:top;word-break:break-word"><bdi>${withBreaks(escapeHtml(value))}</bdi></td></tr>`,
  );
  const links = entry.links.map(({ label, url }, index) => button(label, url, index === 0));
  return (
    `<h2 style="margin:0 0 8px;font-size:18px;line-height:1.35;color:${entry.isExpired ? colours.late : colours.text};` +
    `word-break:break-word">${escapeHtml(entry.title)}</h2>` +
    `${facts.length > 0 ? `<table ${factsTable}>${facts.join('')}</table>` : ''}${links.length > 0 ? `<p style="margin:0 0 8px">${links.join('')}</p>` : ''}`
  );
}

/** Renders an item of a digest, in a few lines. */
function rowHtml({ title, isExpired, facts, links }: EntryView): string {
  const shown = facts.map(({ value }) => `<bdi>${withBreaks(escapeHtml(value))}</bdi>`).join(' · ');
  const linked = links.map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="color:${colours.accent};margin-right:16px;white-space:nowrap">${escapeHtml(label)}</a>`,
  );
  return (
    `<div style="padding:12px 0;border-top:1px solid ${colours.line};word-break:break-word">` +
    `<strong style="color:${isExpired ? colours.late : colours.text}">${escapeHtml(title)}</strong>` +
    `<div style="font-size:14px;color:${colours.quiet}">${shown}</div>` +
    `${linked.length > 0 ? `<div style="font-size:14px;padding-top:4px">${linked.join('\n')}</div>` : ''}</div>`
  );
}

/** Renders a section of a digest. */
const sectionHtml = ({ title, hint, rows, count = String(rows.length) }: SectionView) =>
  `<h2 style="margin:24px 0 0;font-size:18px;line-height:1.35">${escapeHtml(title)} (${count})</h2>` +
  `<p style="margin:0 0 12px;color:${colours.quiet}">${escapeHtml(hint)}</p>${rows.map(rowHtml).join('\n')}`;

/** Address of the logo within a mail (RFC 2392). */
export const logoId = 'logo@expiration-gateway';

/** The most pixels of a logo's sides, as mails show it. */
const shownLogo = { width: 240, height: 64 };

/** Renders the logo, which is a part of the mail. It has its owner's name for those who do not see it. */
function logoHtml({ width, height }: Logo, name: string): string {
  const scale = Math.min(1, shownLogo.width / width, shownLogo.height / height);
  const [shownWidth, shownHeight] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  return (
    `<p style="margin:0 8px 16px"><img src="cid:${logoId}" alt="${escapeHtml(name)}" width="${shownWidth}" ` +
    `height="${shownHeight}" style="display:block;border:0"></p>`
  );
}

/** Renders own lines. Their breaks stay. */
const linesHtml = (lines: string | undefined, margin: string) =>
  lines
    ? `<p dir="auto" style="margin:${margin};word-break:break-word">${withBreaks(escapeHtml(lines))}</p>`
    : '';

/** Turns the line breaks of a text in HTML into elements. */
const withBreaks = (html: string) => html.replaceAll('\n', '<br>\n');

/** Renders a mail's HTML: one column, inline styles, no external resources. */
function htmlMail(view: MailView): string {
  const { language, title, opening, closing, logo, logoName = '', reason, links = [] } = view;
  const { lead, action, entries, sections = [], more } = view;
  const rule = `<hr style="border:0;border-top:1px solid ${colours.line};margin:16px 0">`;
  const isOwn = entries[0]?.title !== title;
  const heading = isOwn
    ? `<h1 style="margin:0 0 ${lead ? 4 : 20}px;font-size:22px;line-height:1.3">${escapeHtml(title)}</h1>`
    : '';
  const end = links.map(
    ({ label, url }) =>
      ` <a href="${escapeHtml(url)}" style="color:${colours.quiet};white-space:nowrap">${escapeHtml(label)}</a>`,
  );
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:0;background:#f3f5f7;color:${colours.text};${font};font-size:16px;line-height:1.5">`,
    '<div style="max-width:560px;margin:0 auto;padding:24px 16px">',
    logo ? logoHtml(logo, logoName) : '',
    `<div style="background:#ffffff;border:1px solid ${colours.line};border-radius:10px;padding:24px">`,
    linesHtml(opening, '0 0 20px'),
    heading,
    lead ? `<p style="margin:0 0 20px;color:${colours.quiet}"><bdi>${escapeHtml(lead)}</bdi></p>` : '',
    action
      ? `<p style="margin:0${entries.length > 0 ? ' 0 16px' : ''}">${button(action.label, action.url, true)}</p>`
      : '',
    entries.map(entryHtml).join(rule),
    ...sections.map(sectionHtml),
    more ? `${rule}<p style="margin:0">${escapeHtml(more)}</p>` : '',
    linesHtml(closing, '16px 0 0'),
    '</div>',
    `<p style="margin:16px 8px 0;font-size:13px;color:${colours.quiet}">${escapeHtml(reason)}${end.join(' · ')}</p>`,
    '</div></body></html>',
  ].join('\n');
}

/** Columns of a line in the text part. Terminals and old mail programs break lines badly. */
const lineWidth = 72;

/** Wraps a text at spaces; a longer word gets its own line. */
function wrap(text: string, columns = lineWidth): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}

/** Wraps each line of a text. */
const wrapLines = (text: string, columns = lineWidth) =>
  text
    .split('\n')
    .map((line) => wrap(line, columns))
    .join('\n');

/** Renders an item as text. */
function entryText({ facts, links }: EntryView): string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length));
  const indent = `\n${' '.repeat(width + 4)}`;
  const shown = (value: string) => wrapLines(value, lineWidth - width - 4).replaceAll('\n', indent);
  const lines = facts.map(({ label, value }) => `  ${label.padEnd(width)}  ${shown(value)}`);
  return [
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...links.map(({ label, url }) => `${label}:\n${url}`),
  ];
}

/** Renders a section of a digest as text. */
function sectionText({ title, hint, rows, count = String(rows.length) }: SectionView): string {
  const line = `${title} (${count})`;
  const heading = `${line}\n${'='.repeat(line.length)}`;
  return [heading, wrap(hint), ...rows.map((row) => [wrap(row.title), ...entryText(row)].join('\n\n'))].join(
    '\n\n',
  );
}

/** Renders a mail's text, which terminals and old programs show. */
function textMail(view: MailView): string {
  const { title, opening, closing, lead, action, entries, sections = [], more, reason, links = [] } = view;
  const blocks = entries.map((entry) =>
    [...(entry.title === title ? [] : [wrap(entry.title)]), ...entryText(entry)].join('\n\n'),
  );
  const own = (lines: string | undefined) => (lines ? [wrapLines(lines)] : []);
  const end = [wrap(reason), ...links.map(({ label, url }) => `${label}:\n${url}`)];
  const all = action ? [`${action.label}:\n${action.url}`] : [];
  const parts = [...own(opening), wrap(title), ...(lead ? [wrap(lead)] : []), ...all, ...blocks];
  const after = [...sections.map(sectionText), ...(more ? [more] : []), ...own(closing), ...end];
  return `${[...parts, ...after].join('\n\n')}\n`;
}

/** Content of a mail. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Picture that the HTML shows. */
  readonly logo?: Logo | undefined;
}

/** Writes a mail as subject, text and HTML. */
export const renderMail = (view: MailView, subject = view.title): MailContent => ({
  subject,
  text: textMail(view),
  html: htmlMail(view),
  ...(view.logo && { logo: view.logo }),
});

/** A mail to one recipient. */
export interface MailMessage extends MailContent {
  readonly to: string;
  /** Name of the sender, if it is not that of the settings. */
  readonly senderName?: string | null | undefined;
  /** Address that replies go to, if it is not that of the settings. */
  readonly replyTo?: string | null | undefined;
  /**
   * Id, fixed before the first attempt (RFC 5322 section 3.6.4). Mail programs recognize a mail that was sent
   * twice.
   */
  readonly messageId: string;
  /** Message that it belongs to. Mail programs show those with the same one as a thread. */
  readonly thread?: string | undefined;
  /** Address that accepts a POST to unsubscribe with one click (RFC 8058). */
  readonly unsubscribe?: string | undefined;
}

/** Text to show instead of a name without visible characters. */
const noName: Readonly<Record<Language, string>> = {
  de: '(ohne Namen)',
  en: '(no name)',
  es: '(sin nombre)',
  fr: '(sans nom)',
  it: '(senza nome)',
  nl: '(zonder naam)',
};

/** Returns a name on one line, for mails and pages. A name without visible characters becomes `(no name)`. */
export function shownName(language: Language, name: string): string {
  const line = oneLine(name);
  return isVisible(line) ? line : noName[language];
}
