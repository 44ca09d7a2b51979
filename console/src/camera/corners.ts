/** A point of a picture, in parts of its width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The corners of a page in its picture. They go clockwise from the upper left. */
export type Corners = readonly [Point, Point, Point, Point];

/** The corners of the whole picture. */
export const wholePicture: Corners = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

/** Turns corners clockwise, with their picture. */
export function turnCorners([one, two, three, four]: Corners): Corners {
  const turned = ({ x, y }: Point): Point => ({ x: 1 - y, y: x });
  return [turned(four), turned(one), turned(two), turned(three)];
}

/** Returns twice the area that corners enclose. It is negative if they are in the wrong order. */
const doubleArea = (corners: readonly Point[]): number =>
  corners.reduce((sum, { x, y }, at) => {
    const next = corners[(at + 1) % corners.length] as Point;
    return sum + x * next.y - next.x * y;
  }, 0);

/** Least part of a picture that corners may enclose. */
const leastArea = 0.02;

/** Checks that corners enclose a page that can be drawn. They are in order, without a dent. */
function isPage(corners: Corners): boolean {
  const isConvex = corners.every((corner, at) => {
    const next = corners[(at + 1) % 4] as Point;
    const after = corners[(at + 2) % 4] as Point;
    return (next.x - corner.x) * (after.y - next.y) - (next.y - corner.y) * (after.x - next.x) > 0;
  });
  return isConvex && doubleArea(corners) / 2 >= leastArea;
}

/** Moves a corner. It stays in the picture, and where it is if no page would be left. */
export function moveCorner(corners: Corners, at: number, { x, y }: Point): Corners {
  const within = (part: number) => Math.min(1, Math.max(0, part));
  const moved = corners.map((corner, place) =>
    place === at ? { x: within(x), y: within(y) } : corner,
  ) as unknown as Corners;
  return isPage(moved) ? moved : corners;
}

/** Returns the distance of two points in a picture of a size. */
const distance = (one: Point, other: Point, width: number, height: number): number =>
  Math.hypot((one.x - other.x) * width, (one.y - other.y) * height);

/** Returns the size of a page when it is drawn straight. It is in pixels of the picture. */
export function sizeOf([one, two, three, four]: Corners, width: number, height: number) {
  const long = (from: Point, to: Point) => distance(from, to, width, height);
  return {
    width: Math.max(long(one, two), long(four, three)),
    height: Math.max(long(one, four), long(two, three)),
  };
}

/** Checks that a page is a straight part of its picture. */
export const isStraight = ([one, two, three, four]: Corners): boolean =>
  one.y === two.y && two.x === three.x && three.y === four.y && four.x === one.x;

/**
 * Returns the function that finds a point of a drawn page in its picture. Both are in parts of width and height. It is the
 * projection of a square to four corners.
 */
export function projection([one, two, three, four]: Corners): (u: number, v: number) => Point {
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

/** Returns the brightness that best divides pixels in two, with the distance of both parts. */
function divide(gray: Uint8Array): { readonly at: number; readonly contrast: number } {
  const counts = new Array<number>(256).fill(0);
  for (const level of gray) counts[level] = (counts[level] ?? 0) + 1;
  const all = counts.reduce((sum, count, level) => sum + count * level, 0);
  let [best, at, contrast] = [-1, 0, 0];
  let [below, sum] = [0, 0];
  for (let level = 0; level < 255; level++) {
    below += counts[level] ?? 0;
    sum += level * (counts[level] ?? 0);
    const above = gray.length - below;
    if (below === 0 || above === 0) continue;
    const apart = (all - sum) / above - sum / below;
    const between = below * above * apart * apart;
    if (between > best) [best, at, contrast] = [between, level, apart];
  }
  return { at, contrast };
}

/** Finds the largest connected area of pixels that are brighter than a level. */
function largestArea(gray: Uint8Array, width: number, above: number): readonly number[] {
  const seen = new Uint8Array(gray.length);
  let largest: number[] = [];
  for (let start = 0; start < gray.length; start++) {
    if (seen[start] || (gray[start] ?? 0) <= above) continue;
    const area = [start];
    seen[start] = 1;
    for (let next = 0; next < area.length; next++) {
      const pixel = area[next] as number;
      const x = pixel % width;
      for (const other of [
        x > 0 ? pixel - 1 : -1,
        x < width - 1 ? pixel + 1 : -1,
        pixel - width,
        pixel + width,
      ]) {
        if (other < 0 || other >= gray.length || seen[other] || (gray[other] ?? 0) <= above) continue;
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
 * @param gray brightness of the pixels, row by row
 * @returns undefined if the contrast does not allow it
 */
export function findCorners(gray: Uint8Array, width: number, height: number): Corners | undefined {
  const { at, contrast } = divide(gray);
  if (contrast < paper.contrast) return undefined;
  const area = largestArea(gray, width, at);
  if (area.length < paper.least * gray.length || area.length > paper.most * gray.length) return undefined;
  const extremes = [
    (x: number, y: number) => -x - y,
    (x: number, y: number) => x - y,
    (x: number, y: number) => x + y,
    (x: number, y: number) => y - x,
  ];
  const most = extremes.map(() => ({ value: -Infinity, x: 0, y: 0 }));
  for (const pixel of area) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) return undefined;
    extremes.forEach((score, corner) => {
      const value = score(x, y);
      if (value > (most[corner]?.value ?? 0)) most[corner] = { value, x, y };
    });
  }
  const corners = most.map(({ x, y }) => ({
    x: (x + 0.5) / width,
    y: (y + 0.5) / height,
  })) as unknown as Corners;
  if (!isPage(corners)) return undefined;
  // Text makes holes in a page, and what is round or torn is more than its corners enclose.
  const filled = area.length / (gray.length * (doubleArea(corners) / 2));
  return filled >= paper.filled && filled <= paper.beyond ? corners : undefined;
}
