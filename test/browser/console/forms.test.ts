import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const createVehicle = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
const changeVehicle =
  'mutation($id: ID!, $input: UpdateVehicleInput!) { updateVehicle(id: $id, input: $input) { id } }';
const readVehicle = 'query($id: ID!) { vehicle(id: $id) { name licensePlate color make year } }';
const createContact = 'mutation($input: CreateContactInput!) { createContact(input: $input) { id } }';
const changeContact =
  'mutation($id: ID!, $input: UpdateContactInput!) { updateContact(id: $id, input: $input) { id } }';

const createItem =
  'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
const changeItem =
  'mutation($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }';
const readItem =
  'query($id: ID!) { expirationItem(id: $id) { name timeOfDay isMissing reminderMode isActive } }';

describeInBrowser("the console's forms", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const addVehicle = async (input: object) =>
    (await at.gateway.graphql(createVehicle, { input })).data.createVehicle.id as string;
  const vehicle = async (id: string) => (await at.gateway.graphql(readVehicle, { id })).data.vehicle;

  /** Counts the writes that a page sends. */
  function writesOf(page: Page) {
    const writes: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (request.url().endsWith('/graphql') && body.includes('"input"')) writes.push(body);
    });
    return writes;
  }

  test('tell what the gateway would refuse, before they are sent', () =>
    at.inConsole('/vehicles/new', async (page) => {
      const writes = writesOf(page);
      const save = () => page.click('button[type=submit]');
      await page.fill('label:text-is("Licence plate") + input', 'AB 1234');
      await save();
      expect(await page.innerText('.wrong')).toBe('is required');
      await page.fill('label:text-is("Name") + input', 'x'.repeat(256));
      await save();
      expect(await page.innerText('.wrong')).toBe('has more than 255 characters');
      await page.fill('label:text-is("Name") + input', '🚚'.repeat(255));
      await page.fill('label:text-is("Year") + input', '3000000000');
      await save();
      expect(await page.innerText('.wrong')).toMatch(/^is not between -2,147,483,648 and 2,147,483,647$/);
      expect(writes).toEqual([]);
      await page.fill('label:text-is("Year") + input', '2020');
      await save();
      await page.waitForURL(/\/vehicles\/[0-9a-f-]{36}$/);
      expect(writes).toHaveLength(1);
    }));

  test('say that nothing is found where records are chosen', () =>
    at.inConsole('/items/new', async (page) => {
      const type = page.getByRole('combobox', { name: 'Document type' });
      await type.fill('no such type');
      await page.locator('.options').getByRole('status').getByText('Nothing found').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'nothing-to-choose');
      await type.press('Enter');
      await type.fill('driver');
      await page.getByRole('listbox', { name: 'Document type' }).waitFor();
      expect(await barriers(page)).toEqual([]);
    }));

  test('say what somebody else has changed meanwhile, and keep both', async () => {
    const id = await addVehicle({ name: 'Van', color: 'white', make: 'Ford' });
    await at.inConsole(`/vehicles/${id}?edit=1`, async (page) => {
      await page.fill('label:text-is("Colour") + input', 'blue');
      await at.gateway.graphql(changeVehicle, { id, input: { make: 'Opel' } });
      await page.waitForSelector('form [role=alert]');
      expect(await page.innerText('form [role=alert] dl')).toMatch(/^Make\s+now “Opel”$/);
      await page.click('button:has-text("Keep mine")');
      await page.click('button[type=submit]');
      await page.waitForSelector('.event:has-text("Colour")');
      expect(await vehicle(id)).toMatchObject({ color: 'blue', make: 'Opel' });
    });
  });

  test('ask nothing about what both have changed alike', async () => {
    const id = await addVehicle({ name: 'Bus', color: 'white' });
    await at.inConsole(`/vehicles/${id}?edit=1`, async (page) => {
      await page.fill('label:text-is("Colour") + input', 'blue');
      await page.fill('label:text-is("Make") + input', 'MAN');
      await at.gateway.graphql(changeVehicle, { id, input: { color: 'blue' } });
      await page.waitForSelector('.event:has-text("Colour")');
      expect(await page.locator('form [role=alert]').count()).toBe(0);
      await page.click('button[type=submit]');
      await page.waitForSelector('.event:has-text("Make")');
      expect(await vehicle(id)).toMatchObject({ color: 'blue', make: 'MAN' });
    });
  });

  test('forget none of the fields of an item that somebody else has changed', async () => {
    const input = { name: 'Passport', expirationDate: '2030-01-31' };
    const id = (await at.gateway.graphql(createItem, { input })).data.createExpirationItem.id;
    await at.inConsole(`/items/${id}?edit`, async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Passports');
      const others = {
        timeOfDay: '07:30',
        isMissing: true,
        reminderMode: 'OFF',
        tags: [{ name: 'travel' }],
        customFields: [{ name: 'Number', value: 'X-1' }],
      };
      await at.gateway.graphql(changeItem, { id, input: others });
      await page.waitForSelector('form [role=alert]');
      await picture(page, 'item-conflict');
      const told = await page.innerText('form [role=alert] dl');
      for (const part of ['Tags', 'travel', 'Number: X-1', '07:30', 'missing', 'Do not send reminders'])
        expect(told).toContain(part);
      await page.click('button:has-text("Keep mine")');
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('h1:has-text("Passports")');
      expect((await at.gateway.graphql(readItem, { id })).data.expirationItem).toMatchObject({
        name: 'Passports',
        timeOfDay: '07:30',
        isMissing: true,
        reminderMode: 'OFF',
      });
    });
  });

  test('are sent again when what has changed meanwhile is none of their fields', async () => {
    const input = { name: 'Permit', expirationDate: '2030-01-31' };
    const id = (await at.gateway.graphql(createItem, { input })).data.createExpirationItem.id;
    await at.inConsole(`/items/${id}?edit`, async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Permits');
      // Archiving changes the item, and is no field of the form.
      await at.gateway.graphql(changeItem, { id, input: { isActive: false } });
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('h1:has-text("Permits")');
      expect((await at.gateway.graphql(readItem, { id })).data.expirationItem).toMatchObject({
        name: 'Permits',
        isActive: false,
      });
    });
  });

  test('are followed by a history that says what has changed, for every kind', async () => {
    const id = await addVehicle({ name: 'Lorry', licensePlate: 'AB 1' });
    await at.gateway.graphql(changeVehicle, { id, input: { licensePlate: 'AB 2' } });
    await at.inConsole(`/vehicles/${id}`, (page) =>
      page.waitForSelector('.event:has-text("plate: “AB 1” → “AB 2”")').then(() => {}),
    );
    const input = { name: 'Ada', email: 'ada.forms@example.com', phone: '1' };
    const contact = (await at.gateway.graphql(createContact, { input })).data.createContact.id;
    await at.gateway.graphql(changeContact, { id: contact, input: { phone: '2' } });
    await at.inConsole(`/contacts/${contact}`, (page) =>
      page.waitForSelector('.event:has-text("Phone: “1” → “2”")').then(() => {}),
    );
  });
});
