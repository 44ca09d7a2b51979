import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { password } from '../../sign-in/support.js';
import type { TestGateway } from '../../support/gateway.js';

/** Returns the address of a gateway at which browsers allow passkeys. */
export const localAddress = ({ url }: TestGateway): string => url.replace('127.0.0.1', 'localhost');

/** Signs in with the password, and opens a part of the settings. */
export async function enterSettings(page: Page, gateway: TestGateway, email: string, part: string) {
  const address = localAddress(gateway);
  await page.goto(`${address}/settings/${part}`);
  const answer = await page.request.post(`${address}/session/password`, {
    headers: { 'X-Requested-With': 'console', 'Sec-Fetch-Site': 'same-origin' },
    data: { email, password },
  });
  expect(answer.status()).toBe(200);
  await page.reload();
  await page.waitForSelector('.tabs [aria-current]');
}
