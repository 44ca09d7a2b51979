// Finds the corners of a page in its photo, and draws it straight. The console's camera and the page of a request for a
// document use it, and browsers of 2018 run it.

/** A point of a picture, in parts of its width and height. @typedef {{ readonly x: number, readonly y: number }} Point */

/** The corners of a page in its picture, clockwise from the upper left. @typedef {readonly [Point, Point, Point, Point]} Corners */

/**
 * A photographed page, and what is changed about it. `turns` are quarters by which it is turned clockwise, from 0 to 3;
 * `corners` are those of the page in the turned picture.
 * @typedef {{ readonly photo: Blob, readonly turns: number, readonly corners: Corners }} PhotographedPage
 */

/** The corners of the whole picture. @type {Corners} */
export const wholePicture = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

/** Turns corners clockwise, with their picture. @param {Corners} corners @returns {Corners} */
export function turnCorners([one, two, three, four]) {
  /** @param {Point} point @returns {Point} */
  const turned = ({ x, y }) => ({ x: 1 - y, y: x });
  return [turned(four), turned(one), turned(two), turned(three)];
}

/**
 * Returns twice the area that corners enclose. It is negative if they are in the wrong order.
 * @param {readonly Point[]} corners
 */
const doubleArea = (corners) =>
  corners.reduce((sum, { x, y }, at) => {
    const next = /** @type {Point} */ (corners[(at + 1) % corners.length]);
    return sum + x * next.y - next.x * y;
  }, 0);

/** Least part of a picture that corners may enclose. */
const leastArea = 0.02;

/** Checks that corners enclose a page that can be drawn. They are in order, without a dent. @param {Corners} corners */
function isPage(corners) {
  const isConvex = corners.every((corner, at) => {
    const next = /** @type {Point} */ (corners[(at + 1) % 4]);
    const after = /** @type {Point} */ (corners[(at + 2) % 4]);
    return (next.x - corner.x) * (after.y - next.y) - (next.y - corner.y) * (after.x - next.x) > 0;
  });
  return isConvex && doubleArea(corners) / 2 >= leastArea;
}

/**
 * Moves a corner. It stays in the picture, and where it is if no page would be left.
 * @param {Corners} corners @param {number} at @param {Point} to @returns {Corners}
 */
export function moveCorner(corners, at, { x, y }) {
  /** @param {number} part */
  const within = (part) => Math.min(1, Math.max(0, part));
  const moved = /** @type {Corners} */ (
    /** @type {unknown} */ (
      corners.map((corner, place) => (place === at ? { x: within(x), y: within(y) } : corner))
    )
  );
  return isPage(moved) ? moved : corners;
}

/** Directions of the arrow keys. @type {Readonly<Record<string, Point>>} */
const arrows = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Returns where an arrow key moves a corner; undefined for any other key.
 * @param {KeyboardEvent} event @param {Point} corner @returns {Point | undefined}
 */
export function pointByKey(event, corner) {
  const by = arrows[event.key];
  if (!by) return undefined;
  event.preventDefault();
  const step = event.shiftKey ? 0.05 : 0.01;
  // Whole hundredths, so that many steps add up exactly.
  /** @param {number} from @param {number} way */
  const next = (from, way) => Math.round((from + way * step) * 1000) / 1000;
  return { x: next(corner.x, by.x), y: next(corner.y, by.y) };
}

/**
 * Returns where a pointer drags a corner to; undefined if it does not.
 * @param {PointerEvent} event on the corner @param {Element | null} box the whole picture @returns {Point | undefined}
 */
export function pointByPointer(event, box) {
  const corner = /** @type {Element} */ (event.currentTarget);
  if (!box || !corner.hasPointerCapture(event.pointerId)) return undefined;
  const place = box.getBoundingClientRect();
  return { x: (event.clientX - place.left) / place.width, y: (event.clientY - place.top) / place.height };
}

/**
 * Returns the distance of two points in a picture of a size.
 * @param {Point} one @param {Point} other @param {number} width @param {number} height
 */
const distance = (one, other, width, height) =>
  Math.hypot((one.x - other.x) * width, (one.y - other.y) * height);

/**
 * Returns the size of a page when it is drawn straight. It is in pixels of the picture.
 * @param {Corners} corners @param {number} width @param {number} height
 */
function sizeOf([one, two, three, four], width, height) {
  /** @param {Point} from @param {Point} to */
  const long = (from, to) => distance(from, to, width, height);
  return {
    width: Math.max(long(one, two), long(four, three)),
    height: Math.max(long(one, four), long(two, three)),
  };
}

/** Checks that a page is a straight part of its picture. @param {Corners} corners */
const isStraight = ([one, two, three, four]) =>
  one.y === two.y && two.x === three.x && three.y === four.y && four.x === one.x;

/**
 * Returns the function that finds a point of a drawn page in its picture. Both are in parts of width and height. It is the
 * projection of a square to four corners.
 * @param {Corners} corners @returns {(u: number, v: number) => Point}
 */
function projection([one, two, three, four]) {
  const [dx1, dx2, dy1, dy2] = [two.x - three.x, four.x - three.x, two.y - three.y, four.y - three.y];
  const sx = one.x - two.x + three.x - four.x;
  const sy = one.y - two.y + three.y - four.y;
  const whole = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  const [a, b] = [two.x - one.x + g * two.x, four.x - one.x + h * four.x];
  const [d, e] = [two.y - one.y + g * two.y, four.y - one.y + h * four.y];
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return { x: (a * u + b * v + one.x) / depth, y: (d * u + e * v + one.y) / depth };
  };
}

/** Limits by which a page is told from what it lies on. Brightness is from 0 to 255, areas are parts. */
const paper = { contrast: 45, least: 0.12, most: 0.95, filled: 0.75, beyond: 1.06 };

/** Returns the brightness that best divides pixels in two, with the distance of both parts. @param {Uint8Array} gray */
function divide(gray) {
  /** @type {number[]} */
  const counts = new Array(256).fill(0);
  for (const level of gray) counts[level] = (counts[level] || 0) + 1;
  const all = counts.reduce((sum, count, level) => sum + count * level, 0);
  let [best, at, contrast] = [-1, 0, 0];
  let [below, sum] = [0, 0];
  for (let level = 0; level < 255; level++) {
    below += counts[level] || 0;
    sum += level * (counts[level] || 0);
    const above = gray.length - below;
    if (below === 0 || above === 0) continue;
    const apart = (all - sum) / above - sum / below;
    const between = below * above * apart * apart;
    if (between > best) [best, at, contrast] = [between, level, apart];
  }
  return { at, contrast };
}

/**
 * Finds the largest connected area of pixels that are brighter than a level.
 * @param {Uint8Array} gray @param {number} width @param {number} above @returns {readonly number[]}
 */
function largestArea(gray, width, above) {
  const seen = new Uint8Array(gray.length);
  /** @type {number[]} */
  let largest = [];
  for (let start = 0; start < gray.length; start++) {
    if (seen[start] || (gray[start] || 0) <= above) continue;
    const area = [start];
    seen[start] = 1;
    for (let next = 0; next < area.length; next++) {
      const pixel = /** @type {number} */ (area[next]);
      const x = pixel % width;
      for (const other of [
        x > 0 ? pixel - 1 : -1,
        x < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        if (other < 0 || other >= gray.length || seen[other] || (gray[other] || 0) <= above) continue;
        seen[other] = 1;
        area.push(other);
      }
    }
    if (area.length > largest.length) largest = area;
  }
  return largest;
}

/**
 * Finds a bright page on a darker ground. It must lie within the picture on all sides, and have four corners.
 * @param {Uint8Array} gray brightness of the pixels, row by row
 * @param {number} width @param {number} height
 * @returns {Corners | undefined} undefined if the contrast does not allow it
 */
export function findCorners(gray, width, height) {
  const { at, contrast } = divide(gray);
  if (contrast < paper.contrast) return undefined;
  const area = largestArea(gray, width, at);
  if (area.length < paper.least * gray.length || area.length > paper.most * gray.length) return undefined;
  /** @type {((x: number, y: number) => number)[]} */
  const extremes = [(x, y) => -x - y, (x, y) => x - y, (x, y) => x + y, (x, y) => y - x];
  const most = extremes.map(() => ({ value: -Infinity, x: 0, y: 0 }));
  for (const pixel of area) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) return undefined;
    extremes.forEach((score, corner) => {
      const value = score(x, y);
      const before = most[corner];
      if (before && value > before.value) most[corner] = { value, x, y };
    });
  }
  const corners = /** @type {Corners} */ (
    /** @type {unknown} */ (most.map(({ x, y }) => ({ x: (x + 0.5) / width, y: (y + 0.5) / height })))
  );
  if (!isPage(corners)) return undefined;
  // Text makes holes in a page, and what is round or torn is more than its corners enclose.
  const filled = area.length / (gray.length * (doubleArea(corners) / 2));
  return filled >= paper.filled && filled <= paper.beyond ? corners : undefined;
}

/** Length of a page's longest side, in pixels, at most. */
const mostPixels = 2000;

/** Creates a canvas with its context. @param {number} width @param {number} height */
function createCanvas(width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser cannot draw pictures.');
  return { canvas, context };
}

/** Reads the pixels of a canvas. @param {HTMLCanvasElement} canvas */
function pixelsOf(canvas) {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser cannot draw pictures.');
  return context.getImageData(0, 0, canvas.width, canvas.height).data;
}

/**
 * Draws a part of a turned photo straight.
 * @param {PhotographedPage} page
 * @param {Corners} corners
 * @param {number} most pixels that the longest side of the part has at most
 */
async function drawPart({ photo, turns }, [from, , to], most) {
  // The camera's own orientation is applied here, so that only the person's turns remain.
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    const isAcross = turns % 2 === 1;
    const [width, height] = isAcross ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height];
    const [across, down] = [to.x - from.x, to.y - from.y];
    const scale = Math.min(1, most / Math.max(width * across, height * down));
    const { canvas, context } = createCanvas(width * across * scale, height * down * scale);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.scale(scale, scale);
    context.translate(width / 2 - from.x * width, height / 2 - from.y * height);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return canvas;
  } finally {
    bitmap.close();
  }
}

/** Draws the whole picture of a page, turned. @param {PhotographedPage} page @param {number} most */
export const drawWhole = (page, most) => drawPart(page, wholePicture, most);

/**
 * Draws a page straight whose corners are anywhere in a picture.
 * @param {HTMLCanvasElement} whole @param {Corners} corners @param {number} most
 */
function straighten(whole, corners, most) {
  const { width, height } = whole;
  const size = sizeOf(corners, width, height);
  const scale = Math.min(1, most / Math.max(size.width, size.height));
  const { canvas, context } = createCanvas(size.width * scale, size.height * scale);
  const from = pixelsOf(whole);
  const drawn = context.createImageData(canvas.width, canvas.height);
  const find = projection(corners);
  for (let row = 0; row < canvas.height; row++) {
    for (let column = 0; column < canvas.width; column++) {
      const { x, y } = find((column + 0.5) / canvas.width, (row + 0.5) / canvas.height);
      const left = Math.min(Math.max(x * width - 0.5, 0), width - 1);
      const top = Math.min(Math.max(y * height - 0.5, 0), height - 1);
      const [x0, y0] = [Math.floor(left), Math.floor(top)];
      const [x1, y1] = [Math.min(x0 + 1, width - 1), Math.min(y0 + 1, height - 1)];
      const [dx, dy] = [left - x0, top - y0];
      const at = 4 * (row * canvas.width + column);
      for (let color = 0; color < 3; color++) {
        /** @param {number} px @param {number} py */
        const value = (px, py) => from[4 * (py * width + px) + color] || 0;
        drawn.data[at + color] =
          (value(x0, y0) * (1 - dx) + value(x1, y0) * dx) * (1 - dy) +
          (value(x0, y1) * (1 - dx) + value(x1, y1) * dx) * dy;
      }
      drawn.data[at + 3] = 255;
    }
  }
  context.putImageData(drawn, 0, 0);
  return canvas;
}

/**
 * Draws a page, turned and straight between its corners. Its longest side has at most so many pixels.
 * @param {PhotographedPage} page
 */
export async function drawPage(page, most = mostPixels) {
  const { corners } = page;
  if (isStraight(corners)) return drawPart(page, corners, most);
  // Enough pixels for the page, which is only a part of the picture.
  const { width, height } = sizeOf(corners, 1, 1);
  return straighten(await drawWhole(page, most / Math.max(width, height, 0.5)), corners, most);
}

/** Length of the longest side of the picture in which corners are looked for. */
const searchedPixels = 240;

/**
 * Finds the corners of a page in its photo. Without enough contrast, the page is the whole photo.
 * @template {PhotographedPage} Page
 * @param {Page} page
 * @returns {Promise<Page>}
 */
export async function findPage(page) {
  const drawn = await drawWhole(page, searchedPixels);
  const { width, height } = drawn;
  const pixels = pixelsOf(drawn);
  const gray = new Uint8Array(width * height);
  for (let at = 0; at < gray.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
    gray[at] = 0.3 * red + 0.59 * green + 0.11 * blue;
  }
  const corners = findCorners(gray, width, height);
  return corners ? { ...page, corners } : page;
}
