import { codeOf } from '../../src/sign-in/factors/totp.js';
import type { Browser } from './support.js';

/** Reads a secret as apps do (base32). */
export const secretOf = (shown: string): Buffer => {
  const bits = [...shown]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Returns the code that an app shows at a time. */
export const codeAt = (secret: Buffer, now: Date): string =>
  codeOf(secret, Math.floor(now.getTime() / 30_000));

/** Sets up the app of a user who is signed in, and lets its first code pass. */
export async function setUpApp(browser: Browser): Promise<{ secret: Buffer; recovery: string[] }> {
  const { clock } = browser.gateway;
  const { data } = await browser.graphql('mutation { beginTotp { secret uri } }');
  const secret = secretOf(data.beginTotp.secret);
  const confirm = 'mutation ($code: String!) { confirmTotp(code: $code) }';
  const { data: confirmed } = await browser.graphql(confirm, { code: codeAt(secret, clock.now) });
  clock.now = new Date(clock.now.getTime() + 60_000);
  return { secret, recovery: confirmed.confirmTotp };
}
