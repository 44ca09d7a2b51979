import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setWorker } from '../../support/workers.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const create = 'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
const change =
  'mutation($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }';
const read = `query($id: ID!) { expirationItem(id: $id) {
  name details expirationDate isActive notes { nodes { bodyText } } attachments { nodes { name } } tags { name } } }`;
const typeOf = 'query($id: ID!) { expirationItem(id: $id) { category { id } } }';
const renew =
  'mutation($id: ID!, $date: Date!) { renewExpirationItem(id: $id, input: { expirationDate: $date }) { id } }';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser("the console's screen of an item", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const add = async (name: string, more = {}) => {
    const input = { name, expirationDate: '2028-01-31', ...more };
    const { data } = await at.gateway.graphql(create, { input });
    return data.createExpirationItem.id as string;
  };
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const now = async (id: string) => (await at.gateway.graphql(read, { id })).data.expirationItem;

  test('shows each field that is filled in, and leads to what it names', async () => {
    const { gateway } = at;
    const type = await gateway.graphql(
      'mutation { createCategory(input: { name: "Crane licence", customFields: [{ name: "Class" }, { name: "Issuer" }] }) { id customFields { id name } } }',
    );
    const { id: category, customFields } = type.data.createCategory;
    const id = await add('Whole', {
      ...{ category: { id: category }, assignedTo: { id: gateway.userId }, tags: [{ name: 'Urgent' }] },
      ...{ details: 'Ring twice', timeOfDay: '09:30', renewUntil: '2032-01-01', renewalsLeft: 3 },
      customFields: [{ id: customFields[0].id, name: 'Class', value: 'C1' }],
    });
    await at.inConsole(`/items/${id}`, async (page) => {
      const facts = page.locator('.card:has(h2:text-is("Details")) .fact');
      await facts.first().waitFor();
      const shown = Object.fromEntries(
        (await facts.allInnerTexts()).map((text) => text.split(/\n+/).map((part) => part.trim())),
      );
      expect(shown).toEqual({
        'Document type': 'Crane licence',
        'Assigned to': 'Administrator',
        Tags: 'Urgent',
        Details: 'Ring twice',
        'Time of reminders': '09:30',
        'Reminder policy': expect.stringMatching(/\(from the workspace\)$/),
        'Renewed until': 'Jan 1, 2032',
        'Renewals left': '3',
        Class: 'C1',
        Workspace: 'Main',
      });
      const links = await facts.locator('a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links).toEqual(
        expect.arrayContaining([`/types/${category}`, `/items?assigned=${gateway.userId}`]),
      );
      expect(await barriers(page)).toEqual([]);
    });
  });

  test('renews by the interval of the last time, and takes it back', async () => {
    const id = await add('Half-yearly');
    await at.gateway.graphql(renew, { id, date: '2028-07-31' });
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.click('.standing button:has-text("Renew")');
      expect(await barriers(page)).toEqual([]);
      expect(await page.inputValue('dialog input[type=date]')).toBe('2029-01-31');
      await page.fill('dialog input[type=date]', '2020-01-01');
      await page.click('dialog button[type=submit]');
      expect(await page.innerText('dialog .wrong')).toMatch(/must be later/);
      expect((await now(id)).expirationDate).toBe('2028-07-31');
      await page.fill('dialog input[type=date]', '2029-01-31');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.bigdate:has-text("January 31, 2029")');
      await page.waitForSelector('.event:has-text("Administrator renewed this")');
      await page.click('.toast button:has-text("Undo")');
      await page.waitForSelector('.bigdate:has-text("July 31, 2028")');
    });
  });

  test('acknowledges each of its dates, and takes each back', async () => {
    const [expirationDate, noticeDate] = [soon(10), soon(5)];
    const id = await add('Lease', { expirationDate, noticeDate });
    const told = async () => {
      const query = `query ($id: ID!) { expirationItem(id: $id) {
        acknowledgement { note } noticeAcknowledgement { note } } }`;
      const { expirationItem } = (await at.gateway.graphql(query, { id })).data;
      return [expirationItem.noticeAcknowledgement?.note, expirationItem.acknowledgement?.note];
    };
    await at.inConsole(`/items/${id}`, async (page) => {
      const standing = page.locator('.standing');
      const notes = standing.locator('.note');
      await standing.getByRole('button', { name: 'Acknowledge the notice date' }).click();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('What is being done about it').fill('Notice given');
      await page.click('dialog button[type=submit]');
      await notes.getByText('Last day to give notice: Administrator is taking care of it').waitFor();
      expect(await told()).toEqual(['Notice given', undefined]);
      await standing.getByRole('button', { name: 'Acknowledge', exact: true }).click();
      await page.getByLabel('What is being done about it').fill('Moving out');
      await page.click('dialog button[type=submit]');
      await expect.poll(() => notes.count()).toBe(2);
      expect(await told()).toEqual(['Notice given', 'Moving out']);
      expect(await barriers(page)).toEqual([]);
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `acknowledged-${width}-${colorScheme}`);
        }
      }
      await notes.first().getByRole('button', { name: 'Withdraw' }).click();
      await standing.getByRole('button', { name: 'Acknowledge the notice date' }).waitFor();
      expect(await told()).toEqual([undefined, 'Moving out']);
      await notes.getByRole('button', { name: 'Withdraw' }).click();
      await standing.getByRole('button', { name: 'Acknowledge', exact: true }).waitFor();
      expect(await told()).toEqual([undefined, undefined]);
    });
  });

  beforeEach(() => setWorker(at.gateway));

  const hourAgo = () => new Date(at.gateway.clock.now.getTime() - 3_600_000);

  test.each([
    [
      'no mail',
      () => ({ has_mail: false }),
      'no mail server is set up',
      'Your administrator has to set up mail.',
      '/settings/mail',
    ],
    [
      'mail that is refused',
      () => ({ mail_problem: '535 No.' }),
      'accepts no mail',
      'Please tell your administrator.',
      '/settings/health',
    ],
    [
      'no worker',
      () => ({ seen_at: hourAgo() }),
      'no worker is running',
      'Please tell your administrator.',
      '/settings/health',
    ],
    [
      'a standstill',
      () => ({ decided_at: hourAgo() }),
      'has been stuck',
      'Please tell your administrator.',
      '/settings/health',
    ],
  ])('promises no reminder with %s, and says what to do', async (what, worker, admins, others, mending) => {
    const id = await add(`With ${what}`);
    await setWorker(at.gateway, worker());
    const { admin, viewer } = at.gateway;
    for (const [token, text] of [[admin, admins] as const, [viewer, others] as const]) {
      await at.inConsole(
        `/items/${id}`,
        async (page) => {
          const standing = page.locator('.standing');
          expect(await standing.innerText()).toContain(text);
          expect(await standing.innerText()).toMatch(/Planned for .+, to admin@localhost/);
          expect(await standing.innerText()).not.toContain('Next reminder on');
          await page.click('nav a[href="/"]');
          await page.waitForSelector(`main > .unsent:has-text("${text}")`);
          expect(await barriers(page)).toEqual([]);
          if (token === viewer) return;
          await page.click('main > .unsent a');
          await page.waitForURL(`**${mending}`);
          await page.click('.tabs a[href="/settings/health"]');
          await page.waitForSelector('.healthfact .badge:has-text("Problem")');
          await picture(page, `health-${what.replaceAll(' ', '-')}`);
        },
        { token },
      );
    }
  });

  test('promises a reminder as soon as it can be sent, without a reload', async () => {
    const id = await add('To be mended');
    await setWorker(at.gateway, { has_mail: false });
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.shell h1');
      await page.clock.install();
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.waitForSelector('.standing .unsent');
      await setWorker(at.gateway);
      await page.clock.fastForward('00:31');
      await page.waitForSelector('.standing:has-text("Next reminder on")');
      expect(await page.locator('.unsent').count()).toBe(0);
    });
  });

  test('stores files, shows pictures, and restores a removed file', async () => {
    const id = await add('With files');
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.setInputFiles('input[type=file]', [
        { name: 'scan.png', mimeType: 'image/png', buffer: png },
        { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script>alert(1)</script>') },
      ]);
      await page.click('button:has-text("scan.png")');
      await page.waitForSelector('dialog img.preview');
      expect(await page.evaluate(() => document.querySelector('img.preview')?.getAttribute('src'))).toMatch(
        /^blob:/,
      );
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      // What could run is saved, and never shown.
      expect(await page.locator('button:has-text("page.html")').count()).toBe(0);
      await page.click('[aria-label="Remove scan.png"]');
      await page.waitForSelector('button:has-text("scan.png")', { state: 'detached' });
      await page.click('.toast:has-text("scan.png") button:has-text("Undo")');
      await page.waitForSelector('button:has-text("scan.png")');
      const names = (await now(id)).attachments.nodes.map(({ name }: { name: string }) => name);
      expect(names.sort()).toEqual(['page.html', 'scan.png']);
    });
  });

  test('sends a HEIC picture as a JPEG if the browser can decode it, and else as it is', async () => {
    const id = await add('With photos');
    await at.inConsole(`/items/${id}`, async (page) => {
      // Chromium has no decoder of HEIC, and looks at the bytes.
      await page.setInputFiles('input[type=file]', [
        { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: png },
        { name: 'IMG_2.heic', mimeType: '', buffer: Buffer.from('\0\0\0\x18ftypheic') },
      ]);
      await page.waitForSelector('.rows:has-text("IMG_1.jpg"):has-text("IMG_2.heic")');
      await page.click('button:has-text("IMG_1.jpg")');
      await page.waitForSelector('dialog img.preview');
    });
  });

  test('adds an item, whose name is text, with a note and a new tag', async () => {
    await at.inConsole('/items/new', async (page) => {
      await page.waitForSelector('form');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'new-item');
      await page.getByLabel('Name', { exact: true }).fill('<img src=x onerror=alert(1)>');
      await page.getByLabel('Expires').fill('2029-05-01');
      await page.getByRole('combobox', { name: 'Document type' }).fill('driver');
      await page.click('[role=option]:has-text("Driver licence")');
      await page.getByLabel('Licence number').fill('L-1');
      await page.getByRole('combobox', { name: 'Tags' }).fill('console');
      await page.click('[role=option]:has-text("console")');
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('.standing');
      expect(await page.innerText('h1')).toBe('<img src=x onerror=alert(1)>');
      expect(await page.innerText('.facts')).toMatch(/Licence number\s+L-1/);
      await page.fill('textarea', 'Called them <b>twice</b>');
      await page.click('button:has-text("Save the note")');
      await page.waitForSelector('.itemnote:has-text("Called them <b>twice</b>")');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'item');
      const item = await now(page.url().split('/').at(-1) ?? '');
      expect(item).toMatchObject({ expirationDate: '2029-05-01', tags: [{ name: 'console' }] });
    });
  });

  test('is watched by what it has in common with others, and has reminders of its own', async () => {
    const { data } = await at.gateway.graphql(
      '{ me { team { name reminderPolicyId reminderPolicy { name } } } }',
    );
    const { name: team, reminderPolicyId, reminderPolicy } = data.me.team;
    const id = await add('Watched', { expirationDate: soon(3), tags: [{ name: 'watched' }] });
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.click('button:has-text("Watch")');
      expect(await barriers(page)).toEqual([]);
      await page.click('.menu:popover-open button:has-text("the tag “watched”")');
      await page.waitForSelector('.card li:has-text("Items with the tag “watched”")');
      await page.click('[aria-label="Remove Administrator, Items with the tag “watched”"]');
      await page.waitForSelector('text=Nobody is watching it.');
      await page.click('.toast:has-text("No longer watching") button:has-text("Undo")');
      await page.waitForSelector('.card li:has-text("Items with the tag “watched”")');

      await page.click('.head a:has-text("Edit")');
      await page.getByRole('combobox', { name: 'Reminder policy' }).fill(reminderPolicy.name);
      await page.click(`[role=option]:has-text("${team}")`);
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('.facts:has-text("(its own)") a[href^="/reminders/"]');
    });
    const { category } = (await at.gateway.graphql(typeOf, { id })).data.expirationItem;
    await at.inConsole(`/types/${category.id}?edit=1`, async (page) => {
      await page.getByLabel('Renew every').fill('0');
      await page.click('button:has-text("Save")');
      await page.waitForSelector('.field:has(input[aria-invalid=true]) .wrong');
      await page.getByLabel('Renew every').fill('2');
      await page.click('button:has-text("Save")');
      await page.waitForSelector('.facts:has-text("every 2 years")');
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.waitForSelector('.facts:has-text("every 2 years")');
    });
    // A policy that is applied says first what that would send, and has it looked for.
    await at.inConsole(`/reminders/${reminderPolicyId}`, async (page) => {
      await page.click('.card button:has-text("Apply now")');
      await page.waitForSelector('dialog li:has-text("Watched")');
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button:has-text("Apply now")');
      await page.waitForSelector('.toast:has-text("a reminder now")');
      const { prisma } = at.gateway.database;
      expect(await prisma.reminderJob.count({ where: { policyId: reminderPolicyId } })).toBe(1);
    });
  });

  test('asks once before a link or the back button discards unsaved input', async () => {
    const id = await add('Unkept');
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.click('.head a:has-text("Edit")');
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Half typed');
      await page.click('.side nav a[href="/contacts"]');
      await page.click('dialog button:has-text("Stay here")');
      await page.goBack();
      await page.waitForSelector('dialog:has-text("not saved yet")');
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button:has-text("Stay here")');
      expect(await name.inputValue()).toBe('Half typed');
      expect(page.url()).toMatch(/\?edit$/);
      await page.goBack();
      await page.click('dialog button:has-text("Leave without saving")');
      await page.waitForSelector('.standing');
      await page.goForward();
      expect(await name.inputValue()).toBe('Unkept');
      await page.goBack();
      // What was not changed is left at once.
      await page.click('.head a:has-text("Edit")');
      await page.click('.side nav a[href="/contacts"]');
      await page.waitForSelector('tbody th a');
      expect((await now(id)).name).toBe('Unkept');
    });
  });

  test('shows an error at its field', async () => {
    const id = await add('Mistaken');
    await at.inConsole(`/items/${id}?edit`, async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('   ');
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('.field:has(input[aria-invalid=true]) .wrong');
      expect(await page.innerText('.field .wrong')).toMatch(/required/);
      expect(await barriers(page)).toEqual([]);
    });
  });

  test('overwrites nothing of others, and shows what they have changed', async () => {
    const id = await add('Shared');
    await at.inConsole(`/items/${id}?edit`, async (page) => {
      await page.waitForSelector('form');
      const input = { details: 'from elsewhere', expirationDate: '2028-06-01' };
      await at.gateway.graphql(change, { id, input });
      await page.getByLabel('Name', { exact: true }).fill('Renamed');
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('[role=alert]:has-text("from elsewhere")');
      expect(await page.innerText('[role=alert]')).toMatch(/Nothing was overwritten[\s\S]*Jun 1, 2028/);
      expect((await now(id)).name).toBe('Shared');
      await page.click('button:has-text("Keep mine")');
      await page.click('.formend button[type=submit]');
      await page.waitForSelector('h1:has-text("Renamed")');
      expect(await now(id)).toMatchObject({ name: 'Renamed', ...input });
    });
  });

  test('follows what others do, and says when it is gone', async () => {
    const id = await add('Followed');
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.waitForSelector('h1:has-text("Followed")');
      // The stream is open once a change comes through it.
      for (let turn = 1; !(await page.isVisible(`h1:has-text("Turn")`)); turn++) {
        await at.gateway.graphql(change, { id, input: { name: `Turn ${turn}` } });
        await page.waitForSelector('h1:has-text("Turn")', { timeout: 2000 }).catch(() => {});
      }
      const began = Date.now();
      await at.gateway.graphql(change, { id, input: { name: 'Last' } });
      await page.waitForSelector('h1:has-text("Last")');
      process.stdout.write(`Another's change is seen after ${Date.now() - began} ms.\n`);
      await page.click('.head button[aria-label=More]');
      await page.click('.menu:popover-open button:has-text("Delete")');
      await page.waitForSelector('.toast:has-text("deleted")');
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.waitForSelector('[role=alert]:has-text("no longer exists")');
      expect(await barriers(page)).toEqual([]);
    });
  });

  test('opens when there is a connection again, after another screen', async () => {
    await add('Later');
    await at.inConsole('/items?q=Later', async (page) => {
      await page.waitForSelector('tbody th a');
      await page.context().setOffline(true);
      await page.click('tbody th a');
      await page.waitForSelector('[role=alert]:has-text("cannot be reached")');
      await page.goBack();
      await page.waitForSelector('.head:has-text("Add an item")');
      // The list, too, comes by itself once there is a connection.
      await page.waitForSelector('[role=alert]:has-text("cannot be reached")');
      await page.context().setOffline(false);
      await page.click('tbody th a');
      await page.waitForSelector('h1:has-text("Later")');
    });
  });

  test('shows what it could not once the gateway answers again, while the machine stayed online', async () => {
    await add('Restarted');
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.side a[href="/items"]');
      await page.route('**/graphql', (route) => route.abort());
      // The stream of changes is opened anew, as after the gateway has gone.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.click('.side a[href="/items"]');
      await page.waitForSelector('[role=alert]:has-text("cannot be reached")');
      // Who looks elsewhere meanwhile finds it there as well.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.unroute('**/graphql');
      await page.waitForSelector('tbody th a:has-text("Restarted")');
      expect(await page.isVisible('[role=alert]')).toBe(false);
    });
  });

  test('continues when the gateway is unreachable for a while', async () => {
    const id = await add('Unreachable');
    await at.inConsole('/items?q=Unreachable', async (page) => {
      await page.waitForSelector('tbody th a');
      await page.context().setOffline(true);
      await page.click('tbody th a');
      const unreached = () => page.waitForSelector('[role=alert]:has-text("cannot be reached")');
      await unreached();
      const asked = page.waitForEvent('requestfailed');
      await page.click('[role=alert] button:has-text("Try again")');
      await asked;
      await unreached();
      await page.context().setOffline(false);
      await page.waitForSelector('h1:has-text("Unreachable")');
      await at.gateway.graphql(change, { id, input: { name: 'Reached again' } });
      await page.waitForSelector('h1:has-text("Reached again")');
    });
  });

  test.each([1440, 390])(
    'a note mentions a member, chosen with the keyboard alone, at %i pixels',
    async (width) => {
      const { gateway } = at;
      const { prisma } = gateway.database;
      const email = `max.${width}@example.com`;
      const invite =
        'mutation ($email: String!) { inviteUser(name: "Max Power", email: $email, role: MEMBER) { user { id } } }';
      const { id: userId } = (await gateway.graphql(invite, { email })).data.inviteUser.user;
      const id = await add(`Hook ${width}`);
      await at.inConsole(
        `/items/${id}`,
        async (page) => {
          await page.focus('.card:has(h2:text-is("Notes")) textarea');
          await page.keyboard.type('Please ask @Max Power.');
          await page.keyboard.press('Tab');
          await page.keyboard.type(email);
          await page.waitForSelector(`[role=option]:has-text("${email}")`);
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          expect(await barriers(page)).toEqual([]);
          await picture(page, `mention-${width}`);
          await page.focus('.card:has(h2:text-is("Notes")) button[type=submit]');
          await page.keyboard.press('Enter');
          await page.waitForSelector('.itemnote:has-text("Please ask @Max Power.")');
          expect((await now(id)).notes.nodes).toEqual([{ bodyText: `Please ask @[Max Power](${userId}).` }]);
          await prisma.user.update({ where: { id: userId }, data: { name: 'Maxim Power' } });
          await page.reload();
          await page.waitForSelector('.itemnote:has-text("Please ask @Maxim Power.")');
          expect(await page.locator('.itemnote .badge').count()).toBe(0);
          const own = `@[Me](${gateway.userId}) should know.`;
          const relations = [{ entityId: id, kind: 'EXPIRATION_ITEM' }];
          await gateway.graphql('mutation ($input: CreateNoteInput!) { createNote(input: $input) { id } }', {
            input: { bodyText: own, relations },
          });
          await page.waitForSelector('.itemnote:has-text("should know.") .badge:has-text("mentions you")');
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await barriers(page)).toEqual([]);
            await page.locator('.itemnote').first().scrollIntoViewIfNeeded();
            await picture(page, `mentioned-${width}-${colorScheme}`);
          }
        },
        { width },
      );
      expect(
        await prisma.delivery.findMany({ where: { address: email, subjectKind: 'mention' } }),
      ).toHaveLength(1);
    },
  );
});
