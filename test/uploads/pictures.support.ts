import { type Canvas, createCanvas, type Image } from '@napi-rs/canvas';
import { fonts } from '../../bench/fonts/fonts.mjs';

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

/** Draws lines of text on a white page. */
export function drawLines(lines: readonly string[], type: PictureType = 'image/png'): Buffer {
  const canvas = createCanvas(1240, 160 + 80 * lines.length);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#111';
  context.font = `34px "${fonts.sans}"`;
  for (const [index, line] of lines.entries()) context.fillText(line, 60, 100 + 80 * index);
  return type === 'image/png' ? canvas.toBuffer(type) : canvas.toBuffer(type, 85);
}

/** Turns a picture clockwise by quarters. */
export function turned(picture: Canvas | Image, quarters: number): Canvas {
  const isSideways = quarters % 2 === 1;
  const { width, height } = picture;
  const canvas = createCanvas(isSideways ? height : width, isSideways ? width : height);
  const context = canvas.getContext('2d');
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(picture, -width / 2, -height / 2);
  return canvas;
}

/** Adds the orientation to a JPEG (EXIF, tag 274). */
export function withTurn(jpeg: Uint8Array, turn: number): Buffer {
  const tiff = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  tiff.writeUInt16BE(turn, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}

/** Writes the head of a PNG of any size. */
export function pngOfSize(width: number, height: number): Buffer {
  const png = Buffer.from(drawLines(['x']));
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}
