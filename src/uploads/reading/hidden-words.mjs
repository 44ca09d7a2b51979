// Finds the words of a PDF's page that nobody sees: white ones on white, and those under a filled box.
import { OPS } from 'unpdf/pdfjs';

/** @typedef {[number, number, number, number, number, number]} Matrix */
/** @typedef {{ x0: number, y0: number, x1: number, y1: number }} Area */
/** @typedef {Area & { isWhite: boolean, at: number }} Paint */
/** @typedef {{ x: number, y: number, isHidden: boolean, at: number }} Shown */

/** Most fills and pieces of text of a page that are looked at. */
const most = 5_000;

/** @param {Matrix} one @param {Matrix} other @returns {Matrix} */
const times = ([a, b, c, d, e, f], [g, h, i, j, k, l]) => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

/** @param {Matrix} matrix @param {number} x @param {number} y */
const place = ([a, b, c, d, e, f], x, y) => ({ x: a * x + c * y + e, y: b * x + d * y + f });

/** Reads six numbers as a matrix; otherwise nothing is changed. @param {any} numbers @returns {Matrix} */
const matrixOf = (numbers) =>
  numbers?.length === 6 ? /** @type {Matrix} */ (Array.from(numbers)) : [1, 0, 0, 1, 0, 0];

/** Checks that a color such as `#fefefe` is nearly white. @param {unknown} color */
const isNearlyWhite = (color) => typeof color === 'string' && /^#(?:[f][0-9a-f]){3}$/i.test(color);

/** @param {Matrix} matrix @param {readonly (readonly [number, number])[]} points @returns {Area} */
function areaOf(matrix, points) {
  const placed = points.map(([x, y]) => place(matrix, x, y));
  const [xs, ys] = [placed.map(({ x }) => x), placed.map(({ y }) => y)];
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

/** Numbers of the steps of a path, and how many numbers follow each. */
const steps = [2, 2, 6, 4, 0];

/**
 * Lists the boxes that a path consists of. Its other parts are left out.
 * @param {Matrix} matrix
 * @param {ArrayLike<number>} path
 */
function boxesOf(matrix, path) {
  /** @type {[number, number][][]} */
  const outlines = [];
  for (let at = 0; at < path.length && outlines.length < 100; ) {
    const step = path[at] ?? 4;
    const length = steps[step] ?? 0;
    if (step === 0) outlines.push([]);
    // A curve makes an outline that is no box.
    if (step <= 3) outlines.at(-1)?.push([path[at + length - 1] ?? 0, path[at + length] ?? 0]);
    if (step === 2 || step === 3) outlines.at(-1)?.push([Number.NaN, Number.NaN]);
    at += 1 + length;
  }
  return outlines.flatMap((points) => {
    const area = areaOf(matrix, points);
    const isBox = points.every((point) => {
      const { x, y } = place(matrix, ...point);
      return (
        [area.x0, area.x1].some((side) => Math.abs(side - x) < 0.5) &&
        [area.y0, area.y1].some((side) => Math.abs(side - y) < 0.5)
      );
    });
    return isBox && points.length >= 4 ? [area] : [];
  });
}

/** @param {Area} area @param {number} x @param {number} y */
const contains = ({ x0, y0, x1, y1 }, x, y) => x0 <= x && x <= x1 && y0 <= y && y <= y1;

const fills = new Set([
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);

/**
 * Finds out which words of a page nobody sees. Letters that are not drawn at all are not among them: they are those of a
 * scanned page that a program has read.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page without its pictures
 * @returns {Promise<(item: { transform: number[], width: number }) => boolean>} a check of a piece of its text
 */
export async function hiddenWords(page) {
  const { fnArray, argsArray } = await page.getOperatorList();
  /** @type {Paint[]} what was filled, in order */
  const paints = [];
  /** @type {Paint[]} the boxes among it that nothing shines through */
  const boxes = [];
  /** @type {Shown[]} */
  const shown = [];
  /** @type {{ matrix: Matrix, isWhite: boolean, isPattern: boolean, isSheer: boolean }} */
  let state = { matrix: [1, 0, 0, 1, 0, 0], isWhite: false, isPattern: false, isSheer: false };
  /** @type {typeof state[]} */
  const saved = [];
  /** @type {Matrix} */
  let line = [1, 0, 0, 1, 0, 0];
  let leading = 0;
  let size = 0;
  let advance = 0;
  const move = (/** @type {number} */ x, /** @type {number} */ y) => {
    line = times(line, [1, 0, 0, 1, x, y]);
    advance = 0;
  };
  for (const [at, operation] of fnArray.entries()) {
    const args = argsArray[at] ?? [];
    if (shown.length >= most || paints.length >= most || boxes.length >= most) break;
    switch (operation) {
      case OPS.save:
        saved.push(state);
        break;
      case OPS.paintFormXObjectBegin:
        saved.push(state);
        state = { ...state, matrix: times(state.matrix, matrixOf(args[0])) };
        break;
      case OPS.beginAnnotation:
        saved.push(state);
        state = { ...state, matrix: times(times(state.matrix, matrixOf(args[2])), matrixOf(args[3])) };
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
      case OPS.endAnnotation:
        state = saved.pop() ?? state;
        break;
      case OPS.transform:
        state = { ...state, matrix: times(state.matrix, matrixOf(args)) };
        break;
      case OPS.setFillRGBColor:
        state = { ...state, isWhite: isNearlyWhite(args[0]), isPattern: false };
        break;
      case OPS.setFillColorN:
        state = { ...state, isWhite: false, isPattern: true };
        break;
      case OPS.setGState:
        for (const [name, value] of args[0] ?? []) {
          if (name === 'ca') state = { ...state, isSheer: value < 0.9 };
          if (name === 'BM' && value !== 'source-over') state = { ...state, isSheer: true };
        }
        break;
      case OPS.constructPath: {
        const [kind, data, range] = args;
        const path = data?.[0];
        if (!fills.has(kind) || !path || !range) break;
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = Array.from({ length: 4 }, (_, index) => range[index]);
        const corners = /** @type {[number, number][]} */ ([
          [x0, y0],
          [x1, y0],
          [x0, y1],
          [x1, y1],
        ]);
        const paint = { isWhite: state.isWhite, at };
        paints.push({ ...areaOf(state.matrix, corners), ...paint });
        if (!state.isSheer && !state.isPattern)
          boxes.push(...boxesOf(state.matrix, path).map((area) => ({ ...area, ...paint })));
        break;
      }
      case OPS.beginText:
        line = [1, 0, 0, 1, 0, 0];
        move(0, 0);
        break;
      case OPS.setTextMatrix:
        line = matrixOf(args[0]?.length === 6 ? args[0] : args);
        move(0, 0);
        break;
      case OPS.setFont:
        size = args[1] ?? 0;
        break;
      case OPS.setLeading:
        leading = -(args[0] ?? 0);
        break;
      case OPS.setLeadingMoveText:
        leading = args[1] ?? 0;
        move(args[0] ?? 0, args[1] ?? 0);
        break;
      case OPS.moveText:
        move(args[0] ?? 0, args[1] ?? 0);
        break;
      case OPS.nextLine:
        move(0, leading);
        break;
      case OPS.showText: {
        // Only the first piece of a line is where it begins; those that follow have moved on by their letters.
        const { x, y } = place(state.matrix, ...pointOf(line, advance));
        const behind = state.isWhite ? paints.findLast((paint) => contains(paint, x, y + 1)) : undefined;
        const isHidden = state.isWhite && (behind === undefined || behind.isWhite);
        shown.push({ x, y, isHidden, at });
        for (const glyph of args[0] ?? [])
          advance += typeof glyph === 'number' ? (-glyph * size) / 1000 : ((glyph?.width ?? 0) * size) / 1000;
        break;
      }
    }
  }
  if (boxes.length === 0 && !shown.some(({ isHidden }) => isHidden)) return () => false;
  return ({ transform, width }) => {
    const [, , , d = 0, x = 0, y = 0] = transform;
    const height = Math.abs(d) || 1;
    const own = shown.filter((one) => Math.abs(one.y - y) < 1 && x - 1 <= one.x && one.x < x + width);
    const last = own.at(-1);
    if (!last) return false;
    const middle = { x: x + width / 2, y: y + height / 3 };
    return (
      own.some(({ isHidden }) => isHidden) ||
      boxes.some((box) => box.at > last.at && contains(box, middle.x, middle.y))
    );
  };
}

/** Returns where a line of text has come to. @param {Matrix} line @param {number} advance @returns {[number, number]} */
function pointOf(line, advance) {
  const { x, y } = place(line, advance, 0);
  return [x, y];
}
