// Bodies as large as a door takes, full of what costs more than its bytes as soon as anything reads it.
import { gzipSync } from 'node:zlib';

const MiB = 1024 * 1024;

/** Bytes of a body that is just within the limit: of doors that take files, and of the others. */
export const [large, small] = [16 * MiB - 1024, MiB - 1024];

/** As many values as a body may have, with some left for what is around them. */
const values = 99_000;

/** Fills a text up to a number of bytes by repeating a part of it, at most a number of times. */
export function filled(size, before, repeated, after = '', most = Number.POSITIVE_INFINITY) {
  const room = size - Buffer.byteLength(before) - Buffer.byteLength(after);
  const count = Math.max(0, Math.floor(room / Buffer.byteLength(repeated)));
  return Buffer.from(before + repeated.repeat(Math.min(count, most)) + after);
}

/** Fills an object with members of different names. */
export function members(size, before = '{', after = '}', most = values) {
  const parts = [];
  for (let left = size - before.length - after.length, n = 0; left > 0 && n < most; n += 1) {
    const member = `"${n.toString(36)}":0`;
    left -= member.length + 1;
    if (left >= 0) parts.push(member);
  }
  return Buffer.from(`${before}${parts.join(',')}${after}`);
}

/** JSON that has many values: more than a body may have, and as many. */
const structures = {
  'millions of empty objects': (size) => filled(size, '[{}', ',{}', ']'),
  'millions of texts without commas': (size) => filled(size, '[', '""', ']'),
  'nested lists': (size) => filled(size, '', '['),
  'empty objects': (size) => filled(size, '[{}', ',{}', ']', values / 2),
  'empty lists': (size) => filled(size, '[[]', ',[]', ']', values / 2),
  zeros: (size) => filled(size, '[0', ',0', ']', values),
  'numbers that a double rounds': (size) => filled(size, '[1e999', ',1e999', ']', values),
  'empty texts': (size) => filled(size, '[""', ',""', ']', values),
  'members of different names': (size) => members(size),
  'one member again and again': (size) => filled(size, '{"a":0', ',"a":0', '}', values),
  'objects of one member': (size) => filled(size, '[{"a":0}', ',{"a":0}', ']', values / 2),
  'a list of a hundred lists': (size) => {
    const list = `[0${',0'.repeat(900)}]`;
    return filled(size, `[${list}`, `,${list}`, ']', 99);
  },
  'a hundred levels': (size) => {
    const deep = `${'['.repeat(90)}${']'.repeat(90)}`;
    return filled(size, `[${deep}`, `,${deep}`, ']', 1_050);
  },
  'a long name': (size) => filled(size, '{"', 'a', '":0}'),
};

/** JSON that is one long value. */
const scalars = {
  letters: (size) => filled(size, '"', 'a', '"'),
  'escaped quotes': (size) => filled(size, '"', '\\"', '"'),
  'escaped letters': (size) => filled(size, '"', '\\u0061', '"'),
  'combining marks': (size) => filled(size, '"a', '\u0327\u0301', '"'),
  'letters of four bytes': (size) => filled(size, '"', '😀', '"'),
  'white space in a text': (size) => filled(size, '"a', ' ', 'a"'),
  'NEL in a text': (size) => filled(size, '"a', '\u0085', '"'),
  'backslashes without an end': (size) => filled(size, '"', '\\'),
  'white space': (size) => filled(size, '', ' ', '0'),
  'digits of an integer': (size) => filled(size, '1', '0'),
  'digits of a fraction': (size) => filled(size, '1.', '1'),
  'digits of an exponent': (size) => filled(size, '1e', '9'),
};

const around = (contents) => (size, before, after) =>
  Object.entries(contents).map(([title, content]) => [
    title,
    () => {
      const middle = content(size - Buffer.byteLength(before) - Buffer.byteLength(after));
      return Buffer.concat([Buffer.from(before), middle, Buffer.from(after)]);
    },
  ]);

/** Puts each text with many values, or each long value, or both, into a JSON text. */
export const [aroundMany, aroundLong, aroundAll] = [structures, scalars, { ...structures, ...scalars }].map(
  around,
);

/** Creates a request with a JSON body. */
export const json = (path, body, headers = {}) => ({ method: 'POST', path, body, headers });

/** Compresses a request's body. */
export const zipped = ({ body, headers, ...asked }) => ({
  ...asked,
  body: gzipSync(body),
  headers: { ...headers, 'content-encoding': 'gzip' },
});

/** Creates a form of parts, each with its head and content. */
export function form(path, parts, boundary = 'part') {
  const pieces = parts.flatMap(([head, content]) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  return {
    method: 'POST',
    path,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'apollo-require-preflight': '1',
    },
    body: Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece))),
  };
}
