import { describe, expect, test } from 'vitest';
import { largestLogo, readLogo } from '../../src/mail/logo.js';
import { jpeg, png } from './logo.support.js';

const url = (bytes: Uint8Array, type = 'png') =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

describe('a logo', () => {
  test('is a PNG or JPEG picture', () => {
    expect(readLogo(url(png(120, 40)))).toMatchObject({ type: 'png', width: 120, height: 40 });
    expect(readLogo(url(jpeg(300, 200), 'jpeg'))).toMatchObject({ type: 'jpeg', width: 300, height: 200 });
  });

  const whole = png(8, 8);
  const noise = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  test.each([
    ['an SVG', url(noise, 'svg+xml'), 'must be a data URL'],
    ['an address', 'https://example.com/logo.png', 'must be a data URL'],
    ['a script', 'data:text/html;base64,AAAA', 'must be a data URL'],
    ['what is no base64', 'data:image/png;base64,@@@', 'must be a data URL'],
    ['what is no picture', url(noise), 'must be a whole PNG picture'],
    ['a picture that ends early', url(whole.subarray(0, -13)), 'must be a whole PNG picture'],
    ['a picture with something behind it', url(Buffer.concat([whole, noise])), 'must be a whole PNG picture'],
    [
      'a picture with a wrong checksum',
      url(whole.map((byte, at) => (at === 20 ? byte ^ 1 : byte))),
      'whole PNG',
    ],
    ['a picture of another format', url(whole, 'jpeg'), 'must be a whole JPEG picture'],
    ['a JPEG that ends early', url(jpeg(8, 8).subarray(0, -2), 'jpeg'), 'must be a whole JPEG picture'],
    ['a picture without pixels', url(png(0, 8)), 'must be a whole PNG picture'],
    ['a bomb', url(png(30_000, 30_000)), 'must be at most 1000 pixels wide and high, and is 30000 × 30000'],
    ['a wide JPEG', url(jpeg(65_535, 1), 'jpeg'), 'must be at most 1000 pixels'],
    ['a large file', url(Buffer.alloc(largestLogo + 1)), 'must have at most 100000 bytes'],
  ])('is not %s', (_what, given, message) => {
    expect(readLogo(given)).toContain(message);
  });

  test('cut anywhere, or with any byte changed, never fails otherwise', () => {
    for (const [bytes, type] of [
      [whole, 'png'],
      [jpeg(8, 8), 'jpeg'],
    ] as const) {
      for (let at = 0; at < bytes.length; at++) {
        expect(typeof readLogo(url(bytes.subarray(0, at), type))).toBe('string');
        readLogo(
          url(
            bytes.map((byte, place) => (place === at ? 255 - byte : byte)),
            type,
          ),
        );
      }
    }
  });
});
