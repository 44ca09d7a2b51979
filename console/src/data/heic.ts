/** Length of a picture's longest side, in pixels, at most. Some browsers draw no larger ones. */
const mostPixels = 4_000;

/** Quality of the JPEG, from 0 to 1. */
const quality = 0.9;

const ending = /\.hei[cf]$/i;

/** Checks that a file is a HEIC picture, as many phones take them. Some browsers do not tell its type. */
const isHeic = ({ name, type }: File) => /^image\/hei[cf]/.test(type) || ending.test(name);

/** Draws a picture upright. Its longest side has at most so many pixels. */
async function draw(photo: Blob): Promise<HTMLCanvasElement> {
  const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, mostPixels / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return canvas;
  } finally {
    bitmap.close();
  }
}

/**
 * Makes a JPEG of a HEIC picture with the browser's own decoder. Hardly any other program reads HEIC. Other files, and
 * those that the browser cannot decode, stay as they are.
 */
export async function toReadable(file: File): Promise<File> {
  if (!isHeic(file)) return file;
  try {
    const canvas = await draw(file);
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    const name = `${file.name.replace(ending, '')}.jpg`;
    return jpeg ? new File([jpeg], name, { type: jpeg.type, lastModified: file.lastModified }) : file;
  } catch {
    return file;
  }
}
