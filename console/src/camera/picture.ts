import {
  type Corners,
  findCorners,
  isStraight,
  projection,
  sizeOf,
  turnCorners,
  wholePicture,
} from './corners';
import type { PagePicture } from './pdf';

/** A photographed page, and what is changed about it. */
export interface Page {
  readonly id: string;
  readonly photo: Blob;
  /** Quarters by which the page is turned clockwise, from 0 to 3. */
  readonly turns: number;
  /** The corners of the page in the turned picture. */
  readonly corners: Corners;
}

/** Edges that an earlier version cut off a page, in parts of its size. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the corners of what a crop leaves. */
export const cornersOfCrop = ({ left, top, right, bottom }: Crop): Corners => [
  { x: left, y: top },
  { x: 1 - right, y: top },
  { x: 1 - right, y: 1 - bottom },
  { x: left, y: 1 - bottom },
];

/** Length of a page's longest side, in pixels, at most. */
const mostPixels = 2000;

/** Quality of the JPEG, from 0 to 1. */
const quality = 0.8;

/** Turns a page clockwise. Its corners turn with it. */
export const turn = (page: Page): Page => ({
  ...page,
  turns: (page.turns + 1) % 4,
  corners: turnCorners(page.corners),
});

/** Creates a canvas with its context. */
function createCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('The browser cannot draw pictures.');
  return { canvas, context };
}

/**
 * Draws a part of a turned photo straight.
 * @param most pixels that the longest side of the part has at most
 */
async function drawPart(
  { photo, turns }: Page,
  [from, , to]: Corners,
  most: number,
): Promise<HTMLCanvasElement> {
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

/** Draws the whole picture of a page, turned. */
export const drawWhole = (page: Page, most: number): Promise<HTMLCanvasElement> =>
  drawPart(page, wholePicture, most);

/** Draws a page straight whose corners are anywhere in a picture. */
function straighten(whole: HTMLCanvasElement, corners: Corners, most: number): HTMLCanvasElement {
  const { width, height } = whole;
  const size = sizeOf(corners, width, height);
  const scale = Math.min(1, most / Math.max(size.width, size.height));
  const { canvas, context } = createCanvas(size.width * scale, size.height * scale);
  const from = whole.getContext('2d')?.getImageData(0, 0, width, height).data;
  if (!from) throw new Error('The browser cannot draw pictures.');
  const drawn = context.createImageData(canvas.width, canvas.height);
  const find = projection(corners);
  for (let row = 0; row < canvas.height; row++) {
    for (let column = 0; column < canvas.width; column++) {
      const { x, y } = find((column + 0.5) / canvas.width, (row + 0.5) / canvas.height);
      const [left, top] = [
        Math.min(Math.max(x * width - 0.5, 0), width - 1),
        Math.min(Math.max(y * height - 0.5, 0), height - 1),
      ];
      const [x0, y0] = [Math.floor(left), Math.floor(top)];
      const [x1, y1] = [Math.min(x0 + 1, width - 1), Math.min(y0 + 1, height - 1)];
      const [dx, dy] = [left - x0, top - y0];
      const at = 4 * (row * canvas.width + column);
      for (let color = 0; color < 3; color++) {
        const value = (px: number, py: number) => from[4 * (py * width + px) + color] ?? 0;
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

/** Draws a page, turned and straight between its corners. Its longest side has at most so many pixels. */
export async function drawPage(page: Page, most = mostPixels): Promise<HTMLCanvasElement> {
  const { corners } = page;
  if (isStraight(corners)) return drawPart(page, corners, most);
  // Enough pixels for the page, which is only a part of the picture.
  const { width, height } = sizeOf(corners, 1, 1);
  return straighten(await drawWhole(page, most / Math.max(width, height, 0.5)), corners, most);
}

/** Length of the longest side of the picture in which corners are looked for. */
const searchedPixels = 240;

/** Finds the corners of a page in its photo. Without enough contrast, the page is the whole photo. */
export async function findPage(page: Page): Promise<Page> {
  const drawn = await drawWhole(page, searchedPixels);
  const { width, height } = drawn;
  const pixels = drawn.getContext('2d')?.getImageData(0, 0, width, height).data;
  if (!pixels) return page;
  const gray = new Uint8Array(width * height);
  for (let at = 0; at < gray.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
    gray[at] = 0.3 * red + 0.59 * green + 0.11 * blue;
  }
  const corners = findCorners(gray, width, height);
  return corners ? { ...page, corners } : page;
}

/** Makes the picture of a page as it appears in the PDF. */
export async function finishPage(page: Page): Promise<PagePicture> {
  const canvas = await drawPage(page);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('The browser cannot write pictures.');
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width: canvas.width, height: canvas.height };
}
