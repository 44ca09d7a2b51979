import type { EntryView, MailView } from './mail-view.js';
import { escapeHtml } from './template.js';

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const colours = { text: '#1c2024', quiet: '#5c6670', line: '#dfe3e8', accent: '#1f5fbf', late: '#b42318' };

const button = (label: string, url: string, isFirst: boolean) =>
  `<a href="${escapeHtml(url)}" style="display:inline-block;margin:0 8px 8px 0;padding:10px 16px;border-radius:6px;` +
  `border:1px solid ${colours.accent};text-decoration:none;font-weight:600;` +
  `${isFirst ? `background:${colours.accent};color:#ffffff` : `background:#ffffff;color:${colours.accent}`}">` +
  `${escapeHtml(label)}</a>`;

/**
 * Renders one item. `<bdi>` keeps a name in another writing direction from reordering the words around it.
 */
function entryHtml(entry: EntryView): string {
  const facts = entry.facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:3px 16px 3px 0;color:${colours.quiet};vertical-align:top;white-space:nowrap">${escapeHtml(label)}</td>` +
      `<td style="padding:3px 0;vertical-align:top;word-break:break-word"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  );
  const links = entry.links.map(({ label, url }, index) => button(label, url, index === 0));
  return (
    `<h2 style="margin:0 0 8px;font-size:18px;line-height:1.35;color:${entry.isExpired ? colours.late : colours.text};` +
    `word-break:break-word">${escapeHtml(entry.title)}</h2>` +
    `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;margin:0 0 16px">` +
    `${facts.join('')}</table>${links.length > 0 ? `<p style="margin:0 0 8px">${links.join('')}</p>` : ''}`
  );
}

/** Renders a mail's HTML: one column, inline styles, no external resources. */
export function htmlMail({ language, title, entries, more, reason, unsubscribe }: MailView): string {
  const rule = `<hr style="border:0;border-top:1px solid ${colours.line};margin:16px 0">`;
  const isDigest = entries.length > 1 || entries[0]?.title !== title;
  const heading = isDigest ? `<h1 style="margin:0 0 20px;font-size:22px">${escapeHtml(title)}</h1>` : '';
  const end = unsubscribe
    ? ` <a href="${escapeHtml(unsubscribe.url)}" style="color:${colours.quiet}">${escapeHtml(unsubscribe.label)}</a>`
    : '';
  return [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light">',
    `<title>${escapeHtml(title)}</title></head>`,
    `<body style="margin:0;padding:0;background:#f3f5f7;color:${colours.text};${font};font-size:16px;line-height:1.5">`,
    '<div style="max-width:560px;margin:0 auto;padding:24px 16px">',
    `<div style="background:#ffffff;border:1px solid ${colours.line};border-radius:10px;padding:24px">`,
    heading,
    entries.map(entryHtml).join(rule),
    more ? `${rule}<p style="margin:0">${escapeHtml(more)}</p>` : '',
    '</div>',
    `<p style="margin:16px 8px 0;font-size:13px;color:${colours.quiet}">${escapeHtml(reason)}${end}</p>`,
    '</div></body></html>',
  ].join('\n');
}
