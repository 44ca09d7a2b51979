import type { PagePicture } from './pdf';

/** Edges that are cut off a turned page. They are parts of its width or height, from 0 to 1. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A photographed page, and what is changed about it. */
export interface Page {
  readonly id: string;
  readonly photo: Blob;
  /** Quarters by which the page is turned clockwise, from 0 to 3. */
  readonly turns: number;
  readonly crop: Crop;
}

/** The crop that cuts nothing off. */
export const uncropped: Crop = { left: 0, top: 0, right: 0, bottom: 0 };

/** Length of a page's longest side, in pixels, at most. */
const mostPixels = 2000;

/** Quality of the JPEG, from 0 to 1. */
const quality = 0.8;

/** Smallest part of a page that stays after a crop. */
const leastLeft = 0.1;

/** Moves an edge of a crop. The opposite edge stays, and so does a part of the page between both. */
export function moveEdge(crop: Crop, edge: keyof Crop, to: number): Crop {
  const opposites = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;
  const most = 1 - leastLeft - crop[opposites[edge]];
  return { ...crop, [edge]: Math.min(Math.max(to, 0), most) };
}

/** Turns a page clockwise. Its crop turns with it. */
export function turn(page: Page): Page {
  const { left, top, right, bottom } = page.crop;
  return {
    ...page,
    turns: (page.turns + 1) % 4,
    crop: { left: bottom, top: left, right: top, bottom: right },
  };
}

/** Draws a page, turned and cropped. Its longest side has at most so many pixels. */
export async function drawPage({ photo, turns, crop }: Page, most = mostPixels): Promise<HTMLCanvasElement> {
  // The camera's own orientation is applied here, so that only the person's turns remain.
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    const isAcross = turns % 2 === 1;
    const [width, height] = isAcross ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height];
    const [across, down] = [1 - crop.left - crop.right, 1 - crop.top - crop.bottom];
    const scale = Math.min(1, most / Math.max(width * across, height * down));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * across * scale));
    canvas.height = Math.max(1, Math.round(height * down * scale));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser cannot draw pictures.');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = 'high';
    context.scale(scale, scale);
    context.translate(width / 2 - crop.left * width, height / 2 - crop.top * height);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return canvas;
  } finally {
    bitmap.close();
  }
}

/** Makes the picture of a page as it appears in the PDF. */
export async function finishPage(page: Page): Promise<PagePicture> {
  const canvas = await drawPage(page);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('The browser cannot write pictures.');
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width: canvas.width, height: canvas.height };
}
