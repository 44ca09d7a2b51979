// A separate program, started by read-document.ts. It reads a PDF from stdin and writes its text to stdout;
// if there is none, its exit status is not 0. It is plain JavaScript, so that the same file runs compiled and
// in tests.

import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { getDocument } from 'unpdf/pdfjs';

/** @type {import('./read-document.js').DocumentLimits} */
const limits = JSON.parse(process.argv[2] ?? '');

// Kills this program when it uses too much. It runs in a thread of its own, because the parser may block this
// one. V8's own limit excludes decompressed streams, and a gateway that was killed can end nobody.
const watch = `
  const end = () => process.kill(process.pid, 'SIGKILL');
  setInterval(() => process.memoryUsage.rss() > ${limits.memory} && end(), 10);
  setTimeout(end, ${limits.time});`;
new Worker(watch, { eval: true }).unref();

/**
 * Extracts a page's text. Words far apart in a line are separated by a tab.
 * @param {import('unpdf/pdfjs').PDFPageProxy} page
 */
async function readPageText(page) {
  const { items } = await page.getTextContent();
  let text = '';
  let height = 0;
  for (const item of items) {
    if (!('str' in item)) continue;
    text += item.str === ' ' && item.width > 1.5 * height ? '\t' : item.str;
    if (item.hasEOL) text += '\n';
    height = item.height || height;
  }
  return `${text}\n`;
}

const data = new Uint8Array(await buffer(process.stdin));
const document = await getDocument({ data, verbosity: 0 }).promise;
let text = '';
for (let number = 1; number <= Math.min(document.numPages, limits.pages); number += 1) {
  if (text.length >= limits.characters) break;
  text += await readPageText(await document.getPage(number));
}
process.stdout.write(text.slice(0, limits.characters));
