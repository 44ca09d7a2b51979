import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateTurns } from '../../../src/compliance/turns.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

/** Vehicles of the matrix. Every third has no insurance. */
const many = 1_000;

const required = [
  'Fire extinguisher',
  'Insurance',
  'Registration',
  'Roadworthiness test',
  'Tachograph check',
];

describeInBrowser("the console's matrix of compliance", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  const evaluate = () => evaluateTurns(at.gateway.database, () => at.gateway.clock.now);
  const made = async (path: string, body: object): Promise<string> => {
    const { status, text, json } = await at.gateway.send('POST', `/v1/${path}`, { body });
    expect(status, text).toBe(201);
    return json.id;
  };
  beforeAll(async () => {
    at = await openConsole();
    // Without those of the demo, the columns are known.
    const { data } = await at.gateway.graphql('{ requirements { nodes { id } } }');
    for (const { id } of data.requirements.nodes as { id: string }[])
      expect((await at.gateway.send('DELETE', `/v1/requirements/${id}`)).status).toBeLessThan(300);
    const requirements: string[] = [];
    for (const name of required) {
      const type = await made('categories', { name: `${name} of vehicles` });
      requirements.push(await made('requirements', { name, holder_kind: 'vehicle', any_of: [type] }));
    }
    const { organizationId, teamId, database } = at.gateway;
    await database.sql(`
      WITH made AS (
        INSERT INTO vehicles (id, organization_id, team_id, name)
        SELECT gen_random_uuid(), '${organizationId}', '${teamId}', 'Truck ' || lpad(n::text, 4, '0')
        FROM generate_series(1, ${many}) AS n RETURNING id, name
      ), types AS (
        SELECT any_of[1] AS id, name FROM requirements WHERE id = ANY('{${requirements}}')
      ), papers AS (
        INSERT INTO expiration_items
          (id, organization_id, team_id, name, category_id, expiration_date, notify_on)
        SELECT gen_random_uuid(), '${organizationId}', '${teamId}', types.name || ' of ' || made.name, types.id, day, day - 30
        FROM made CROSS JOIN types
        CROSS JOIN LATERAL (SELECT current_date + (substr(made.name, 7)::int * 7 % 700) - 20 AS day)
        WHERE types.name <> 'Insurance' OR substr(made.name, 7)::int % 3 > 0
        RETURNING id, name
      )
      INSERT INTO item_holders (item_id, kind, holder_id, vehicle_id, position)
      SELECT papers.id, 'VEHICLE', made.id, made.id, 0
      FROM papers JOIN made ON split_part(papers.name, ' of ', 2) = made.name`);
    await made('vehicles', { name: 'Crane 7' });
    await evaluate();
  }, browserTimeout);
  afterAll(() => at?.close());

  const cell = (row: number, column: number) =>
    `[role=row][aria-rowindex="${row}"] [aria-colindex="${column}"]`;
  const columnOf = (name: string) => required.indexOf(name) + 2;
  const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

  test('has vehicles as rows and requirements as columns, the worst first', () =>
    at.inConsole('/', async (page) => {
      await page.click('.tile:has-text("Not compliant")');
      await page.waitForSelector('[role=grid]');
      expect(new URL(page.url()).search).toBe('?state=NON_COMPLIANT');
      const heads = await page.locator('[role=columnheader]').allInnerTexts();
      expect(heads.map((text) => text.trim())).toEqual(['Vehicles', ...required]);
      await page.waitForSelector(`${cell(2, 1)}:has-text("Not compliant")`);
      expect(await barriers(page)).toEqual([]);
      // A number is a link to what it counts.
      const tile = page.locator('.tile:has-text("Due soon"), .tile:has-text("due soon")').first();
      const count = Number(await tile.locator('.figure').innerText());
      await tile.click();
      await page.waitForSelector(`${cell(2, 1)}:has-text("Due soon")`);
      await page.waitForSelector(`.listfoot:has-text("of ${count}")`);
    }));

  test('scrolls through a thousand rows, with those near the window on the page', () =>
    at.inConsole('/compliance?kind=VEHICLE', async (page) => {
      await page.waitForSelector(cell(2, 2));
      const total = Number(/of ([\d,]+)/.exec(await page.innerText('.listfoot'))?.[1]?.replace(',', ''));
      expect(total).toBeGreaterThanOrEqual(many);
      const took: number[] = [];
      let most = 0;
      for (let loaded = 0; loaded < many; ) {
        took.push(
          await page.evaluate(async () => {
            const grid = document.querySelector('[role=grid]') as HTMLElement;
            const began = performance.now();
            grid.scrollTop = grid.scrollHeight;
            await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
            return performance.now() - began;
          }),
        );
        most = Math.max(most, await nodes(page));
        const before = loaded;
        await expect
          .poll(async () => {
            loaded = Number((await page.innerText('.listfoot')).replace(/,/g, '').match(/\d+/)?.[0]);
            return loaded;
          })
          .toBeGreaterThan(before);
      }
      process.stdout.write(
        `Matrix of ${many} rows: ${most} nodes, a jump takes ${took.sort((a, b) => a - b)[took.length >> 1]?.toFixed(0)} ms\n`,
      );
      expect(most).toBeLessThanOrEqual(3_000);
      // It is there again after somebody has looked at an item.
      await page.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(0, 20_000));
      await page.waitForSelector(cell(360, 1));
      const name = await page.innerText(`${cell(360, 1)} a`);
      await page.click(`${cell(360, 1)} a`);
      await page.waitForSelector(`h1:has-text("${name}")`);
      await page.goBack();
      await page.waitForSelector(`${cell(360, 1)}:has-text("${name}")`);
    }));

  test('filters are in the address, and the keyboard opens cells', () =>
    at.inConsole('/compliance?kind=VEHICLE&q=Truck+0003', async (page) => {
      await page.waitForSelector(`${cell(2, 1)}:has-text("Truck 0003")`);
      await page.focus('[role=grid]');
      for (let turn = 2; turn < columnOf('Insurance'); turn++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.combo .tag:has-text("Truck 0003")');
      await page.waitForSelector('.combo .tag:has-text("Truck 0003")');
      await page.goBack();
      await page.waitForSelector(cell(2, 2));
      await page.selectOption('select.barfield', 'COMPLIANT');
      await page.waitForSelector('main .empty');
      expect(new URL(page.url()).searchParams.get('state')).toBe('COMPLIANT');
      await page.goto(`${at.gateway.url}/compliance?kind=VEHICLE&state=WORSE&within=x`);
      await page.waitForSelector('.note:has-text("Status")');
      await page.goto(`${at.gateway.url}/compliance?kind=VEHICLE&within=30`);
      await page.waitForSelector(`${cell(2, 1)}:has-text("Due soon")`);
      await page.click('.tabs button:has-text("Companies")');
      await page.waitForSelector('main .empty h2');
    }));

  test('is saved as a file and printed as a table', () =>
    at.inConsole('/compliance?kind=VEHICLE&q=Truck+00', async (page) => {
      await page.waitForSelector(cell(2, 2));
      await page.click('.toolbar button[aria-label="More"]');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as CSV')]);
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
      expect(lines).toHaveLength(100);
      expect(lines[0]).toContain(required.join(','));
      expect(lines.join('\n')).toMatch(/Truck 0003,Not compliant,,[^\n]*Missing/);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await page.locator('.printedmatrix tbody tr').count()).toBe(99);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.side').isVisible()).toBe(false);
      await picture(page, 'compliance-printed');
      await page.emulateMedia({ media: 'screen' });
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.waitForSelector('[role=grid]');
    }));

  test.each([
    [320, 'light'],
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('fits into %i pixels, %s', (width, scheme) =>
    at.inConsole(
      '/compliance?kind=VEHICLE',
      async (page) => {
        await page.waitForSelector(width < 768 ? '.matrixcards .card' : cell(2, 2));
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        expect(await nodes(page)).toBeLessThanOrEqual(4_500);
        expect(await barriers(page)).toEqual([]);
        await picture(page, `compliance-${width}-${scheme}`);
      },
      { width, scheme },
    ),
  );

  test('a requirement, what is missing, an exemption, a document: the state turns', () =>
    at.inConsole('/requirements/new', async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Cranes are inspected');
      await page.getByLabel('Document types, one of which is enough').fill('Tachograph');
      await page.click('[role=option]:has-text("Tachograph check of vehicles")');
      await page.waitForSelector('.note:has-text("Applies to 1,0")');
      await page.getByLabel('Name or number contains').fill('Crane');
      await page.waitForSelector(
        '.note:has-text("Applies to 1 vehicle. 1 of them would not be compliant today.")',
      );
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'compliance-requirement');
      await page.click('button[type=submit]');
      await page.waitForSelector('h1:has-text("Cranes are inspected")');
      await page.waitForSelector('.badge:has-text("Only for some")');
      await evaluate();
      await page.click('a:has-text("Who does not meet it")');
      await page.waitForSelector(`${cell(2, 1)}:has-text("Crane 7")`);
      const column = 2 + [...required, 'Cranes are inspected'].sort().indexOf('Cranes are inspected');
      const its = cell(2, column);
      await page.waitForSelector(`${its}:has-text("Missing")`);
      await page.focus('[role=grid]');
      await page.keyboard.press('Home');
      for (let turn = 1; turn < column; turn++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press(' ');
      await page.waitForSelector('dialog[open]');
      await page.click('dialog button:has-text("Exempt")');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog [aria-invalid]');
      await page.getByLabel('Reason').fill('In the workshop');
      await page.getByLabel('Exempt until').fill('2039-05-01');
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button[type=submit]');
      await page.waitForSelector(`${its}:has-text("Exempt")`);
      await page.click(`${its} .matrixmore`);
      await page.waitForSelector('dialog p:has-text("In the workshop")');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'compliance-exempt');
      await page.keyboard.press('Escape');
      await page.click(`${cell(2, 1)} a`);
      await page.waitForSelector('.checkline:has-text("In the workshop")');
      await picture(page, 'compliance-checks');
      await page.click('.checkline:has-text("In the workshop") button');
      await page.click('dialog button:has-text("End the exemption")');
      await page.waitForSelector('.checkline:has-text("Cranes are inspected"):has-text("Missing")');
      await page.click('.checkline:has-text("Cranes are inspected") a:has-text("Add a document")');
      await page.waitForSelector('.combo .tag:has-text("Crane 7")');
      await page.fill('input[type=date]', '2039-05-01');
      await page.getByLabel('Name', { exact: true }).fill('Inspection of crane 7');
      await page.click('button[type=submit]');
      await page.waitForSelector('h1:has-text("Inspection of crane 7")');
      await page.goto(`${at.gateway.url}/compliance?kind=VEHICLE&q=Crane`);
      await page.waitForSelector(`${its}:has-text("Valid"):has-text("2039")`);
    }));

  test('the filter of a requirement is edited, and conditions that the form lacks stay', async () => {
    const { data } = await at.gateway.graphql('{ requirements(first: 1) { nodes { id anyOf } } }');
    const [first] = data.requirements.nodes as { anyOf: string[] }[];
    const id = await made('requirements', {
      name: 'Old trucks are tested twice',
      holder_kind: 'vehicle',
      any_of: first?.anyOf,
      applies: { year: { lte: 2001 }, term: 'Crane' },
    });
    await at.inConsole(`/requirements/${id}?edit=1`, async (page) => {
      await page.waitForSelector('.note:has-text("Applies to 0 vehicles.")');
      await page.waitForSelector('code:has-text("2001")');
      await page.getByLabel('Name or number contains').fill('Truck 00');
      await page.getByLabel('Driver').fill('e');
      await page.click('[role=option] >> nth=0');
      await page.waitForSelector('.appliesfields .combo .tag');
      await page.click('button[type=submit]');
      await page.waitForSelector('.button:has-text("Edit")');
      const stored = 'query($id: ID!) { requirement(id: $id) { applies } }';
      const { applies } = (await at.gateway.graphql(stored, { id })).data.requirement;
      expect(applies).toMatchObject({ year: { lte: 2001 }, term: 'Truck 00' });
      expect(applies.assignedToContactIds).toHaveLength(1);
    });
    await at.gateway.send('DELETE', `/v1/requirements/${id}`);
  });

  test('items that name exactly one record are linked, all or some', async () => {
    const bus = await made('vehicles', { name: 'Blue bus', license_plate: 'QX 4711' });
    await made('vehicles', { name: 'Twin bus' });
    await made('vehicles', { name: 'Twin bus' });
    const named = ['Permit of qx-4711', 'Blue bus, insurance', 'Twin bus tax', 'Bluebus tax'];
    const items: string[] = [];
    for (const name of named)
      items.push(await made('expirationitems', { name, expiration_date: '2039-01-01' }));
    await at.inConsole('/compliance?kind=VEHICLE', async (page) => {
      await page.click('button:has-text("Link items")');
      const rows = page.locator('.linkrows li');
      await page.waitForSelector('.linkrows li:has-text("Permit of qx-4711"):has-text("Blue bus")');
      const shown = (await rows.allInnerTexts()).join('\n');
      expect(shown).toContain('“qx 4711”');
      expect(shown).toContain('Blue bus, insurance');
      expect(shown).not.toContain('Twin bus tax');
      expect(shown).not.toContain('Bluebus tax');
      expect(await page.locator('.linkrows input:checked').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.check('.linkrows li:has-text("Permit of qx-4711") input');
      await picture(page, 'compliance-link');
      await page.click('dialog button:has-text("Link 1")');
      await page.waitForSelector('.toast:has-text("Linked 1 item")');
      await page.click('button:has-text("Link items")');
      await page.waitForSelector('.linkrows li:has-text("Blue bus, insurance")');
      expect(await page.locator('.linkrows li:has-text("Permit of qx-4711")').count()).toBe(0);
      await page.check('dialog label:has-text("Select") input');
      await page.click('dialog button:has-text("Link ")');
      await page.waitForSelector('dialog', { state: 'detached' });
    });
    const held =
      'query($id: ID!) { expirationItem(id: $id) { holders { nodes { ... on Vehicle { id } } } } }';
    for (const [place, id] of items.entries()) {
      const { data } = await at.gateway.graphql(held, { id });
      expect(data.expirationItem.holders.nodes, named[place]).toEqual(place < 2 ? [{ id: bus }] : []);
    }
  });

  test('whoever wants it is told by mail, of what the list shows', () =>
    at.inConsole('/compliance?kind=VEHICLE&q=Truck', async (page) => {
      await page.click('button:has-text("Be told by mail")');
      await page.waitForSelector('dialog :text("Nobody is told yet.")');
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button:has-text("Tell me")');
      await page.waitForSelector('dialog li:has-text("Vehicles")');
      await picture(page, 'compliance-watch');
      const asked = '{ watches { nodes { holders { kind term requirementIds } } } }';
      const { data } = await at.gateway.graphql(asked);
      const holders = { kind: 'VEHICLE', term: 'Truck', requirementIds: null };
      expect(data.watches.nodes.filter((watch: { holders: unknown }) => watch.holders)).toEqual([
        { holders },
      ]);
      await page.click('dialog li:has-text("Vehicles") button');
      await page.waitForSelector('dialog :text("Nobody is told yet.")');
    }));

  test('viewers are offered nothing that they may not do', () =>
    at.inConsole(
      '/compliance?kind=VEHICLE&q=Truck+0003',
      async (page) => {
        await page.waitForSelector('[role=gridcell]:has-text("Missing")');
        expect(await page.locator('a[href^="/items/new"]').count()).toBe(0);
      },
      { token: at.gateway.viewer },
    ));
});
