import { describe, expect, test } from 'vitest';
import {
  documentType,
  plainFileName,
  type RequestStep,
  requestStates,
  stateAfter,
  statesBefore,
} from '../../src/domain/document-requests.js';

const steps: Record<RequestStep, string[]> = {
  sent: ['OPEN>SENT'],
  opened: ['SENT>OPENED'],
  received: ['OPEN>RECEIVED', 'SENT>RECEIVED', 'OPENED>RECEIVED', 'RECEIVED>RECEIVED'],
  accepted: ['RECEIVED>ACCEPTED'],
  declined: ['RECEIVED>OPEN'],
  resent: ['OPEN>OPEN', 'SENT>OPEN', 'OPENED>OPEN', 'LAPSED>OPEN'],
  cancelled: [
    'OPEN>CANCELLED',
    'SENT>CANCELLED',
    'OPENED>CANCELLED',
    'RECEIVED>CANCELLED',
    'LAPSED>CANCELLED',
  ],
  lapsed: ['OPEN>LAPSED', 'SENT>LAPSED', 'OPENED>LAPSED'],
};

test.each(Object.entries(steps) as [RequestStep, string[]][])(
  'a request is %s only from some states',
  (step, known) => {
    const found = requestStates.flatMap((state) => {
      const next = stateAfter(state, step);
      return next ? [`${state}>${next}`] : [];
    });
    expect(found).toEqual(known);
    expect(statesBefore(step)).toEqual(known.map((one) => one.split('>')[0]));
  },
);

describe('a file is what its bytes are', () => {
  const ascii = (text: string) => Buffer.from(text, 'latin1');
  test.each([
    ['application/pdf', ascii('%PDF-1.7\n')],
    ['image/jpeg', ascii('\xff\xd8\xff\xe0')],
    ['image/png', ascii('\x89PNG\r\n\x1a\n')],
    ['image/webp', ascii('RIFF\0\0\0\0WEBP')],
    ['image/heic', ascii('\0\0\0\x18ftypheic')],
    [undefined, ascii('PK\x03\x04')],
    [undefined, ascii('<svg xmlns="http://www.w3.org/2000/svg">')],
    [undefined, ascii('<!doctype html><script>')],
    [undefined, ascii('\0\0\0\x18ftypisom')],
    [undefined, ascii('')],
  ])('%s', (type, bytes) => expect(documentType(bytes)).toBe(type));
});

test('a file name has no folders, and nothing that changes how it is shown', () => {
  expect(plainFileName('../../etc/passwd')).toBe('passwd');
  expect(plainFileName('C:\\papers\\card.pdf')).toBe('card.pdf');
  expect(plainFileName('card\u202efdp.exe\0\n')).toBe('cardfdp.exe');
  expect(plainFileName('x'.repeat(500))).toHaveLength(200);
});
