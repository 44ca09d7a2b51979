import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateTurns } from '../../../src/compliance/turns.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const prepare = `mutation($type: CreateCategoryInput!, $requirement: CreateRequirementInput!, $ann: CreateContactInput!,
  $bo: CreateContactInput!, $one: CreateVehicleInput!, $two: CreateVehicleInput!, $three: CreateVehicleInput!) {
  type: createCategory(input: $type) { id } requirement: createRequirement(input: $requirement) { id }
  ann: createContact(input: $ann) { id } bo: createContact(input: $bo) { id }
  one: createVehicle(input: $one) { id } two: createVehicle(input: $two) { id } three: createVehicle(input: $three) { id }
  createSuppression(input: { address: "bo@example.org" }) { id } }`;

describeInBrowser('asking for documents in the console', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let ids: Readonly<Record<'one' | 'ann' | 'type', { id: string }>>;
  beforeAll(async () => {
    at = await openConsole();
    const { data, errors } = await at.gateway.graphql(prepare, {
      type: { id: 'a0000000-0000-4000-8000-000000000001', name: 'Tachograph check' },
      requirement: {
        name: 'Tachographs',
        holderKind: 'VEHICLE',
        anyOf: ['a0000000-0000-4000-8000-000000000001'],
      },
      ann: { id: 'a0000000-0000-4000-8000-000000000002', name: 'Ann Lee', email: 'ann@example.org' },
      bo: { id: 'a0000000-0000-4000-8000-000000000003', name: 'Bo Berg', email: 'bo@example.org' },
      one: { name: 'Asked 1', assignedToContactId: 'a0000000-0000-4000-8000-000000000002' },
      two: { name: 'Asked 2', assignedToContactId: 'a0000000-0000-4000-8000-000000000003' },
      three: { name: 'Asked 3' },
    });
    expect(errors).toBeUndefined();
    ids = data;
    await evaluateTurns(at.gateway.database, () => at.gateway.clock.now);
  }, browserTimeout);
  afterAll(() => at?.close());

  const made = async (filter: object = {}) =>
    (
      await at.gateway.graphql(
        `query($filter: DocumentRequestFilter) { documentRequests(filter: $filter) { nodes {
          id state renews message language dueOn email recipient { name } category { name } item { name } } } }`,
        { filter },
      )
    ).data.documentRequests.nodes;
  /** Takes pictures of a dialog on a phone and a large screen, light and dark. */
  async function pictures(page: Page, name: string) {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `${name}-${width}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  test("a missing document is asked for on the vehicle's page, of its contact", () =>
    at.inConsole(`/vehicles/${ids.one.id}`, async (page) => {
      await page.waitForSelector('.itemline:has-text("Tachographs") button:has-text("Ask for it")');
      await pictures(page, 'asking-papers');
      await page.click('.itemline:has-text("Tachographs") button:has-text("Ask for it")');
      await page.waitForSelector('dialog .askedpreview:has-text("1 mail will be sent")');
      await page.waitForSelector('dialog .askedpreview:has-text("ann@example.org")');
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Message').fill('Both sides, please.');
      await page.locator('dialog select').selectOption('de');
      await pictures(page, 'asking-one');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toast:has-text("Asked for 1 document")');
      expect(await made({ vehicleId: ids.one.id })).toEqual([
        expect.objectContaining({
          state: 'OPEN',
          renews: false,
          message: 'Both sides, please.',
          language: 'de',
          dueOn: null,
          recipient: { name: 'Ann Lee' },
          category: { name: 'Tachograph check' },
        }),
      ]);
      await page.click('.itemline:has-text("Tachographs") a:has-text("Asked")');
      await page.waitForSelector('h1:has-text("Tachograph check")');
      await page.waitForSelector('.fact:has-text("Both sides, please.")');
    }));

  test('rows of the matrix are asked for at once, and the preview says who gets no mail', () =>
    at.inConsole('/compliance?kind=VEHICLE&q=Asked', async (page) => {
      await page.waitForSelector('[role=row] .matrixcell:has-text("Asked 3")');
      await page.focus('[role=grid]');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Space');
      await page.waitForSelector('.bulkbar');
      for (const name of ['Asked 1', 'Asked 2', 'Asked 3'])
        await page.check(`input[aria-label="Select ${name}"]`);
      await pictures(page, 'asking-matrix');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.click('.bulkbar button:has-text("Ask for documents")');
      await page.waitForSelector('dialog .askedpreview .badge:has-text("Gets no mails")');
      const preview = page.locator('dialog .askedpreview');
      const text = await preview.innerText();
      for (const words of ['Ann Lee', 'Bo Berg', 'Tachographs · Asked 2', 'Tachographs · Asked 3'])
        expect(text).toContain(words);
      expect(text).toMatch(/1 mail will be sent/);
      expect(await barriers(page)).toEqual([]);
      await pictures(page, 'asking-many');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog .note:has-text("could not be asked for")');
      // Who was asked before is not asked again.
      await page.waitForSelector('dialog:has-text("1 was asked for before")');
      expect(await made({ vehicleId: ids.one.id })).toHaveLength(1);
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button:has-text("Close")');
    }));

  test('an item is asked for of an address, and a wrong one is said', async () => {
    const add = 'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
    const input = { name: 'Insurance of the office', expirationDate: '2031-01-01' };
    const { id } = (await at.gateway.graphql(add, { input })).data.createExpirationItem;
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.click('.standing button:has-text("Ask for it")');
      await page.waitForSelector('dialog .askedpreview .note:has-text("Nobody to ask")');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog .wrong:has-text("Say who is to be asked.")');
      const to = page.getByRole('combobox', { name: 'To', exact: true });
      await to.fill('cy.example.org');
      await page.click('[role=option]:has-text("cy.example.org")');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog .wrong:has-text("no e-mail address")');
      await page.click('dialog .tag button');
      await to.fill('cy@example.org');
      await page.click('[role=option]:has-text("cy@example.org")');
      await page.waitForSelector('dialog .askedpreview:has-text("1 mail will be sent")');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toast:has-text("Asked for 1 document")');
      expect(await made({ itemId: id })).toEqual([
        expect.objectContaining({ renews: true, email: 'cy@example.org', item: { name: input.name } }),
      ]);
    });
  });

  test('requests are listed by how far they have come, sent again, declined with a reason, and ended', async () => {
    const { prisma } = at.gateway.database;
    const ask =
      'mutation($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
    const asked = async (email: string, data: object) => {
      const outcome = await at.gateway.graphql(ask, { input: { categoryId: ids.type.id, email } });
      const { id } = outcome.data.createDocumentRequest;
      await prisma.documentRequest.update({ where: { id }, data });
    };
    await asked('late@example.org', { dueOn: new Date('2026-01-01') });
    const receivedAt = at.gateway.clock.now;
    await asked('answered@example.org', { state: 'RECEIVED', answer: 'I do not have it.', receivedAt });
    await at.inConsole('/requests', async (page) => {
      await page.waitForSelector('tbody tr:has-text("late@example.org")');
      expect(await page.locator('tbody tr:has-text("answered@example.org")').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await pictures(page, 'requests-list');
      await page.click('.tabs button:has-text("Overdue")');
      await page.waitForFunction(() => document.querySelectorAll('tbody th a').length === 1);
      expect(new URL(page.url()).search).toBe('?state=overdue');
      await page.click('tbody th a');
      await page.waitForSelector('.head .badge:has-text("Overdue")');
      await page.waitForSelector('.event:has-text("added this")');
      expect(await barriers(page)).toEqual([]);
      await pictures(page, 'requests-one');
      await page.click('button:has-text("Send again")');
      await page.waitForSelector('.toast:has-text("will be sent again")');
      await page.click('.head button:has-text("Cancel the request")');
      await page.click('dialog button:has-text("Cancel the request")');
      await page.waitForSelector('.head .badge:has-text("Ended")');
      await page.waitForSelector('.note:has-text("Somebody cancelled it.")');
      expect(await page.locator('.head button').count()).toBe(0);
      await page.click('.crumb a');
      await page.click('.tabs button:has-text("Received")');
      await page.click('tbody tr:has-text("answered@example.org") th a');
      await page.waitForSelector('.card:has-text("I do not have it.")');
      await page.click('button:has-text("Send back")');
      await page.fill('dialog textarea', 'Please ask your insurer.');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.note:has-text("Sent back: Please ask your insurer.")');
      await page.waitForSelector('.head .badge:has-text("Mail on its way")');
    });
    expect(await made({ state: 'CANCELLED' })).toHaveLength(1);
  });
});
