// A separate program, started by draw-page.ts. It reads a picture or a PDF from stdin, and writes one page to stdout: a line
// with the number of pages, and a JPEG. If it cannot, its exit status is not 0.

import { buffer } from 'node:stream/consumers';
import { guard } from './guard.mjs';
import { drawPages } from './pages.mjs';

/** @type {import('./read-document.js').DrawLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);

for await (const { count, isComplete, canvas } of drawPages(await buffer(process.stdin), limits)) {
  if (!isComplete) throw new Error('There are no fonts for the words of the page.');
  const picture = canvas.toBuffer('image/jpeg', 80);
  process.stdout.write(Buffer.concat([Buffer.from(`${count}\n`), picture]), () => process.exit(0));
}
