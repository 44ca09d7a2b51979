// A separate program, started by read-text.ts. It reads HTML from stdin, and writes its visible text as JSON to stdout.

import { text } from 'node:stream/consumers';
import { visibleText } from '../../domain/text/html.js';
import { guard, writeLine } from './guard.mjs';
import type { ReaderLimits } from './reader-process.js';

const limits: ReaderLimits = JSON.parse(process.argv[2] ?? '');
guard(limits);

writeLine(visibleText(await text(process.stdin)));
