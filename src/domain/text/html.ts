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

/** Reads the style sheets of `<style>` elements, without comments. */
function styleSheet(html: string): string {
  let css = '';
  let isStyle = false;
  const parser = new Parser({
    onopentag: (tag) => {
      isStyle = tag === 'style';
    },
    ontext: (text) => {
      if (isStyle) css += text;
    },
    onclosetag: () => {
      isStyle = false;
    },
  });
  parser.end(html);
  const [first = '', ...commented] = css.split('/*');
  return first + commented.map((part) => part.split('*/').slice(1).join('*/')).join(' ');
}

/** Blocks whose rules hold on every screen. */
const everywhere = /^@(?:media\s+(?:all|screen)|layer\b[^{]*)$/i;

/** Blocks around a rule. Nobody nests more. */
const mostBlocks = 8;

/** Selectors of a name, a class or an id, and of several at one element. */
const simpleSelector = /^[a-z][\w-]*$|^(?:[a-z][\w-]*)?(?:[.#][\w-]+)+$/i;

/**
 * Lists the simple selectors whose elements a style sheet hides. A later rule with the same selector may show them.
 * Selectors of several elements are left out, since parts of them stand at elements that are seen.
 */
function hidingSelectors(css: string): string[] {
  const isHiding = new Map<string, boolean>();
  const open: string[] = [];
  for (const block of css.split('}')) {
    const parts = block.split('{');
    const rules = parts.pop() ?? '';
    for (const part of parts) open.push(part.split(';').at(-1)?.trim() ?? '');
    const selectors = open.pop() ?? '';
    if (open.length > mostBlocks || !open.every((outer) => everywhere.test(outer))) continue;
    for (const selector of selectors.split(',').map((one) => one.trim())) {
      if (simpleSelector.test(selector) && /display|visibility|size|opacity|height|width/i.test(rules))
        isHiding.set(selector, hidingStyle.test(rules));
    }
  }
  return [...isHiding].flatMap(([selector, hides]) => (hides ? [selector] : []));
}

/** Returns a test whether simple selectors match an element. */
function matcherOf(selectors: readonly string[]): (tag: string, attribs: sanitize.Attributes) => boolean {
  // By one of its parts each, so that an element is compared with few of many selectors.
  const byPart = new Map<string, string[][]>();
  for (const selector of selectors) {
    const parts = selector.match(/[.#]?[\w-]+/g) ?? [];
    const first = parts.at(-1) ?? '';
    byPart.set(first, [...(byPart.get(first) ?? []), parts]);
  }
  return (tag, { class: classes = '', id }) => {
    if (byPart.size === 0) return false;
    const own = new Set([tag, ...(id ? [`#${id}`] : []), ...classes.split(/\s+/).map((name) => `.${name}`)]);
    return [...own].some((part) => byPart.get(part)?.some((parts) => parts.every((one) => own.has(one))));
  };
}

/**
 * Makes the plain text of HTML without hidden elements. An attribute, a style of their own, or a simple selector of the
 * document's style sheets hides them.
 */
export function visibleText(html: string): string {
  const isHiddenBySheet = matcherOf(hidingSelectors(styleSheet(html)));
  const visible = sanitize(html, {
    ...options,
    allowedAttributes: { '*': ['hidden', 'style'] },
    // Attributes without a value would be dropped before the filter.
    transformTags: {
      '*': (tagName, { hidden, ...attribs }) => ({
        tagName,
        attribs:
          hidden === undefined && !isHiddenBySheet(tagName, attribs)
            ? attribs
            : { ...attribs, hidden: 'hidden' },
      }),
    },
    parseStyleAttributes: false,
    exclusiveFilter: ({ attribs: { hidden, style = '' } }) => hidden !== undefined || hidingStyle.test(style),
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
