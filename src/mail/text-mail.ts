import type { MailView } from './mail-view.js';

/** Columns of a line in the text part. Terminals and old mail programs break lines badly. */
const lineWidth = 72;

/** Wraps a text at spaces; a longer word gets its own line. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}

/** Renders a mail's text, which terminals and old programs show. */
export function textMail({ title, entries, more, reason, unsubscribe }: MailView): string {
  const blocks = entries.map((entry) => {
    const width = Math.max(...entry.facts.map(({ label }) => label.length));
    const facts = entry.facts.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
    const links = entry.links.map(({ label, url }) => `${label}:\n${url}`);
    const heading = entries.length > 1 || entry.title !== title ? [wrap(entry.title)] : [];
    return [...heading, facts.join('\n'), ...links].join('\n\n');
  });
  const end = [wrap(reason), ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : [])];
  return `${[wrap(title), ...blocks, ...(more ? [more] : []), ...end].join('\n\n')}\n`;
}
