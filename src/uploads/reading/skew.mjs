// Finds out by how much the lines of a page are turned.

/** Pixels of the longest side that is looked at, and the largest angle in degrees. */
const limits = { side: 900, angle: 9 };

/** Finds places where a dark sign ends at its lower edge. @param {ImageData} picture @returns {[x: number, y: number][]} */
function edgesOf({ data, width, height }) {
  const grey = (/** @type {number} */ at) => (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0);
  /** @type {[x: number, y: number][]} */
  const edges = [];
  for (let y = 0; y + 2 < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 4 * (y * width + x);
      if (grey(at + 8 * width) - grey(at) > 150) edges.push([x, y]);
    }
  }
  return edges;
}

/** Scores an angle: how much the edges lie in few rows. @param {readonly [x: number, y: number][]} edges @param {number} angle */
function scoreOf(edges, angle) {
  const slope = Math.tan((angle * Math.PI) / 180);
  const rows = new Map();
  for (const [x, y] of edges) {
    const row = Math.round(y - x * slope);
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  let score = 0;
  for (const count of rows.values()) score += count * count;
  return score;
}

/**
 * Finds the angle of a page's lines by projection. At the right one, most lower edges of letters lie in few rows.
 * @param {import('@napi-rs/canvas').Canvas} page
 * @param {(width: number, height: number) => import('@napi-rs/canvas').Canvas} createCanvas
 * @returns degrees, clockwise; 0 if it is not clear
 */
export function skewOf(page, createCanvas) {
  const scale = Math.min(1, limits.side / Math.max(page.width, page.height));
  const small = createCanvas(Math.round(page.width * scale), Math.round(page.height * scale));
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(page, 0, 0, small.width, small.height);
  const edges = edgesOf(/** @type {any} */ (context.getImageData(0, 0, small.width, small.height)));
  const few = edges.length > 20_000 ? edges.filter((_, index) => index % 2 === 0) : edges;
  let best = { angle: 0, score: 1.02 * scoreOf(few, 0) };
  const attempt = (/** @type {number} */ angle) => {
    const score = scoreOf(few, angle);
    if (score > best.score) best = { angle, score };
  };
  for (let angle = -limits.angle; angle <= limits.angle; angle += 0.5) attempt(angle);
  const rough = best.angle;
  for (let angle = rough - 0.4; angle <= rough + 0.45; angle += 0.1) attempt(angle);
  return best.angle;
}
