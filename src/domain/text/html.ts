import { Parser } from 'htmlparser2';
import sanitize from 'sanitize-html';

const linkRel = 'noopener noreferrer nofollow';

/**
 * Checks that a URL has one of the schemes. A relative one would change its meaning with the page that shows
 * it.
 */
function isAbsolute(url: string | undefined, schemes: RegExp): boolean {
  return url !== undefined && schemes.test(url.trim());
}

const options: sanitize.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'a', 'img'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  // Deeper elements lose their tags; only an attacker would nest that deeply.
  nestingLimit: 64,
  transformTags: {
    a: (tagName, { href, rel, ...attribs }) => ({
      tagName,
      attribs: isAbsolute(href, /^(https?|mailto):/i)
        ? { href: (href as string).trim(), ...attribs, rel: linkRel }
        : attribs,
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isAbsolute(attribs.src, /^https?:/i),
};

/**
 * Sanitizes sanitized HTML again. Removing `<math>` and the like changes how the rest is parsed:
 * `<p><math><table>` becomes two elements.
 */
const sanitizeAgain = (clean: string, html: string) => (clean === html ? clean : sanitize(clean, options));

/**
 * Sanitizes HTML: text, lists, tables, web and mail links, and web images remain. Other elements are removed;
 * scripts, styles and form fields with their content. Clean HTML stays unchanged.
 */
export function sanitizeHtml(html: string): string {
  return sanitizeAgain(sanitize(html, options), html);
}

/** Styles that hide an element. */
const hidingStyle =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity|(?:max-)?(?:height|width))\s*:\s*0+(?:\.0+)?(?:px|em|rem|%|pt)?\s*(?:;|!|$))/i;

/** Makes the plain text of HTML without hidden elements. An attribute or a style of their own hides them. */
export function visibleText(html: string): string {
  const isHidden = ({ hidden, style = '' }: sanitize.Attributes) =>
    hidden !== undefined || hidingStyle.test(style);
  const visible = sanitize(html, {
    ...options,
    allowedAttributes: { '*': ['hidden', 'style'] },
    // Attributes without a value would be dropped before the filter.
    transformTags: {
      '*': (tagName, { hidden, ...attribs }) => ({
        tagName,
        attribs: hidden === undefined ? attribs : { ...attribs, hidden: 'hidden' },
      }),
    },
    parseStyleAttributes: false,
    exclusiveFilter: ({ attribs }) => isHidden(attribs),
  });
  return plainText(sanitizeAgain(visible, html));
}

/**
 * Sanitizes HTML in several turns of the event loop, and makes its plain text.
 * @param nextTurn waits for the next one
 */
export async function sanitizeInTurns(
  html: string,
  nextTurn: () => Promise<void>,
): Promise<{ readonly clean: string; readonly plain: string }> {
  await nextTurn();
  const once = sanitize(html, options);
  await nextTurn();
  const clean = sanitizeAgain(once, html);
  await nextTurn();
  return { clean, plain: plainText(clean) };
}

/** Line breaks around an element. With one it is on a line of its own, with two there is an empty line. */
const breaks: ReadonlyMap<string, number> = new Map([
  ...['div', 'li', 'dt', 'dd', 'tr', 'caption', 'hr'].map((tag) => [tag, 1] as const),
  ...['p', 'blockquote', 'pre', 'ul', 'ol', 'dl', 'table'].map((tag) => [tag, 2] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, 2] as const),
]);

/** Collects text. Separators between two pieces are written only when the second one arrives. */
function createWriter() {
  let text = '';
  let lines = 0;
  let gap = '';
  let bullet = '';
  return {
    /** Ends the line, with the largest number of line breaks requested. */
    end: (count: number) => {
      lines = Math.max(lines, count);
    },
    feed: () => {
      lines += 1;
    },
    /** Separates the next piece on the same line from this one. */
    part: (separator: string) => {
      gap ||= separator;
    },
    /** Puts a mark before the next piece. */
    mark: (sign: string) => {
      bullet = sign;
    },
    write: (piece: string) => {
      if (text !== '') text += lines > 0 ? '\n'.repeat(lines) : gap;
      text += bullet + piece;
      lines = 0;
      gap = '';
      bullet = '';
    },
    text: () => text,
  };
}

/** Renders sanitized HTML as plain text: lines for blocks, `- ` before list entries. */
export function plainText(html: string): string {
  const writer = createWriter();
  let preformatted = 0;
  const parser = new Parser({
    onopentag(tag, { alt }) {
      if (tag === 'br') writer.feed();
      if (tag === 'td' || tag === 'th') writer.part('\t');
      if (tag === 'img' && alt) writer.write(alt);
      if (tag === 'pre') preformatted += 1;
      writer.end(breaks.get(tag) ?? 0);
      if (tag === 'li') writer.mark('- ');
    },
    ontext(data) {
      if (preformatted > 0) return writer.write(data);
      const words = data.trim().replace(/\s+/g, ' ');
      if (/^\s/.test(data)) writer.part(' ');
      if (words !== '') writer.write(words);
      if (/\s$/.test(data)) writer.part(' ');
    },
    onclosetag(tag) {
      if (tag === 'pre') preformatted -= 1;
      if (tag === 'li') writer.mark('');
      writer.end(breaks.get(tag) ?? 0);
    },
  });
  parser.end(html);
  return writer.text();
}
