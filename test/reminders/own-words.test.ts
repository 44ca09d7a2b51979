import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { png } from '../mail/logo.support.js';
import { openPost, type Post } from './sender.support.js';
import { makeWorld, type World } from './support.js';

let world: World;
let post: Post;
beforeEach(async () => {
  world = await makeWorld();
  post = await openPost(world);
});
afterEach(async () => {
  await post.close();
  await world.drop();
});

const anna = 'anna@example.org';
const due = '2027-03-01T07:00:00Z';

/** Stores a mail text for the organization, the workspace or the document type. */
async function store(scope: 'ORGANIZATION' | 'TEAM' | 'CATEGORY', values: object) {
  const { organizationId, teamId, categoryId } = world;
  const target = { scope, categoryId: scope === 'CATEGORY' ? categoryId : null };
  await world.database.prisma.mailText.create({
    data: { id: randomUUID(), organizationId, teamId, ...target, ...values },
  });
}

const english = (words: object) => ({
  words: [{ language: 'en', subject: null, opening: null, closing: null, ...words }],
});

/** Sends the mail about an item, and returns it. */
async function sent(values: object = {}) {
  await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: [anna] });
  await world.item('2027-03-31', values);
  await world.at(due);
  await post.send(due);
  const [taken] = post.sink.taken;
  if (!taken) throw new Error('Nothing was sent.');
  const headers = taken.raw.split('\r\n\r\n')[0] ?? '';
  return { ...taken, headers: headers.replace(/\r\n[ \t]+/g, ' ').split('\r\n') };
}

const header = (headers: readonly string[], name: string) =>
  headers.filter((line) => line.toLowerCase().startsWith(`${name}:`));

describe('own words', () => {
  test('of document type, workspace and organization are in the mail, the most specific first', async () => {
    await store('ORGANIZATION', {
      ...english({ subject: 'All', opening: 'Hello,', closing: 'Yours,\n{{organization.name}}' }),
      replyTo: 'office@example.com',
    });
    await store('TEAM', {
      ...english({ subject: 'Team', opening: 'Dear {{recipient.name}},' }),
      senderName: 'Fleet office',
    });
    await store('CATEGORY', english({ subject: '{{item.name}}: {{item.daysLeft}}' }));
    const { mail } = await sent();
    expect(mail.subject).toBe('Trade licence: in 30 days');
    expect(mail.text?.startsWith(`Dear ${anna},\n\nTrade licence expires in 30 days\n\n`)).toBe(true);
    expect(mail.text).toContain('\n\nYours,\nAcme\n\nYou are receiving');
    expect(mail.html).toContain('>Yours,<br>\nAcme</p>');
    expect(mail.from).toEqual({ name: 'Fleet office', address: 'expiry@example.com' });
    expect(mail.replyTo).toEqual([{ name: '', address: 'office@example.com' }]);
  });

  test('in another language, of another workspace and of another organization are not', async () => {
    const { prisma } = world.database;
    const { organizationId } = world;
    await store('ORGANIZATION', {
      words: [{ language: 'de', subject: 'Deutsch', opening: 'Guten Tag', closing: null }],
    });
    const other = randomUUID();
    await prisma.organization.create({ data: { id: other, name: 'Globex' } });
    for (const owner of [organizationId, other]) {
      const teamId = randomUUID();
      await prisma.team.create({ data: { id: teamId, organizationId: owner, name: 'Other' } });
      const text = { id: randomUUID(), organizationId: owner, teamId, ...english({ subject: 'Foreign' }) };
      await prisma.mailText.create({ data: { ...text, scope: 'TEAM' } });
    }
    const { mail } = await sent();
    expect(mail.subject).toBe('Trade licence expires in 30 days (2027-03-31)');
    expect(mail.text?.startsWith('Trade licence expires')).toBe(true);
    expect(mail.from).toEqual({ name: 'Expiry', address: 'expiry@example.com' });
  });

  test('of the organization apply in a workspace that does not own them', async () => {
    const { prisma } = world.database;
    const { organizationId } = world;
    const teamId = randomUUID();
    await prisma.team.create({ data: { id: teamId, organizationId, name: 'Other' } });
    const text = { id: randomUUID(), organizationId, teamId, ...english({ subject: 'Of all' }) };
    await prisma.mailText.create({ data: { ...text, scope: 'ORGANIZATION' } });
    expect((await sent()).mail.subject).toBe('Of all');
  });

  test('name a contact and a user by their names', async () => {
    const { organizationId, teamId } = world;
    await store('TEAM', english({ opening: 'Dear {{recipient.name}}' }));
    await world.database.prisma.contact.create({
      data: { id: randomUUID(), organizationId, teamId, name: 'Anna Example', email: 'ANNA@example.org' },
    });
    expect((await sent()).mail.text).toContain('Dear Anna Example\n');
  });

  test('of a digest are only those without an item', async () => {
    const { organizationId } = world;
    await world.database.prisma.recipientSetting.create({
      data: { organizationId, recipientKey: `mail:${anna}`, mode: 'DAILY', digestTime: '18:00' },
    });
    await store('TEAM', {
      ...english({ subject: 'Own', opening: 'About {{item.name}}', closing: 'Yours, {{organization.name}}' }),
      senderName: 'Office',
    });
    await world.item('2027-03-31', { name: 'Passport' });
    await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: [anna] });
    await world.item('2027-03-31', { name: 'Visa' });
    await world.at(due);
    await post.send('2027-03-01T17:00:00Z');
    const mail = post.sink.taken[0]?.mail;
    expect(mail?.subject).toBe('2 documents need attention');
    expect(mail?.text).not.toContain('About');
    expect(mail?.text).toContain('\n\nYours, Acme\n\n');
    expect(mail?.from?.name).toBe('Office');
  });
});

describe('values in own words', () => {
  test('are text in HTML, in one line of a header, and are not read again', async () => {
    const words = {
      subject: '{{item.name}}',
      opening: '<i>{{item.name}}</i>\n{{item.details}}',
      closing: null,
    };
    await store('TEAM', english(words));
    const name = '<b>{{recipient.name}}</b>\r\nBcc: eve@example.com =?UTF-8?Q?Boss?= שלום 😀';
    const { mail, headers, to } = await sent({ name, details: 'One\r\n<two>\u202e three' });
    const line = '<b>{{recipient.name}}</b> Bcc: eve@example.com =?UTF-8?Q?Boss?= שלום 😀';
    // Its Hebrew word would reorder what comes after it.
    expect(mail.subject).toBe(`\u2068${line}\u2069`);
    expect(mail.text).toContain(`<i>\u2068${line.slice(0, 20)}`);
    expect(header(headers, 'subject')).toHaveLength(1);
    expect(header(headers, 'bcc')).toEqual([]);
    expect(to).toEqual([anna]);
    expect(mail.html).toContain('&lt;i&gt;');
    expect(mail.html).not.toMatch(/<(i|b|two)>/);
    expect(mail.html).toContain('One<br>\n&lt;two&gt; three');
    expect(mail.text).toContain('One\n<two> three\n');
  });

  test('do not make a subject longer than programs show, nor a mail larger than bounds', async () => {
    const subject = '{{item.name}}'.repeat(19);
    const opening = '{{item.details}}\n'.repeat(240);
    await store('TEAM', english({ subject, opening }));
    const { mail, raw } = await sent({ name: '😀'.repeat(255), details: '<'.repeat(60_000) });
    expect([...(mail.subject ?? '')]).toHaveLength(255);
    expect(raw.length).toBeLessThan(2_000_000);
  });

  test('in a right-to-left script keep the order of the words around them', async () => {
    await store('TEAM', english({ subject: '{{item.name}} (1)', closing: '\u202e{{item.name}}: 7 days' }));
    const { mail } = await sent({ name: 'רישיון' });
    expect(mail.subject).toBe('\u2068רישיון\u2069 (1)');
    expect(mail.text).toContain('\n\u2068רישיון\u2069: 7 days\n');
    expect(mail.html).toContain('>\u2068רישיון\u2069: 7 days</p>');
  });

  test('that are all empty in a line leave it out', async () => {
    const opening =
      'Hello,\n\nAssigned to {{item.assignee}}.\n{{item.documentType}}{{item.assignee}}\nDetails: {{item.details}}';
    await store('TEAM', english({ subject: 'For {{item.assignee}}', opening, closing: '{{item.details}}' }));
    const { mail } = await sent();
    expect(mail.subject).toBe('Trade licence expires in 30 days (2027-03-31)');
    expect(mail.text?.startsWith('Hello,\n\nLicence\n\nTrade licence expires')).toBe(true);
  });

  test('leave the breaks of details as they are', async () => {
    const { mail } = await sent({ details: 'Form 12\n\n  Room 3\r\nBy noon\u2028sharp' });
    expect(mail.text).toContain('  Details        Form 12\n                 \n                 Room 3');
    expect(mail.html).toContain('Form 12<br>\n<br>\nRoom 3<br>\nBy noon<br>\nsharp');
  });
});

test('a logo is a part of the mail, which is whole without it', async () => {
  const bytes = png(480, 100);
  await store('ORGANIZATION', { logo: `data:image/png;base64,${bytes.toString('base64')}` });
  const { mail, raw } = await sent();
  const [logo] = mail.attachments;
  expect(logo).toMatchObject({ mimeType: 'image/png', disposition: 'inline', related: true });
  expect(Buffer.from(logo?.content as ArrayBuffer).equals(bytes)).toBe(true);
  const id = logo?.contentId?.slice(1, -1);
  expect(mail.html).toContain(`<img src="cid:${id}" alt="Acme" width="240" height="50"`);
  expect(mail.html).not.toMatch(/src="(?!cid:)/);
  expect(mail.text).toContain('Trade licence expires in 30 days');
  expect(raw).toMatch(/multipart\/alternative[\s\S]+multipart\/related/);
});

test.each(['data:image/png;base64,AAAA', 'https://example.com/logo.png', ''])(
  'what is no logo any more is left out: %j',
  async (logo) => {
    await store('TEAM', { logo });
    const { mail } = await sent();
    expect(mail.attachments).toEqual([]);
    expect(mail.html).not.toContain('<img');
  },
);
