// Makes documents whose expiration date is known: pages of five kinds, worn like scans and photos. The same seed
// makes the same documents.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import { fonts } from '../fonts/fonts.mjs';
import { months, people, shortMonths, words } from './made-words.mjs';
import { randomOf } from './random.mjs';
import { wear } from './wear.mjs';

/** @typedef {'en' | 'de' | 'fr' | 'es' | 'it' | 'nl'} Language */
/** @typedef {'licence' | 'insurance' | 'inspection' | 'certificate' | 'passport'} Kind */
/** @typedef {(n: number) => number} Random */
/** @typedef {import('@napi-rs/canvas').SKRSContext2D} Context */

/**
 * @typedef {object} MadeDocument
 * @property {string} name
 * @property {Kind} kind
 * @property {Language} language
 * @property {'clean' | 'worn'} wear
 * @property {readonly string[]} worn what was done to it
 * @property {number} dpi
 * @property {string} expires `YYYY-MM-DD`
 * @property {string} written the date as it is written
 * @property {'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf'} type
 * @property {Buffer} bytes
 */

/** @type {readonly Kind[]} */
const kinds = ['licence', 'insurance', 'inspection', 'certificate', 'passport'];
/** @type {readonly Language[]} */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];

const two = (/** @type {number} */ number) => String(number).padStart(2, '0');

/** @typedef {{ day: number, month: number, year: number }} Day */

const preposition = { en: ' ', de: '. ', fr: ' ', es: ' de ', it: ' ', nl: ' ' };

/**
 * The twelve ways to write a date. In English, numbers with the day first are told apart by a day above 12.
 * @type {readonly ((day: Day, language: Language) => string)[]}
 */
const ways = [
  ({ day, month, year }) => `${year}-${two(month)}-${two(day)}`,
  ({ day, month, year }) => `${two(day)}.${two(month)}.${year}`,
  ({ day, month, year }) => `${two(day)}/${two(month)}/${year}`,
  ({ day, month, year }) => `${two(day)}-${two(month)}-${year}`,
  ({ day, month, year }, language) =>
    `${day}${preposition[language]}${months[language][month - 1]}${language === 'es' ? ' de' : ''} ${year}`,
  ({ day, month, year }, language) => `${two(day)} ${shortMonths[language][month - 1]} ${year}`,
  ({ day, month, year }, language) => `${two(day)}-${shortMonths[language][month - 1]}-${year}`,
  ({ day, month, year }) => `${year}/${two(month)}/${two(day)}`,
  ({ day, month, year }) => `${two(day)} ${two(month)} ${year}`,
  ({ day, month, year }) => `${day}. ${month}. ${year}`,
  ({ day, month, year }, language) =>
    language === 'en'
      ? `${months.en[month - 1]} ${day}, ${year}`
      : `${two(day)} ${months[language][month - 1]} ${year}`,
  ({ day, month, year }, language) =>
    language === 'en'
      ? `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'} ${months.en[month - 1]} ${year}`
      : `${two(day)}.${two(month)}.${year}`,
];

/** Chooses one of a list. @template T @param {Random} random @param {readonly T[]} list @returns {T} */
const oneOf = (random, list) => /** @type {T} */ (list[random(list.length)]);

/** Chooses a day. @param {Random} random @param {number} from @param {number} years @returns {Day} */
const dayIn = (random, from, years) => ({
  day: 13 + random(16),
  month: 1 + random(12),
  year: from + random(years),
});

const isoOf = (/** @type {Day} */ { day, month, year }) => `${year}-${two(month)}-${two(day)}`;

/** Computes a check digit of ICAO 9303. @param {string} text */
const checkDigit = (text) =>
  String(
    [...text].reduce(
      (sum, sign, at) =>
        sum + (sign === '<' ? 0 : Number.parseInt(sign, 36)) * /** @type {number} */ ([7, 3, 1][at % 3]),
      0,
    ) % 10,
  );

/** Writes a machine-readable zone. @param {Details} details */
function zoneOf({ holder, number, born, expires }) {
  const plain = (/** @type {string} */ text) =>
    text
      .normalize('NFD')
      .replaceAll('ß', 'SS')
      .replace(/[^A-Za-z ]/g, '')
      .toUpperCase()
      .replaceAll(' ', '<');
  const [first = '', ...last] = holder.split(' ');
  const short = (/** @type {Day} */ { day, month, year }) => `${two(year % 100)}${two(month)}${two(day)}`;
  const value = (/** @type {string} */ text) => text + checkDigit(text);
  const head = `P<UTO${plain(last.join(' '))}<<${plain(first)}`.padEnd(44, '<').slice(0, 44);
  const [id, birth, expiry, personal] = [
    value(number),
    value(short(born)),
    value(short(expires)),
    value('<'.repeat(14)),
  ];
  return [head, `${id}UTO${birth}F${expiry}${personal}${checkDigit(id + birth + expiry + personal)}`];
}

/**
 * @typedef {object} Details
 * @property {Language} language
 * @property {Kind} kind
 * @property {string} holder
 * @property {string} number
 * @property {Day} born
 * @property {Day} issued
 * @property {Day} printed
 * @property {Day} expires
 * @property {(day: Day) => string} write
 */

/** Sizes of pages by kind, in inches. */
const sizes = {
  licence: [5.8, 4.1],
  insurance: [3.4, 2.1],
  inspection: [8.3, 8],
  certificate: [8.3, 5.8],
  passport: [4.9, 3.5],
};
/** Letters of each kind, in points. */
const points = { licence: 10, insurance: 7, inspection: 11, certificate: 13, passport: 8 };

/**
 * Draws a page on a context whose unit is an inch.
 * @param {Context} context
 * @param {Details} details
 * @param {Random} random
 */
function drawPage(context, details, random) {
  const { kind, language, holder, number, born, issued, printed, expires, write } = details;
  const said = words[language];
  const [width = 0, height = 0] = sizes[kind];
  const size = points[kind] / 72;
  const family = oneOf(random, [fonts.sans, fonts.serif, fonts.arimo, fonts.tinos]);
  // Letters are drawn in points, because fonts of less than one unit are not.
  const say = (
    /** @type {string} */ text,
    /** @type {number} */ x,
    /** @type {number} */ y,
    scale = 1,
    font = family,
    weight = '',
  ) => {
    context.save();
    context.translate(x, y);
    context.scale(1 / 72, 1 / 72);
    context.font = `${weight} ${size * scale * 72}px "${font}"`;
    context.fillText(text, 0, 0);
    context.restore();
  };
  const margin = 0.08 * width;
  context.fillStyle = oneOf(random, ['#ffffff', '#fbf8ef', '#eef4f8', '#f2f2f2']);
  context.fillRect(0, 0, width, height);
  context.fillStyle = oneOf(random, ['#000000', '#1c1c1c', '#1a2340']);
  const label = oneOf(random, said.expires);
  const fields = [
    [said.number, number],
    [said.holder, holder],
    [oneOf(random, said.born), write(born)],
    [oneOf(random, said.issued), write(issued)],
  ];
  // The expiration date is anywhere but first.
  fields.splice(1 + random(fields.length), 0, [label, write(expires)]);
  let y = margin + size;
  say(said[kind], margin, y, 1.5, family, 'bold');
  y += 2.2 * size;
  if (kind === 'inspection') {
    for (const check of said.checks) {
      say(check, margin, y);
      say(said.passed, margin + 2.5, y);
      y += 1.5 * size;
    }
    y += size;
  }
  if (kind === 'certificate' || kind === 'inspection') {
    for (const line of said.body) {
      say(line, margin, y, 0.8);
      y += 1.5 * size;
    }
    y += size;
  }
  const way = random(3);
  for (const [index, [name = '', value = '']] of fields.entries()) {
    // Beside its label, in a column, or below it.
    if (kind === 'passport') {
      const x = margin + (index % 2) * 0.45 * width;
      say(name, x, y, 0.75);
      say(value, x, y + 1.3 * size);
      if (index % 2 === 1) y += 3 * size;
    } else if (way === 0) {
      say(`${name}: ${value}`, margin, y);
      y += 1.7 * size;
    } else {
      say(name, margin, y);
      say(value, margin + 0.42 * width, y);
      y += 1.7 * size;
    }
  }
  if (kind === 'passport') {
    for (const [index, line] of zoneOf(details).entries()) {
      const pitch = (width - margin) / 44;
      for (const [at, sign] of [...line].entries())
        say(
          sign,
          margin / 2 + at * pitch,
          height - (0.38 - 0.22 * index),
          (pitch * 72 * 1.55) / points.passport,
          fonts.mono,
        );
    }
  } else {
    say(`${said.printed} ${write(printed)}`, margin, height - 0.4 * margin, 0.7);
  }
}

/** Wraps a picture into a PDF of one page, as a scanner does. @param {Buffer} jpeg @param {number} width @param {number} height @param {number} dpi */
export function toPdf(jpeg, width, height, dpi) {
  const [w, h] = [(width / dpi) * 72, (height / dpi) * 72];
  const content = `q ${w} 0 0 ${h} 0 0 cm /I Do Q`;
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${w} ${h}]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>`,
    ),
    Buffer.concat([
      Buffer.from(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`,
      ),
      jpeg,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from(`<</Length ${content.length}>>stream\n${content}\nendstream`),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const offsets = [];
  let at = parts[0]?.length ?? 0;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(at);
    parts.push(part);
    at += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}

/**
 * Makes a document. Its number decides kind, language, way of writing and wear, so that a set has all of them. It waits
 * for a turn of the event loop, because only then is the memory of earlier pictures released.
 * @param {number} index
 * @param {number} [seed]
 * @returns {Promise<MadeDocument>}
 */
export async function makeDocument(index, seed = 9303) {
  await nextTurn();
  const random = randomOf(seed * 100_003 + index);
  const kind = /** @type {Kind} */ (kinds[index % kinds.length]);
  const language = /** @type {Language} */ (languages[Math.floor(index / kinds.length) % languages.length]);
  const isWorn = Math.floor(index / (kinds.length * languages.length)) % 2 === 1;
  const dpi = oneOf(random, isWorn ? [72, 100, 150, 200, 300] : [150, 200, 300]);
  const way = /** @type {typeof ways[number]} */ (ways[(index * 7 + random(2)) % ways.length]);
  /** @type {Details} */
  const details = {
    kind,
    language,
    holder: oneOf(random, people[language]),
    number: `${oneOf(random, ['L', 'K', 'X', 'C'])}${String(10_000_000 + random(89_999_999))}`,
    born: dayIn(random, 1950, 50),
    issued: dayIn(random, 2019, 7),
    printed: dayIn(random, 2025, 1),
    expires: dayIn(random, 2027, 12),
    write: (day) => way(day, language),
  };
  const [width = 0, height = 0] = sizes[kind];
  const canvas = createCanvas(Math.round(width * dpi), Math.round(height * dpi));
  const context = canvas.getContext('2d');
  context.save();
  context.scale(dpi, dpi);
  drawPage(context, details, random);
  context.restore();
  const { page, worn, quality } = wear(canvas, isWorn, dpi, random);
  const form = random(10);
  const type = form < 6 ? 'image/jpeg' : form < 7 ? 'image/png' : form < 8 ? 'image/webp' : 'application/pdf';
  const bytes =
    type === 'image/png'
      ? page.toBuffer(type)
      : type === 'application/pdf'
        ? toPdf(page.toBuffer('image/jpeg', quality), page.width, page.height, dpi)
        : page.toBuffer(type, quality);
  return {
    name: `${index} ${kind} ${language} ${dpi} dpi ${worn.join(' ')}`.trim(),
    kind,
    language,
    wear: isWorn ? 'worn' : 'clean',
    worn,
    dpi,
    expires: isoOf(details.expires),
    written: details.write(details.expires),
    type,
    bytes,
  };
}
