import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signatureProblem } from '../../src/http/auth/auth.js';
import { filestack } from '../support/signatures.js';

const now = new Date('2026-11-20T09:30:00.000Z');
const timestamp = '1795167000';
const secret = 'egs_independent-secret';
const at = (seconds: string) => new Date(Number(seconds) * 1_000);

describe('the signature of', () => {
  test.each(filestack)('$source', ({ secret, body, ...signed }) => {
    const message = { ...signed, body: Buffer.from(body) };
    expect(signatureProblem(secret, message, at(signed.timestamp))).toBeUndefined();
  });

  // Made with Python's hmac.
  test.each([
    ['nothing', '', 'ede1d872c2eeda46df4ec662cadbe85b001983cb8a99e471de07fd44d6c63be6'],
    [
      'UTF-8',
      '{"text":{"filename":"Führerschein ✓.pdf"}}',
      'd0b09e7735cec28639c08aaaf789ffdb6831fac0d8a0966fff8a0d79b7968d22',
    ],
    [
      'bytes that are no text',
      Uint8Array.of(0xff, 0, 0xfe, 10),
      '3748bff778830fea45ae1486b733c41016b6b6a89d4d55df36002fe455629dac',
    ],
  ])('%s', (_, body, signature) => {
    const bytes = Buffer.from(body as string);
    expect(signatureProblem(secret, { signature, timestamp, body: bytes }, now)).toBeUndefined();
    const upper = signature.toUpperCase();
    expect(signatureProblem(secret, { signature: upper, timestamp, body: bytes }, now)).toBeUndefined();
  });
});

const arbitraryMessage = fc.record({
  secret: fc.string({ minLength: 1 }),
  body: fc.uint8Array({ maxLength: 100 }),
  seconds: fc.nat(4_000_000_000),
});

function sign(secret: string, seconds: number | string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
}

test('every message signed with the secret is valid, and none with a changed byte or bit', () => {
  fc.assert(
    fc.property(arbitraryMessage, fc.nat(), fc.integer({ min: 1, max: 255 }), (message, place, flip) => {
      const { secret, body, seconds } = message;
      const signature = sign(secret, seconds, body);
      const signed = { signature, timestamp: String(seconds), body };
      const problem = (changes: object, by = secret) =>
        signatureProblem(by, { ...signed, ...changes }, at(signed.timestamp));
      expect(problem({})).toBeUndefined();
      expect(problem({}, `${secret}x`)).toMatch(/^`FS-Signature` is not/);
      expect(problem({ timestamp: String(seconds + 1) })).toMatch(/^`FS-Signature` is not/);
      expect(problem({ body: Buffer.concat([body, Buffer.of(flip)]) })).toMatch(/^`FS-Signature` is not/);
      const other = Buffer.from(signature, 'hex');
      other[place % 32] = (other[place % 32] ?? 0) ^ flip;
      expect(problem({ signature: other.toString('hex') })).toMatch(/^`FS-Signature` is not/);
    }),
  );
});

test('the time may be off by 5 minutes either way, but no more', () => {
  fc.assert(
    fc.property(fc.integer({ min: -400_000, max: 400_000 }), (off) => {
      const body = Buffer.from('{}');
      const signed = { signature: sign(secret, timestamp, body), timestamp, body };
      const problem = signatureProblem(secret, signed, new Date(now.getTime() + off));
      if (Math.abs(off) <= 300_000) expect(problem).toBeUndefined();
      else expect(problem).toBe('`FS-Timestamp` is more than 5 minutes off.');
    }),
    { examples: [[300_000], [-300_000], [300_001], [-300_001]] },
  );
});

describe('refuses', () => {
  const body = Buffer.from('{}');
  const signature = sign(secret, timestamp, body);

  test.each<[string, object, RegExp]>([
    ['no signature', { signature: null }, /`FS-Signature` is missing/],
    ['an empty signature', { signature: '' }, /`FS-Signature` is missing/],
    ['no time', { timestamp: null }, /`FS-Timestamp` is missing/],
    ['an empty time', { timestamp: '' }, /`FS-Timestamp` is missing/],
    ['milliseconds', { timestamp: `${timestamp}000` }, /seconds/],
    ['a fraction', { timestamp: `${timestamp}.0` }, /seconds/],
    ['a sign', { timestamp: `+${timestamp}` }, /seconds/],
    ['a space', { timestamp: `${timestamp} ` }, /seconds/],
    ['an exponent', { timestamp: '1e9' }, /seconds/],
    ['a date', { timestamp: now.toISOString() }, /seconds/],
    ['two times', { timestamp: `${timestamp}, ${timestamp}` }, /seconds/],
    ['two signatures', { signature: `${signature}, ${signature}` }, /64 hexadecimal/],
    ['base64', { signature: Buffer.from(signature, 'hex').toString('base64') }, /64 hexadecimal/],
    ['a prefix', { signature: `sha256=${signature}` }, /64 hexadecimal/],
    ['too short a signature', { signature: signature.slice(2) }, /64 hexadecimal/],
    ['too long a signature', { signature: `${signature}00` }, /64 hexadecimal/],
    ['a signature that is no hexadecimal', { signature: `${signature.slice(1)}g` }, /64 hexadecimal/],
  ])('%s, without a word of the right one', (_, changes, message) => {
    const problem = signatureProblem(secret, { signature, timestamp, body, ...changes }, now);
    expect(problem).toMatch(message);
    expect(problem).not.toContain(signature);
  });
});
