// A separate program, started by read-document.ts. It reads a certificate (X.509) as PEM or DER from stdin, and writes what it
// says as JSON to stdout. Of several in a file it is the first, which is the holder's own.

import { X509Certificate } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { guard, writeLine } from './guard.mjs';

/** @type {import('./read-document.js').TextLimits} */
const limits = JSON.parse(process.argv[2] ?? '');
guard(limits);

const { subject, subjectAltName, issuer, serialNumber, validTo } = new X509Certificate(
  await buffer(process.stdin),
);
/** Returns a part of the holder's name. @param {string} name */
const partOf = (name) => new RegExp(`^${name}=(.+)$`, 'm').exec(subject)?.[1] ?? null;
const names = [subject, subjectAltName, issuer].filter(Boolean).join('\n').slice(0, limits.characters);
writeLine({
  page: 1,
  parts: names.split('\n').map((line) => [line, '\n', 100]),
  codes: [],
  stated: {
    expires: new Date(validTo).toISOString().slice(0, 10),
    number: serialNumber,
    holder: partOf('CN') ?? partOf('O'),
  },
});
