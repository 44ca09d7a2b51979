import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver, startSending } from '../../webhooks/support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const key = '5a'.repeat(32);

describeInBrowser('the settings of webhooks and channels', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let receiver: Receiver;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    receiver = await startReceiver();
    at = await openConsole({
      ...{ SECRET_KEY: key, WEBHOOK_PRIVATE_HOSTS: receiver.host, NOTIFY_HOSTS: receiver.host },
    });
    stop = startSending(at.gateway, receiver);
  }, browserTimeout);
  afterAll(async () => {
    await stop?.();
    await at?.close();
    receiver?.close();
  });
  const refuse = (status: number, text: string) => {
    receiver.answer = (_request, response) => response.writeHead(status).end(text);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('an administrator adds one, tests it, sees what was sent, and sends it again', () =>
    at.inConsole('/settings/webhooks', async (page) => {
      await page.waitForSelector('.empty');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'webhooks-empty');
      await button(page, 'New webhook').click();
      const dialog = page.locator('dialog');
      await dialog.getByLabel('Name').fill('Stock');
      await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
      await dialog.locator('button[type=submit]').click();
      await dialog.locator('.wrong').waitFor();
      expect(await dialog.innerText()).toMatch(/not an IP address/);
      await dialog.getByLabel('Address').fill(`http://${receiver.host}/hook`);
      await dialog.getByLabel('Events').fill('vehicle.*\ntag.created');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'webhooks-new');
      await dialog.locator('button[type=submit]').click();
      await dialog.getByText('whsec_').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Messages: Stock' }).click();
      refuse(500, 'out of order');
      await button(page, 'Send a test').click();
      await page.waitForSelector('dialog [role=alert]');
      expect(await page.innerText('dialog [role=alert]')).toMatch(
        /did not accept the test\. 500\s+out of order/,
      );
      refuse(204, '');
      await button(page, 'Send a test').click();
      await page.waitForSelector('dialog [role=status]:has-text("accepted the test (204")');
      await page.keyboard.press('Escape');
      refuse(404, 'unknown');
      await at.gateway.send('POST', '/v1/vehicles', { body: { name: 'Van 7' } });
      await expect
        .poll(() => receiver.at('/hook').filter(({ type }) => type === 'vehicle.created'))
        .toHaveLength(1);
      await page.getByRole('button', { name: 'Messages: Stock' }).click();
      await page.locator('summary', { hasText: 'vehicle.created' }).click();
      await page.getByText('Attempt 1').waitFor();
      expect(await page.innerText('dialog')).toMatch(/404[\s\S]*unknown[\s\S]*"type": "vehicle.created"/);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'webhooks-messages');
      refuse(204, '');
      await button(page, 'Send again').click();
      await expect
        .poll(() => receiver.at('/hook').filter(({ type }) => type === 'vehicle.created'))
        .toHaveLength(2);
      await button(page, 'New secret').click();
      await page.locator('dialog').getByText('whsec_').waitFor();
      await page.keyboard.press('Escape');
      await button(page, 'Pause').click();
      await button(page, 'Turn on').waitFor();
      await page.keyboard.press('Escape');
      await page.waitForSelector('.badge:has-text("Paused")');
      await page.setViewportSize({ width: 360, height: 720 });
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'webhooks-phone');
      await page.getByRole('button', { name: 'Delete: Stock' }).click();
      await page.locator('dialog button.bad').click();
      await page.waitForSelector('.empty');
    }));

  test('an administrator adds a chat channel, tests it, and chooses it in a reminder policy', async () => {
    await at.inConsole('/settings/channels', async (page) => {
      await page.waitForSelector('.empty');
      await button(page, 'New channel').click();
      const dialog = page.locator('dialog');
      await dialog.getByLabel('Name').fill('Garage');
      await dialog.getByLabel('Service').selectOption('NTFY');
      await dialog.getByLabel('Address').fill(`http://${receiver.host}/garage`);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'channels-new');
      await dialog.locator('button[type=submit]').click();
      await page.waitForSelector('tbody');
      refuse(403, 'forbidden');
      await page.getByRole('button', { name: 'Send a test: Garage' }).click();
      await page.waitForSelector('dialog [role=alert]');
      expect(await page.innerText('dialog [role=alert]')).toMatch(/answered 403.*It said: forbidden/);
      await page.keyboard.press('Escape');
      refuse(200, '');
      await page.getByRole('button', { name: 'Send a test: Garage' }).click();
      await page.waitForSelector('dialog [role=status]');
      expect(receiver.received.at(-1)).toMatchObject({
        path: '/garage',
        headers: { title: 'Messages arrive here' },
      });
      await page.keyboard.press('Escape');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'channels');
    });
    const { data } = await at.gateway.graphql('{ channels { nodes { id team { reminderPolicyId } } } }');
    const [{ id: channel, team }] = data.channels.nodes;
    const policy = team.reminderPolicyId;
    await at.inConsole(`/reminders/${policy}?edit=1`, async (page) => {
      await page.locator('details.recipients summary').first().click();
      await page.locator('details.recipients').first().getByLabel('Garage').check();
      await picture(page, 'channels-step');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForSelector('.timeline');
      const steps = async () => {
        const query = 'query ($id: ID!) { reminderPolicy(id: $id) { steps { channelIds } } }';
        return (await at.gateway.graphql(query, { id: policy })).data.reminderPolicy.steps[0].channelIds;
      };
      await expect.poll(steps).toEqual([channel]);
    });
  });
});
