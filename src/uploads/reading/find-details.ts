// A separate program, started by read-document.ts. It reads pages as JSON from stdin, and writes what it finds in each of
// them as JSON to stdout.

import { json } from 'node:stream/consumers';
import { searchPages } from '../../domain/documents/findings.js';
import { guard, writeLine } from './guard.mjs';
import type { SearchedPages } from './read-document.js';
import type { ReaderLimits } from './reader-process.js';

const limits: ReaderLimits = JSON.parse(process.argv[2] ?? '');
guard(limits);

const { pages, today } = (await json(process.stdin)) as SearchedPages;
writeLine(searchPages(pages, new Date(today)));
