import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EnumOf } from '../../src/db/sql/conditions.js';
import { deliveryError } from '../../src/domain/reminders/reasons.js';
import { newId } from '../../src/domain/rules.js';
import { createPost } from '../../src/outbound/outbound.js';
import { startChatSender } from '../../src/reminders/chat/chat-sender.js';
import { chatRequest, sealPart } from '../../src/reminders/chat/chat-service.js';
import type { DeliveryOutcome } from '../../src/reminders/reminder-worker.js';
import { smtpError } from '../mail/smtp.support.js';
import { type Receiver, startReceiver } from '../webhooks/support.js';
import { openPost, secrets } from './sender.support.js';
import { makeWorld, type World } from './support.js';

const message = {
  title: 'Licence <A> & *B* expires in 3 days',
  lines: ['Workspace: Main', 'Details: @everyone [x](http://evil)'],
  link: 'https://expiry.example.com/items/1',
  linkLabel: 'Open',
  urgency: 'soon' as const,
};

/** The lines as services get them: nothing in them is read together. */
const inertLines = ['Workspace: Main', 'Details: @\u200beveryone [x]\u200b(http:\u200b//evil)'];

describe('a message', () => {
  const shape = (kind: EnumOf<'ChannelKind'>, url = 'https://chat.example.com/hook') =>
    chatRequest(kind, { url, token: 'tk' }, message);
  const json = (kind: EnumOf<'ChannelKind'>, url?: string) => JSON.parse(shape(kind, url).body);

  test('to ntfy has its title and urgency in headers', () => {
    const { headers, body } = shape('NTFY');
    expect(body).toBe(inertLines.join('\n'));
    expect(headers).toEqual({
      title: message.title,
      'content-type': 'text/plain; charset=utf-8',
      priority: '4',
      tags: 'warning',
      click: message.link,
      authorization: 'Bearer tk',
    });
    const unicode = chatRequest(
      'NTFY',
      { url: 'https://x.example', token: undefined },
      { ...message, title: 'Führerschein' },
    );
    expect(unicode.headers.title).toBe(`=?UTF-8?B?${Buffer.from('Führerschein').toString('base64')}?=`);
  });

  test('to Slack escapes what has a meaning there', () => {
    expect(json('SLACK')).toEqual({
      text: '*Licence &lt;A&gt; &amp; *B* expires in 3 days*\nWorkspace: Main\nDetails: @\u200beveryone [x]\u200b(http:\u200b//evil)\n<https://expiry.example.com/items/1|Open>',
    });
  });

  test('to Discord mentions nobody, and has at most 2,000 characters', () => {
    expect(json('DISCORD')).toEqual({
      content:
        '**Licence \\<A\\> & \\*B\\* expires in 3 days**\nWorkspace: Main\nDetails: @\u200beveryone \\[x\\]\u200b(http:\u200b//evil)\n<https://expiry.example.com/items/1>',
      allowed_mentions: { parse: [] },
    });
    const long = { ...message, lines: Array.from({ length: 500 }, (_, n) => `Line ${n}`) };
    const { content } = JSON.parse(
      chatRequest('DISCORD', { url: 'https://x.example', token: undefined }, long).body,
    );
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).toMatch(/Line \d+\n…\n<https/);
  });

  test('to ntfy has at most 4,096 bytes, and no broken character', () => {
    const line = '運転免許証の有効期限が切れます。更新してください';
    const long = { ...message, lines: Array.from({ length: 60 }, (_, n) => `${n} ${line}`) };
    const { body } = chatRequest('NTFY', { url: 'https://x.example', token: undefined }, long);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(body)).toBeGreaterThan(3_900);
    const shown = body.split('\n');
    expect(shown.pop()).toBe('…');
    expect(shown).toEqual(long.lines.slice(0, shown.length));
    const one = chatRequest(
      'NTFY',
      { url: 'https://x.example', token: undefined },
      { ...message, lines: ['🛂'.repeat(2_000)] },
    );
    expect(Buffer.byteLength(one.body)).toBeLessThanOrEqual(4_096);
    expect(one.body).toMatch(/^🛂+\n…$/u);
  });

  const kinds = ['NTFY', 'SLACK', 'DISCORD', 'TEAMS', 'GOTIFY', 'APPRISE'] as const;
  test.each(kinds)('to %s mentions and links nothing that a name contains', (kind) => {
    const names = [
      '@channel',
      '@here',
      '@all',
      'x @everyone!',
      '(@anna)',
      'ä@here',
      '#general',
      '~town-square',
      '<!channel>',
      '<@U1>',
      '<#C1>',
    ]
      .concat(
        '[text](https://evil.example)',
        '![](https://evil.example/x.png)',
        '[text][1]',
        '[1]: https://evil.example',
      )
      .concat('<https://evil.example|Open>', 'www.evil.example', 'mailto:x');
    for (const name of names) {
      const told = { ...message, title: name, lines: [`Details: ${name}`], link: undefined };
      const { body, headers } = chatRequest(
        kind,
        { url: 'https://chat.example.com', token: undefined },
        told,
      );
      const texts =
        kind === 'NTFY'
          ? [body, Buffer.from(/B\?(.*)\?=/.exec(headers.title ?? '')?.[1] ?? '', 'base64').toString()]
          : [JSON.stringify(JSON.parse(body).attachments?.[0].content.body ?? JSON.parse(body))];
      for (const text of texts) {
        expect(text).not.toMatch(/(?<![A-Za-z0-9_])[@#~][\p{L}\p{N}_]/u);
        expect(text).not.toMatch(/\]\(|\]\[|\]:[^"]|:\/\/|www\.|mailto:/);
        if (kind === 'SLACK') expect(text).not.toMatch(/[<>]/);
      }
    }
  });

  test('to Teams is an Adaptive Card', () => {
    const { type, attachments } = json('TEAMS');
    expect([type, attachments[0].contentType]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
    ]);
    expect(attachments[0].content).toMatchObject({
      type: 'AdaptiveCard',
      body: [{ weight: 'Bolder' }, { text: expect.stringContaining('Workspace: Main') }],
      actions: [{ type: 'Action.OpenUrl', title: 'Open', url: message.link }],
    });
  });

  test('to Gotify goes to /message, with the key in a header', () => {
    const { url, headers } = shape('GOTIFY', 'https://gotify.example.com/');
    expect([url, headers['x-gotify-key']]).toEqual(['https://gotify.example.com/message', 'tk']);
    expect(json('GOTIFY')).toEqual({
      title: message.title,
      message: inertLines.join('\n'),
      priority: 6,
      extras: { 'client::notification': { click: { url: message.link } } },
    });
  });

  test('to Apprise has a type', () => {
    expect(json('APPRISE')).toEqual({
      title: message.title,
      body: [...inertLines, message.link].join('\n'),
      type: 'warning',
    });
  });
});

describe('a channel', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  let world: World;
  let clock: { now: Date };
  let outcomes: DeliveryOutcome[];
  let stop: () => Promise<void>;
  beforeEach(async () => {
    world = await makeWorld();
    clock = { now: new Date(0) };
    outcomes = [];
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.writeHead(200).end();
    const sender = startChatSender({
      ...{
        database: world.database,
        clock: () => clock.now,
        log: pino({ level: 'silent' }),
        secrets,
        pollMs: 10,
      },
      post: createPost({ privateHosts: [receiver.host], timeoutMs: 2_000 }),
      origin: async () => 'https://expiry.example.com',
      onDelivered: (outcome) => outcomes.push(outcome),
    });
    stop = sender.stop;
  });
  afterEach(async () => {
    await stop();
    await world.drop();
  });

  async function addChannel(values: object = {}): Promise<string> {
    const id = newId();
    const { organizationId, teamId, database } = world;
    const sealedUrl = await sealPart(secrets, id, 'url', `http://${receiver.host}/${id}`);
    const data = {
      id,
      organizationId,
      teamId,
      kind: 'APPRISE' as const,
      name: 'Team chat',
      host: receiver.host,
    };
    await database.prisma.channel.create({ data: { ...data, sealedUrl, ...values } });
    return id;
  }
  const to = (...channelIds: string[]) => ({ offsetDays: -30, recipients: [], channelIds });
  const sendAt = async (time: string, tries = 1) => {
    const wanted = outcomes.length + tries;
    clock.now = new Date(time);
    await expect.poll(() => outcomes.length).toBe(wanted);
  };
  const due = '2027-03-01T07:00:00Z';
  const channel = (id: string) => world.database.prisma.channel.findUniqueOrThrow({ where: { id } });

  test('gets one message of all that is due at once, with links, and the ledger knows', async () => {
    const id = await addChannel();
    await world.steps(to(id));
    const item = await world.item('2027-03-31');
    await world.item('2027-03-31', { name: 'Second' });
    expect(await world.at(due)).toBe(2);
    // Whoever decides once more decides nothing.
    expect(await world.at('2027-03-01T07:00:10Z')).toBe(0);
    await sendAt(due);
    expect(receiver.at(`/${id}`)).toEqual([
      {
        title: expect.stringMatching(/^2 .* · Acme Main$/),
        body: 'Second expires in 30 days (2027-03-31)\nTrade licence expires in 30 days (2027-03-31)\nhttps://expiry.example.com/items',
        type: 'info',
      },
    ]);
    expect(await world.ledger(item)).toEqual(['2027-03-01T07:00 -30 TOLD']);
    expect(await channel(id)).toMatchObject({ lastOkAt: clock.now, lastError: null });
    const events = await world.database.prisma.eventLog.findMany({ where: { typeId: 7 } });
    expect(events.map(({ description }) => description)).toEqual([
      'Reminder of 2 expiration items was sent to Team chat',
    ]);
  });

  test('hears of one item with its facts, and of nothing that is no longer due', async () => {
    const id = await addChannel();
    await world.steps(to(id));
    const item = await world.item('2027-03-31');
    await world.at(due);
    await world.change(item, { expirationDate: new Date('2028-03-31') });
    await sendAt(due);
    expect(outcomes).toEqual(['cancelled']);
    await world.item('2027-04-01', { name: 'Other' });
    await world.at('2027-03-02T07:00:00Z');
    await sendAt('2027-03-02T07:00:00Z');
    expect(receiver.at(`/${id}`)).toMatchObject([
      {
        title: 'Other expires in 30 days',
        body: expect.stringMatching(/Licence[\s\S]*https:\/\/expiry\.example\.com\/items\/[0-9a-f-]+$/),
      },
    ]);
  });

  test.each([
    [500, 'retried', 'QUEUED'],
    [429, 'retried', 'QUEUED'],
    [401, 'failed', 'FAILED'],
    [404, 'failed', 'FAILED'],
  ])('with status %s: the message is %s', async (status, outcome, state) => {
    receiver.answer = (_request, response) => response.writeHead(status).end('no such topic');
    const id = await addChannel();
    await world.steps(to(id));
    await world.item('2027-03-31');
    await world.at(due);
    await sendAt(due);
    expect(outcomes).toEqual([outcome]);
    expect((await channel(id)).lastError).toMatch(
      new RegExp(`^Apprise \\(${receiver.host}\\) answered ${status}.*no such topic`),
    );
    const deliveries = await world.deliveries();
    expect(deliveries.find(({ address }) => address === 'Team chat')).toMatchObject({ state });
    // Silence would look as if nothing were due: the admin gets a mail.
    const others = deliveries.filter(({ address }) => address !== 'Team chat').map(({ address }) => address);
    expect(others).toEqual(state === 'FAILED' ? ['ada@example.com'] : []);
  });

  test.each([
    [204, 'CHAT_NOBODY_TOLD'],
    [424, 'CHAT_PARTLY_TOLD'],
  ])('of Apprise that answers %i has failed, and is not asked again', async (status, failure) => {
    receiver.answer = (_request, response) => response.writeHead(status).end();
    const id = await addChannel();
    await world.steps(to(id));
    await world.item('2027-03-31');
    await world.at(due);
    await sendAt(due);
    expect(outcomes).toEqual(['failed']);
    expect(receiver.received).toHaveLength(1);
    const delivery = await world.database.prisma.delivery.findFirstOrThrow({ where: { channelId: id } });
    expect(delivery).toMatchObject({ state: 'FAILED', dueAt: null, errorCode: failure, statusCode: status });
    expect(deliveryError(delivery)).toMatch(
      /^The message was given up: Apprise \(.*nobody was told|the others have/,
    );
    expect(await channel(id)).toMatchObject({ lastOkAt: null, lastError: delivery.lastError });
    const [target] = await world.database.prisma.reminderTarget.findMany({
      where: { deliveryId: delivery.id },
    });
    expect(target?.reason).toBe('chat failed');
  });

  test.each([
    ['121', '2027-03-01T07:02:01.000Z'],
    ['Mon, 01 Mar 2027 09:30:00 GMT', '2027-03-01T09:30:00.000Z'],
    ['999999', '2027-03-02T07:00:00.000Z'],
  ])('that asks for a pause (%s) is left alone for so long', async (retryAfter, until) => {
    receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': retryAfter }).end();
    const id = await addChannel();
    await world.steps(to(id));
    await world.item('2027-03-31');
    await world.at(due);
    await sendAt(due);
    const [delivery] = await world.deliveries();
    expect(delivery?.dueAt?.toISOString()).toBe(until);
  });

  test('gets nothing in its quiet hours, and everything after them', async () => {
    const id = await addChannel({ quietFrom: '07:00', quietTo: '09:30' });
    await world.steps(to(id));
    await world.item('2027-03-31');
    await world.at(due);
    const [delivery] = await world.deliveries();
    // 8:00 in Berlin is within; they end at 9:30.
    expect(delivery?.dueAt?.toISOString()).toBe('2027-03-01T08:30:00.000Z');
    await sendAt('2027-03-01T08:30:00Z');
    expect(receiver.at(`/${id}`)).toHaveLength(1);
  });

  test('that is out of use or gone gets nothing, and somebody else does', async () => {
    const [off, gone] = [await addChannel({ isActive: false }), newId()];
    await world.steps(to(off, gone));
    await world.item('2027-03-31');
    await world.at(due);
    expect((await world.deliveries()).map(({ address }) => address)).toEqual(['ada@example.com']);
  });

  test('hears of mails that could not be delivered, if it wants to', async () => {
    const id = await addChannel({ tellsFailures: true });
    await addChannel({ name: 'Other' });
    await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: ['anna@example.org'] });
    await world.item('2027-03-31');
    await world.at(due);
    const post = await openPost(world, {
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === 'anna@example.org' ? smtpError(550, 'no such user') : undefined),
    });
    await post.send(due);
    await post.close();
    await sendAt(due);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.at(`/${id}`)).toEqual([
      {
        title: 'A message could not be delivered',
        body: expect.stringMatching(/^anna@example\.org: .*no such user[\s\S]*deliveries\?state=FAILED$/),
        type: 'warning',
      },
    ]);
  });
});
