// Wears pages as scanners, cameras and people do.
import { createCanvas } from '@napi-rs/canvas';
import { fonts } from '../fonts/fonts.mjs';

/** @typedef {import('@napi-rs/canvas').Canvas} Page */
/** @typedef {(n: number) => number} Random */

/** Makes a page of the same size, filled with what a table looks like. @param {Page} page */
function emptyLike(page) {
  const canvas = createCanvas(page.width, page.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#d8d4cc';
  context.fillRect(0, 0, page.width, page.height);
  return { canvas, context };
}

/** Changes each pixel. @param {Page} page @param {(x: number, y: number) => number} add */
function lighten(page, add) {
  const context = page.getContext('2d');
  const pixels = context.getImageData(0, 0, page.width, page.height);
  const { data } = pixels;
  for (let y = 0, at = 0; y < page.height; y += 1) {
    for (let x = 0; x < page.width; x += 1, at += 4) {
      const more = add(x, y);
      for (let part = at; part < at + 3; part += 1) data[part] = /** @type {number} */ (data[part]) + more;
    }
  }
  context.putImageData(pixels, 0, 0);
  return page;
}

/** @type {Readonly<Record<string, (page: Page, dpi: number, random: Random) => Page>>} */
const wears = {
  /** Turns a page by up to seven degrees. */
  turned(page, _dpi, random) {
    const angle = (((random(2) === 0 ? -1 : 1) * (10 + random(61))) / 10 / 180) * Math.PI;
    const grown = createCanvas(
      Math.round(page.width * Math.cos(angle) + page.height * Math.abs(Math.sin(angle))),
      Math.round(page.height * Math.cos(angle) + page.width * Math.abs(Math.sin(angle))),
    );
    const { canvas, context } = emptyLike(grown);
    context.save();
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate(angle);
    context.drawImage(page, -page.width / 2, -page.height / 2);
    context.restore();
    return canvas;
  },
  /** Blurs a page as a camera out of focus does. */
  blurred(page, dpi, random) {
    const { canvas, context } = emptyLike(page);
    context.filter = `blur(${((0.004 + random(3) / 1_000) * dpi).toFixed(2)}px)`;
    context.drawImage(page, 0, 0);
    return canvas;
  },
  noisy(page, _dpi, random) {
    const strength = 20 + random(30);
    return lighten(page, () => random(2 * strength) - strength);
  },
  /** Shades one side of a fold, and makes it darker towards it. */
  folded(page, _dpi, random) {
    const at = (0.3 + random(40) / 100) * page.width;
    return lighten(page, (x) => (x < at ? 0 : -70 * Math.max(0.3, 1 - (x - at) / (0.5 * page.width))));
  },
  /** Stamps a ring and a word over the page. */
  stamped(page, dpi, random) {
    const context = page.getContext('2d');
    context.save();
    context.translate((0.2 + random(60) / 100) * page.width, (0.3 + random(50) / 100) * page.height);
    context.rotate((random(60) - 30) / 57);
    context.globalAlpha = 0.45;
    context.strokeStyle = context.fillStyle = random(2) === 0 ? '#c02040' : '#2040c0';
    context.lineWidth = 0.03 * dpi;
    context.beginPath();
    context.arc(0, 0, 0.35 * dpi, 0, 2 * Math.PI);
    context.stroke();
    context.font = `bold ${Math.round(0.12 * dpi)}px "${fonts.sans}"`;
    context.fillText('OFFICE', -0.26 * dpi, 0.05 * dpi);
    context.restore();
    return page;
  },
  /** Draws a page as a camera above its lower edge sees it. */
  slanted(page, _dpi, random) {
    const { canvas, context } = emptyLike(page);
    const slant = 0.03 + random(6) / 100;
    const { width, height } = page;
    const from = page.getContext('2d').getImageData(0, 0, width, height).data;
    const pixels = context.getImageData(0, 0, width, height);
    for (let y = 0; y < height; y += 1) {
      const margin = 0.5 * slant * width * (1 - y / height);
      for (let x = Math.ceil(margin); x < width - margin; x += 1) {
        const source = ((x - margin) / (width - 2 * margin)) * (width - 1);
        const [left, part] = [Math.floor(source), source % 1];
        for (let colour = 0; colour < 3; colour += 1) {
          const at = 4 * (y * width + left) + colour;
          const one = /** @type {number} */ (from[at]);
          pixels.data[4 * (y * width + x) + colour] = one + part * ((from[at + 4] ?? one) - one);
        }
      }
    }
    context.putImageData(pixels, 0, 0);
    return canvas;
  },
};

/**
 * Wears a page: a clean one not at all, another in two ways, and compresses it more.
 * @param {Page} page
 * @param {boolean} isWorn
 * @param {number} dpi
 * @param {Random} random
 * @returns {{ page: Page, worn: string[], quality: number }} the quality of its JPEG
 */
export function wear(page, isWorn, dpi, random) {
  if (!isWorn) return { page, worn: [], quality: 80 };
  const names = Object.keys(wears);
  const first = random(names.length);
  const second = (first + 1 + random(names.length - 1)) % names.length;
  const worn = [first, second].sort().map((at) => /** @type {string} */ (names[at]));
  return {
    page: worn.reduce((one, name) => wears[name]?.(one, dpi, random) ?? one, page),
    worn,
    quality: 20 + random(61),
  };
}
