import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { stickersOf } from '../http/compliance-links.support.js';
import { openPost, type Post } from '../reminders/sender.support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type Receiver, settleMessages, startReceiver, startSending } from '../webhooks/support.js';
import { decideReminders, evaluateCompliance, importAtGatewayTime } from './support/background.js';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';
import { picture } from './support/console-browser.js';

const vehicles = 60;
const drivers = 40;

const two = (n: number) => String(n).padStart(2, '0');
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Returns the day of a time in UTC. */
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** The truck whose insurance ends today. */
const late = 'Fleet 30';

const cell = (row: number, column: number) =>
  `[role=row][aria-rowindex="${row}"] [aria-colindex="${column}"]`;

describeInBrowser('the compliance of a fleet', { timeout: 4 * browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let post: Post;
  let receiver: Receiver;
  let stops: (() => Promise<void>)[] = [];
  /** Noon of the first day. The workspace counts days in UTC. */
  let noon: Date;
  const day = (days: number) => dayOf(new Date(noon.getTime() + days * 86_400_000));

  beforeAll(async () => {
    await build();
    receiver = await startReceiver();
    const env = { CONSOLE: 'on', WEBHOOK_PRIVATE_HOSTS: receiver.host, SECRET_KEY: '5a'.repeat(32) };
    [gateway, browser] = await Promise.all([startGateway(env), openBrowser()]);
    // Browsers count days by the machine's clock.
    noon = new Date(`${dayOf(new Date())}T12:00:00Z`);
    gateway.clock.now = noon;
    await gateway.database.sql("UPDATE teams SET timezone = 'UTC'");
    stops = [importAtGatewayTime(gateway), startSending(gateway, receiver)];
    post = await openPost(gateway);
  }, browserTimeout);
  afterAll(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await post?.close();
    await browser?.close();
    await gateway?.close();
    receiver?.close();
  });

  const evaluate = () => evaluateCompliance(gateway);

  /** Sends the mails that are due. Returns the subjects of those about compliance so far. */
  async function mailed(): Promise<string[]> {
    const { database, clock } = gateway;
    const { now } = clock;
    await decideReminders(gateway);
    const count = await database.prisma.delivery.count({ where: { state: 'QUEUED', dueAt: { lte: now } } });
    if (count > 0) await post.send(now.toISOString(), count);
    const subjects = post.sink.taken.map(({ mail }) => mail?.subject ?? '');
    return subjects.filter((subject) => /compliant/i.test(subject));
  }

  async function made(path: string, body: object): Promise<string> {
    const { status, text, json } = await gateway.send('POST', `/v1/${path}`, { body });
    expect(status, text).toBe(201);
    return json.id;
  }

  /** Imports a CSV file on the screen for it. */
  async function importRows(page: Page, kind: string, [head = '', ...rows]: readonly string[]) {
    await page.goto(`${gateway.url}/imports?kind=${kind}`);
    await page.waitForSelector('.importfile');
    const buffer = Buffer.from([head, ...rows].join('\n'));
    await page.setInputFiles('input[type=file]', { name: `${kind}.csv`, mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: `Import ${rows.length} rows` }).click();
    await page.getByText(`${rows.length} added`).waitFor();
  }

  /** The rows of the papers. Two trucks and a driver lack one. */
  function papers(): string[] {
    const rows = numbers(vehicles).flatMap((n) => {
      const truck = `Fleet ${two(n)}`;
      const insured = n === 7 ? [] : [`Policy,Insurance,${truck === late ? day(0) : day(400)},FL-EE ${n},`];
      return n === 9 ? insured : [...insured, `Roadworthiness test,Test,${day(200)},FL-EE ${n},`];
    });
    const licences = numbers(drivers)
      .filter((n) => n !== 3)
      .map((n) => `Driving licence,Licence,${day(900)},,driver${n}@fleet.example`);
    return ['name,category,expires,vehicle,driver', ...rows, ...licences];
  }

  /** Returns the names of what is not compliant, as a dispatch system asks for them. */
  async function notCompliant(kind: string): Promise<string[]> {
    const { status, text, json } = await gateway.send(
      'GET',
      `/v1/compliance?kind=${kind}&state=non_compliant`,
    );
    expect(status, text).toBe(200);
    return json.holders.map(({ name }: { name: string }) => name).sort();
  }

  test('from lists of 60 trucks and 40 drivers to the day on which one truck may not drive', () =>
    inPage(browser, { width: 1440 }, async (page) => {
      // The lists come, and three requirements.
      await page.goto(`${gateway.url}/imports?kind=vehicles#token=${gateway.admin}`);
      await page.waitForSelector('.importfile');
      const trucks = numbers(vehicles).map((n) => `Fleet ${two(n)},FL-EE ${n}`);
      await importRows(page, 'vehicles', ['name,license_plate', ...trucks]);
      const people = numbers(drivers).map((n) => `Driver ${two(n)},driver${n}@fleet.example`);
      await importRows(page, 'contacts', ['name,email', ...people]);
      await importRows(page, 'items', papers());
      for (const [name, kind, type] of [
        ['Insured', 'vehicle', 'Insurance'],
        ['Roadworthy', 'vehicle', 'Test'],
        ['Licensed', 'contact', 'Licence'],
      ] as const) {
        const { json } = await gateway.send('GET', `/v1/categories?term=${type}`);
        await made('requirements', { name, holder_kind: kind, any_of: [json.categories[0].id] });
      }
      await evaluate();

      // The matrix shows what is missing, the worst first.
      await page.goto(`${gateway.url}/compliance?kind=VEHICLE`);
      // Both are equally bad, so either comes first.
      for (const row of [2, 3]) await page.waitForSelector(`${cell(row, 1)}:has-text("Not compliant")`);
      await page.waitForSelector('[role=row]:has-text("Fleet 07") [aria-colindex="2"]:has-text("Missing")');
      await page.waitForSelector('[role=row]:has-text("Fleet 09") [aria-colindex="3"]:has-text("Missing")');
      await page.waitForSelector(`.listfoot:has-text("of ${vehicles}")`);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'story-matrix');
      await page.goto(`${gateway.url}/compliance?kind=CONTACT`);
      await page.waitForSelector(`${cell(2, 1)}:has-text("Driver 03")`);
      await page.waitForSelector(`.listfoot:has-text("of ${drivers}")`);

      // One truck is exempt.
      await page.goto(`${gateway.url}/compliance?kind=VEHICLE&q=Fleet+09`);
      await page.click(`${cell(2, 3)} .matrixmore`);
      await page.click('dialog button:has-text("Exempt")');
      await page.getByLabel('Reason').fill('In the workshop');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector(`${cell(2, 3)}:has-text("Exempt")`);
      await evaluate();

      // A dispatch system asks, another one wants to be told, and a sticker is made.
      expect(await notCompliant('vehicle')).toEqual(['Fleet 07']);
      expect(await notCompliant('contact')).toEqual(['Driver 03']);
      const ask = () => gateway.send('GET', '/v1/compliance/vehicles?license_plate=FL-EE%2030');
      const { json: today } = await ask();
      expect(today).toMatchObject({ compliant: true, until: day(0), holder: { name: late } });
      const stickers = stickersOf(gateway);
      const link = (await stickers.create({ holderKind: 'VEHICLE', holderId: today.holder.id })).url;
      const watching = await gateway.graphql(
        'mutation { createWatch(input: { name: "Trucks", holders: { kind: VEHICLE } }) { id } }',
      );
      expect(watching.errors).toBeUndefined();
      const listening = await gateway.graphql(
        'mutation ($url: String!) { createWebhookEndpoint(input: { name: "Gate", url: $url, eventTypes: ["compliance.changed"] }) { secret } }',
        { url: `http://${receiver.host}/gate` },
      );
      expect(listening.errors).toBeUndefined();
      gateway.clock.now = new Date(`${day(0)}T20:00:00Z`);
      const before = (await mailed()).length;
      await page.goto(`${link}?lang=en`);
      expect(await page.innerText('.verdict strong')).toMatch(/^Complete/);
      await settleMessages(gateway);
      expect(receiver.at('/gate')).toEqual([]);

      // The day changes.
      gateway.clock.now = new Date(`${day(1)}T00:00:01Z`);
      await evaluate();
      await evaluate();
      await settleMessages(gateway);
      const messages = receiver.at('/gate');
      expect(messages).toMatchObject([
        {
          type: 'compliance.changed',
          data: {
            id: today.holder.id,
            description: `Vehicle "${late}" is now non-compliant: Insured (expired)`,
          },
        },
      ]);
      await mailed();
      gateway.clock.now = new Date(`${day(1)}T09:00:00Z`);
      await evaluate();
      expect((await mailed()).slice(before)).toEqual([`Not compliant: ${late}`]);
      expect(await notCompliant('vehicle')).toEqual(['Fleet 07', late]);
      expect((await ask()).json).toMatchObject({ compliant: false, gaps: [{ state: 'expired' }] });
      await page.goto(`${link}?lang=en`);
      expect(await page.innerText('.verdict strong')).toBe('Not compliant');
      expect(await page.innerText('h1')).toBe(late);
      await picture(page, 'story-sticker');
      await settleMessages(gateway);
      expect(receiver.at('/gate')).toHaveLength(1);
    }));
});
