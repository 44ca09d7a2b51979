// A separate program, started by draw-page.ts. It reads a picture or a PDF from stdin, and writes one page as JPEG to
// stdout; if it cannot, its exit status is not 0.

import { buffer } from 'node:stream/consumers';
import { guard } from './guard.mjs';
import { drawPages } from './pages.mjs';

/** @type {import('./draw-page.js').DrawLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);

for await (const { canvas } of drawPages(await buffer(process.stdin), limits))
  process.stdout.write(canvas.toBuffer('image/jpeg', 80), () => process.exit(0));
