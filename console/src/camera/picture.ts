import { type Corners, drawPage, type PhotographedPage, turnCorners } from '../../../public/page-picture.js';
import type { PagePicture } from './pdf';

/** A photographed page, and what is changed about it. */
export interface Page extends PhotographedPage {
  readonly id: string;
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

/** Quality of the JPEG, from 0 to 1. */
const quality = 0.8;

/** Turns a page clockwise. Its corners turn with it. */
export const turn = (page: Page): Page => ({
  ...page,
  turns: (page.turns + 1) % 4,
  corners: turnCorners(page.corners),
});

/** Makes the picture of a page as it appears in the PDF. */
export async function finishPage(page: Page): Promise<PagePicture> {
  const canvas = await drawPage(page);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  if (!blob) throw new Error('The browser cannot write pictures.');
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), width: canvas.width, height: canvas.height };
}
