import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const prepare = `mutation($vehicle: CreateVehicleInput!, $type: CreateCategoryInput!) {
  vehicle: createVehicle(input: $vehicle) { id } type: createCategory(input: $type) { id } }`;

describeInBrowser("the console's papers of records", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  test('a requirement is added, and a missing paper is filed from the page of the vehicle', async () => {
    const { data } = await at.gateway.graphql(prepare, {
      vehicle: { name: 'Truck 900', licensePlate: 'ZZ 900' },
      type: { name: 'Roadworthiness test' },
    });
    await at.inConsole('/requirements', async (page) => {
      await page.click('a:has-text("Add a requirement")');
      await page.getByLabel('Name', { exact: true }).fill('Trucks are tested');
      await page.getByLabel('Required of').selectOption('VEHICLE');
      await page.getByLabel('Document types, one of which is enough').fill('Roadworthiness');
      await page.click('[role=option]:has-text("Roadworthiness test")');
      await page.click('button[type=submit]');
      await page.waitForSelector('h1:has-text("Trucks are tested")');
      expect(await barriers(page)).toEqual([]);
    });
    await at.inConsole(`/vehicles/${data.vehicle.id}`, async (page) => {
      await page.waitForSelector('.badge:has-text("Not compliant")');
      await page.waitForSelector('.itemline:has-text("Trucks are tested") .badge:has-text("Missing")');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'papers');
      await page.click('.itemline:has-text("Trucks are tested") a:has-text("Add a document")');
      await page.waitForSelector('.combo .tag:has-text("Truck 900")');
      await page.fill('input[type=date]', '2031-05-01');
      await page.getByLabel('Name', { exact: true }).fill('Test of truck 900');
      await page.click('button[type=submit]');
      await page.waitForSelector('h1:has-text("Test of truck 900")');
      await page.click('a:has-text("Truck 900")');
      await page.waitForSelector('.badge:has-text("Complete")');
      await page.waitForSelector('.itemline:has-text("Trucks are tested") .badge:has-text("Valid")');
      await page.click('a:has-text("See 1")');
      await page.waitForSelector('tbody th a:has-text("Test of truck 900")');
      expect(await page.locator('tbody tr').count()).toBe(1);
    });
  });

  test('an item of more records than its page shows keeps them all when it is edited', async () => {
    const holders: object[] = [];
    for (let bus = 0; bus < 101; bus++) {
      const { json } = await at.gateway.send('POST', '/v1/vehicles', { body: { name: `Bus ${bus}` } });
      holders.push({ kind: 'VEHICLE', id: json.id });
    }
    const add = 'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
    const input = { name: 'Fleet insurance 9', expirationDate: '2031-01-01' };
    const { id } = (await at.gateway.graphql(add, { input })).data.createExpirationItem;
    const hold = 'mutation($id: ID!, $input: HoldersInput!) { addHolders(id: $id, input: $input) { id } }';
    await at.gateway.graphql(hold, { id, input: { holders } });
    await at.inConsole(`/items/${id}?edit`, async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Fleet insurance 10');
      expect(await page.getByLabel('Document of').count()).toBe(0);
      await page.click('button[type=submit]');
      await page.waitForSelector('h1:has-text("Fleet insurance 10")');
    });
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.click('.holderline a:has-text("and 98 others")');
      for (const shown of [20, 40, 60, 80, 100]) {
        await page.waitForSelector(`#holders .listfoot:has-text("${shown} of 101")`);
        expect(await page.locator('#holders li').count()).toBe(shown);
        await page.click('#holders .listfoot button');
      }
      await page.waitForSelector('#holders .listfoot:has-text("101 of 101")');
      expect(await page.locator('#holders .listfoot button').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'holders');
    });
    const count = 'query($id: ID!) { expirationItem(id: $id) { holders(first: 1) { totalCount } } }';
    expect((await at.gateway.graphql(count, { id })).data.expirationItem.holders.totalCount).toBe(101);
  });
});
