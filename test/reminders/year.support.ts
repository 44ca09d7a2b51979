import { createSecretKey, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { dayKeys, snoozeKey } from '../../src/domain/reminders/decide.js';
import { leadDays } from '../../src/domain/reminders/policy.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import type { TestGateway } from '../support/gateway.js';
import { openPost, type Post } from './sender.support.js';

/** How much of a year is lived through. */
export interface YearOptions {
  readonly items: number;
  readonly months: number;
  /** Changes at the beginning of each month. */
  readonly changes: number;
  readonly seed: number;
  /** True to look at each moment at which a workspace has something due, even if nothing is foretold for it. */
  readonly marks: boolean;
}

const dayMs = 86_400_000;
/** The clocks of Berlin and New York are put forward in the third month, and back in the tenth and eleventh. */
const begin = new Date('2027-01-01T00:00:00Z');
const monthAt = (month: number) => new Date(Date.UTC(2027, month, 1));
const dayOf = (moment: Date) => new Date(Math.floor(moment.getTime() / dayMs) * dayMs);
const addDays = (day: Date, days: number) => new Date(day.getTime() + days * dayMs);
const text = (day: Date) => day.toISOString().slice(0, 10);

const zones = ['Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu'];

/** The steps of the policies of each workspace. The first one is the workspace's own. */
const policies = [
  {
    ...({ timeOfDay: '08:00', deliverOn: 'ANY' } as const),
    steps: [
      { offsetDays: -30, recipients: ['CONTACTS', 'MAIN_CONTACT'] },
      { offsetDays: -7, recipients: ['ASSIGNEE', 'WATCHERS'] },
      { offsetDays: 1, repeatEveryDays: 7, about: 'EXPIRATION', recipients: ['WORKSPACE_MEMBERS'] },
    ],
  },
  {
    ...({ timeOfDay: '17:45', deliverOn: 'WORKING_DAYS' } as const),
    steps: [
      { offsetDays: -14, recipients: ['ADDRESSES'], addresses: ['typed@example.org'], hasChannel: true },
      { offsetDays: -13, recipients: ['MAIN_CONTACT', 'ADDRESSES'], addresses: ['Typed@Example.org'] },
      {
        ...{ offsetDays: 0, onlyUnacknowledged: true, repeatEveryDays: 1, repeatCount: 3 },
        recipients: ['ADMINS'],
      },
      { offsetDays: 5, recipients: ['CONTACTS'] },
    ],
  },
  {
    // A time that clocks skip and repeat.
    ...({ timeOfDay: '02:30', deliverOn: 'ANY' } as const),
    steps: [
      { offsetDays: -60, about: 'NOTICE', recipients: ['ASSIGNEE'] },
      { offsetDays: -10, repeatEveryDays: 3, repeatCount: 4, recipients: ['CONTACTS', 'WATCHERS'] },
      { offsetDays: 2, onlyUnacknowledged: true, repeatEveryDays: 5, recipients: ['MAIN_CONTACT'] },
    ],
  },
  { timeOfDay: '08:00', deliverOn: 'ANY', steps: [] },
] as const satisfies readonly { readonly deliverOn: 'ANY' | 'WORKING_DAYS'; [key: string]: unknown }[];

/** How items of the document types of each workspace are renewed. The second type has a policy of its own. */
const renewals = [
  null,
  null,
  { every: 1, unit: 'MONTHS' },
  { every: 20, unit: 'DAYS', requireAcknowledgement: true },
  { every: 1, unit: 'YEARS', byPeople: true },
] as const;

const often = <T>(usual: T, ...others: T[]) =>
  fc.constantFrom(...Array(10 - others.length).fill(usual), ...others);
const days = fc.integer({ min: -40, max: 400 });

const itemValues = fc.record({
  team: fc.nat({ max: zones.length - 1 }),
  category: fc.nat({ max: renewals.length - 1 }),
  policy: fc.constantFrom(null, null, 0, 1, 1, 2, 2, 3),
  days,
  time: often<string | null>(null, '23:30', '00:00'),
  notice: fc.constantFrom(null, null, 10, 45),
  contacts: fc.subarray([0, 1, 2, 3]),
  contact: fc.constantFrom(null, 0, 1, 2, 3),
  user: fc.constantFrom(null, 0, 1, 2),
  isOff: often(false, true),
  isActive: often(true, false),
  isMissing: often(false, true),
  renewalsLeft: often<number | null>(null, 0, 2),
});

const nearby = fc.integer({ min: 1, max: 40 });
const change = fc.record({
  what: fc.constantFrom(
    ...['acknowledge', 'acknowledge', 'silence', 'snooze', 'snooze', 'silent snooze'],
    ...['postpone', 'postpone', 'date', 'time', 'archive', 'off', 'category', 'contacts', 'assign'],
    ...['mute', 'suppress', 'digest', 'member', 'active contact', 'active user', 'zone', 'fallback'],
  ),
  values: itemValues,
  nth: fc.nat(),
  nearby,
  on: fc.boolean(),
  about: fc.constantFrom('EXPIRATION' as const, 'NOTICE' as const),
  mode: fc.constantFrom('SINGLE' as const, 'DAILY' as const, 'WEEKLY' as const),
  weekday: fc.integer({ min: 1, max: 7 }),
  zone: fc.constantFrom(...zones),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

interface Workspace {
  readonly id: string;
  readonly policyIds: string[];
  readonly categoryIds: string[];
  readonly contactIds: string[];
}

/** The organization whose year is lived through. */
interface World {
  readonly gateway: TestGateway;
  readonly teams: readonly Workspace[];
  readonly userIds: readonly string[];
  readonly addresses: readonly string[];
}

async function makeTeam(gateway: TestGateway, id: string, at: number): Promise<Workspace> {
  const { organizationId, database } = gateway;
  const { prisma } = database;
  const place = { organizationId, teamId: id };
  const timezone = zones[at] ?? '';
  const workingDays = [[1, 2, 3, 4, 5], [7, 1, 2, 3], [], [1, 3]][at] ?? [];
  const { reminderPolicyId } = await prisma.team.update({
    where: { id },
    data: { timezone, workingDays, reminderFallbackAddress: at === 1 ? 'office@example.org' : null },
  });
  const channel = { ...place, id: randomUUID(), name: `Channel ${at}`, host: 'chat.example.com' };
  await prisma.channel.create({ data: { ...channel, kind: 'NTFY', sealedUrl: Buffer.from('sealed') } });
  const policyIds: string[] = [];
  for (const [nth, { steps, ...policy }] of policies.entries()) {
    const policyId = nth === 0 && reminderPolicyId !== null ? reminderPolicyId : randomUUID();
    policyIds.push(policyId);
    const data = { ...policy, ...place, id: policyId, name: `Policy ${nth}`, leadDays: leadDays(steps) };
    await prisma.reminderPolicy.upsert({ where: { id: policyId }, create: data, update: data });
    await prisma.reminderStep.deleteMany({ where: { policyId } });
    for (const [position, { ...step }] of steps.entries()) {
      const {
        hasChannel = false,
        addresses = [],
        ...values
      } = step as typeof step & {
        hasChannel?: boolean;
        addresses?: readonly string[];
      };
      const of = { policyId, position, id: randomUUID(), channelIds: hasChannel ? [channel.id] : [] };
      await prisma.reminderStep.create({
        data: { ...values, ...of, addresses: [...addresses], recipients: [...values.recipients] },
      });
    }
  }
  const categoryIds: string[] = [];
  for (const [nth, autoRenew] of renewals.entries()) {
    const categoryId = randomUUID();
    categoryIds.push(categoryId);
    const own = nth === 1 ? { reminderPolicyId: policyIds[1] ?? null } : {};
    const rule = autoRenew && {
      autoRenew: { ...{ from: 'OLD_DATE', byPeople: false, requireAcknowledgement: false }, ...autoRenew },
    };
    await prisma.category.create({
      data: { ...place, id: categoryId, name: `Type ${nth}`, ...own, ...rule },
    });
  }
  const contactIds: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const contactId = randomUUID();
    contactIds.push(contactId);
    const email = `contact${at}${nth}@example.org`;
    const zone = nth === 0 ? { timezone: 'Asia/Tokyo' } : {};
    await prisma.contact.create({ data: { ...place, id: contactId, email, ...zone } });
  }
  return { id, policyIds, categoryIds, contactIds };
}

async function makeWorld(gateway: TestGateway): Promise<World> {
  const { database, organizationId, teamId, otherTeamId, userId } = gateway;
  const { prisma } = database;
  const ids = [teamId, otherTeamId, randomUUID(), randomUUID()];
  for (const id of ids.slice(2))
    await prisma.team.create({ data: { id, organizationId, name: `Team ${id}` } });
  const teams: Workspace[] = [];
  for (const [at, id] of ids.entries()) teams.push(await makeTeam(gateway, id, at));
  // Items of each workspace have a contact of another one.
  for (const [at, team] of teams.entries())
    team.contactIds.push(teams[(at + 1) % teams.length]?.contactIds[0] ?? '');
  const userIds: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    const id = randomUUID();
    userIds.push(id);
    const user = { id, organizationId, teamId, name: `User ${nth}`, email: `user${nth}@example.org` };
    await prisma.user.create({ data: { ...user, ...(nth === 0 && { timezone: 'America/Los_Angeles' }) } });
    for (const team of ids.slice(0, nth + 1))
      await prisma.membership.create({ data: { userId: id, teamId: team } });
  }
  const watch = { organizationId, teamId };
  await prisma.watch.create({ data: { ...watch, id: randomUUID(), userId: userIds[1] ?? '' } });
  const filter = { categoryIds: teams[0]?.categoryIds.slice(0, 2) ?? [] };
  const [contactId = ''] = teams[0]?.contactIds.slice(1) ?? [];
  await prisma.watch.create({ data: { ...watch, id: randomUUID(), contactId, filter } });
  const digest = { organizationId, digestTime: '07:15' };
  await prisma.recipientSetting.createMany({
    data: [
      { ...digest, recipientKey: 'mail:user1@example.org', mode: 'DAILY' },
      { ...digest, recipientKey: 'mail:contact00@example.org', mode: 'WEEKLY', weekday: 3 },
    ],
  });
  await prisma.reminderMark.updateMany({
    data: { through: begin, nextAt: begin, dayThrough: addDays(begin, -1), dayNextAt: begin },
  });
  const { email } = await prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const contacts = await prisma.contact.findMany();
  const users = await prisma.user.findMany();
  const addresses = [
    ...new Set([email, 'typed@example.org', ...[...contacts, ...users].map((one) => one.email)]),
  ];
  return { gateway, teams, userIds, addresses: addresses.sort() };
}

type ItemValues = typeof itemValues extends fc.Arbitrary<infer T> ? T : never;

async function makeItem({ gateway, teams, userIds }: World, values: ItemValues, nth: number): Promise<void> {
  const { organizationId, database } = gateway;
  const { team: at, category, policy, time, notice, contacts, contact, user, isOff, ...flags } = values;
  const team = teams[at];
  if (!team) return;
  const expirationDate = addDays(begin, values.days);
  const { isActive, isMissing, renewalsLeft } = flags;
  await database.prisma.expirationItem.create({
    data: {
      ...{
        id: randomUUID(),
        organizationId,
        teamId: team.id,
        expirationDate,
        isActive,
        isMissing,
        renewalsLeft,
      },
      ...{ name: `Paper ${nth}.`, timeOfDay: time, reminderMode: isOff ? 'OFF' : 'INHERIT' },
      categoryId: team.categoryIds[category] ?? '',
      reminderPolicyId: policy === null ? null : (team.policyIds[policy] ?? null),
      noticeDate: notice === null ? null : addDays(expirationDate, -notice),
      contactId: contact === null ? null : (team.contactIds[contact] ?? null),
      assignedToId: user === null ? null : (userIds[user] ?? null),
      contacts: {
        create: contacts.map((place, position) => ({ contactId: team.contactIds[place] ?? '', position })),
      },
      ...{ created: begin, modified: begin },
    },
  });
}

/** Does a change in the database. Most concern an item that is due soon. */
async function perform({ gateway, teams, userIds, addresses }: World, now: Date, one: Change): Promise<void> {
  const { organizationId, database } = gateway;
  const { prisma } = database;
  const { what, values, nth, about, on } = one;
  const due = await prisma.expirationItem.findMany({
    where: { isActive: true, expirationDate: { gte: addDays(now, -20), lte: addDays(now, 50) } },
    orderBy: { name: 'asc' },
    include: { team: true },
  });
  const item = due[nth % Math.max(1, due.length)];
  const team = teams.find(({ id }) => id === item?.teamId);
  const date = about === 'NOTICE' ? item?.noticeDate : item?.expirationDate;
  const address = addresses[nth % addresses.length] ?? '';
  const until = addDays(dayOf(now), one.nearby + 1);
  const moment = new Date(addDays(now, one.nearby).getTime() + 34_567_000);
  const recipientKey = `mail:${address.toLowerCase()}`;
  const recipient = { organizationId_recipientKey: { organizationId, recipientKey } };
  const set = (data: object) =>
    prisma.recipientSetting.upsert({
      where: recipient,
      create: { organizationId, recipientKey, ...data },
      update: data,
    });
  const edit = (data: object) =>
    item && prisma.expirationItem.update({ where: { id: item.id }, data: { ...data, modified: now } });
  const acknowledge = (data: object) => {
    if (!item || !date) return undefined;
    const key = { itemId: item.id, about, expirationDate: date };
    const kept = { silence: false, snoozeUntil: null, ...data, created: now };
    return prisma.acknowledgement.upsert({
      where: { itemId_about_expirationDate: key },
      create: { ...key, ...kept, organizationId, teamId: item.teamId, via: 'API' },
      update: kept,
    });
  };
  const kinds: Readonly<Record<string, () => unknown>> = {
    acknowledge: () => acknowledge({}),
    silence: () => acknowledge({ silence: true }),
    snooze: () => acknowledge({ snoozeUntil: until }),
    'silent snooze': () => acknowledge({ silence: true, snoozeUntil: until }),
    postpone: async () => {
      if (!item || !date) return;
      const key = { itemId: item.id, about, expirationDate: date, recipientKey };
      const known = { itemId_about_expirationDate_recipientKey: key };
      await prisma.postponement.deleteMany({ where: key });
      const row = { ...key, until, organizationId, teamId: item.teamId };
      await prisma.postponement.upsert({ where: known, create: row, update: row });
    },
    date: () => edit({ expirationDate: addDays(dayOf(now), values.days) }),
    time: () => edit({ timeOfDay: values.time }),
    archive: () => edit({ isActive: false }),
    off: () => edit({ reminderMode: on ? 'OFF' : 'INHERIT' }),
    category: () => edit({ categoryId: team?.categoryIds[values.category] }),
    contacts: async () => {
      if (!item || !team) return;
      await prisma.expirationItemContact.deleteMany({ where: { itemId: item.id } });
      const rows = values.contacts.map((place, position) => ({
        ...{ itemId: item.id, contactId: team.contactIds[place] ?? '', position },
      }));
      await prisma.expirationItemContact.createMany({ data: rows });
    },
    assign: () => edit({ assignedToId: values.user === null ? null : userIds[values.user] }),
    mute: () => set({ mutedUntil: on ? moment : null }),
    suppress: async () => {
      const addressKey = address.toLowerCase();
      await prisma.suppression.deleteMany({ where: { addressKey } });
      const row = { organizationId, addressKey, scope: 'ALL', reason: 'REFUSED' } as const;
      if (on) await prisma.suppression.create({ data: { ...row, until: moment } });
    },
    digest: () => set({ mode: one.mode, weekday: one.weekday, digestTime: '09:20' }),
    member: async () => {
      const place = { userId: userIds[nth % userIds.length] ?? '', teamId: teams[values.team]?.id ?? '' };
      await prisma.membership.deleteMany({ where: place });
      if (on) await prisma.membership.create({ data: place });
    },
    'active contact': () => prisma.contact.updateMany({ where: { email: address }, data: { isActive: on } }),
    'active user': () =>
      prisma.user.updateMany({ where: { email: address, id: { in: [...userIds] } }, data: { isActive: on } }),
    zone: () => prisma.team.update({ where: { id: teams[3]?.id ?? '' }, data: { timezone: one.zone } }),
    fallback: () =>
      prisma.team.update({
        where: { id: teams[0]?.id ?? '' },
        data: { reminderFallbackAddress: on ? 'office@example.org' : null },
      }),
  };
  await kinds[what]?.();
}

const query = `query ($days: Int!, $after: String) {
  upcomingReminders(days: $days, first: 500, after: $after) {
    nodes { at itemName about expirationDate occurrence isAfterSnooze step { id }
      recipients { address reasonCode } team { id } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** A reminder to one recipient, in a line that says all of it. */
interface Line {
  readonly at: string;
  readonly item: string;
  readonly about: string;
  readonly date: string;
  readonly step: string;
  readonly occurrence: number;
  readonly to: string;
}
const write = ({ at, item, about, date, step, occurrence, to }: Line) =>
  `${at} ${item} ${about} ${date} ${step} #${occurrence} ${to.toLowerCase()}`;

/** Asks for the reminders of a month, as an administrator or a member; returns those that will be sent, and those too late. */
async function ask({ gateway }: World, count: number, token: string) {
  const [lines, late]: [string[], string[]] = [[], []];
  for (let after: string | null = null, more = true; more; ) {
    const { data, errors } = await gateway.graphql(query, { days: count, after }, token);
    expect(errors).toBeUndefined();
    const { nodes, pageInfo } = data.upcomingReminders;
    for (const node of nodes) {
      const { at, itemName: item, about, expirationDate: date, isAfterSnooze } = node;
      const step = isAfterSnooze ? 'again' : node.step.id;
      for (const { address: to, reasonCode } of node.recipients)
        if (reasonCode === null || reasonCode === 'ITEM_RENEWED')
          (reasonCode === null ? lines : late).push(
            write({ at, item, about, date, step, occurrence: node.occurrence, to }),
          );
    }
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return { lines: lines.sort(), late };
}

/** Returns what was decided to be told in a month, and was not taken back. */
async function told(
  { gateway }: World,
  from: Date,
  until: Date,
  late: readonly string[],
  seen?: { readonly teamId: string },
): Promise<string[]> {
  const reminders = await gateway.database.prisma.reminder.findMany({
    where: { decidedAt: { gt: from, lte: until }, stepKey: { notIn: Object.values(dayKeys) }, ...seen },
    include: { targets: true },
  });
  const deliveries = await gateway.database.prisma.delivery.findMany({ select: { id: true, state: true } });
  const stateOf = new Map(deliveries.map(({ id, state }) => [id, state]));
  const lines = reminders.flatMap((reminder) => {
    const isAgain = reminder.stepKey === snoozeKey || reminder.recipientKey !== null;
    const { decidedAt, itemName: item, about, expirationDate, occurrence } = reminder;
    const own = reminder.targets.filter(
      ({ reason, deliveryId, homeTeamId }) =>
        reason === null &&
        stateOf.get(deliveryId ?? '') !== 'CANCELLED' &&
        (!seen || homeTeamId === null || homeTeamId === seen.teamId),
    );
    return own.flatMap(({ address: to, deliveryId }) => {
      const line = write({
        ...{ at: decidedAt.toISOString(), item, about, date: text(expirationDate), to },
        step: isAgain ? 'again' : reminder.stepKey,
        occurrence: reminder.stepKey === snoozeKey ? 0 : occurrence,
      });
      // The item will be renewed before the digest is sent.
      return late.includes(line) && stateOf.get(deliveryId ?? '') === 'QUEUED' ? [] : [line];
    });
  });
  return lines.sort();
}

/** Decides and sends what is due at a moment; returns which items the mails were about, and to whom they went. */
async function live({ gateway }: World, post: Post, now: Date): Promise<string[]> {
  const { database } = gateway;
  gateway.clock.now = now;
  await evaluateReminders({ database, clock: () => now, isMailSetUp: () => true });
  const before = post.sink.taken.length;
  const due = () =>
    database.prisma.delivery.count({ where: { kind: 'MAIL', state: 'QUEUED', dueAt: { lte: now } } });
  for (let count = await due(); count > 0; count = await due()) await post.send(now.toISOString(), count);
  const mails = post.sink.taken.slice(before);
  return mails.flatMap(({ to, mail }) =>
    (mail.text?.match(/Paper \d+\./g) ?? []).map(
      (item) => `${now.toISOString()} ${item} ${to.join(' ').toLowerCase()}`,
    ),
  );
}

/** Returns the next moment at which a day begins or something is to be sent, with `marks` also those at which something may be due. */
async function nextMoment({ gateway }: World, marks: boolean): Promise<Date> {
  const [row] = await gateway.database.sql<{ at: Date }>(`
    SELECT least((SELECT min(day_next_at) FROM reminder_marks), ${marks ? '(SELECT min(next_at) FROM reminder_marks),' : ''}
      (SELECT min(due_at) FROM deliveries WHERE kind = 'MAIL' AND state = 'QUEUED')) AS at`);
  return row?.at ?? new Date(8.64e15);
}

/**
 * Returns what each address is to get in a span by its digest setting and its clock, if lines are foretold. Digests that
 * wait while the zone of their workspace changes keep their time, so those of that workspace are left out.
 */
async function mailsOf(
  { gateway }: World,
  lines: readonly string[],
  until: Date,
  elsewhere: ReadonlySet<string>,
): Promise<string[]> {
  const { prisma } = gateway.database;
  const settings = new Map((await prisma.recipientSetting.findMany()).map((one) => [one.recipientKey, one]));
  const people = [...(await prisma.contact.findMany()), ...(await prisma.user.findMany())];
  const zoneOf = new Map(people.map(({ email, timezone }) => [email, timezone]));
  const items = await prisma.expirationItem.findMany({ include: { team: true } });
  const teamZone = new Map(items.map(({ name, team }) => [name, team.timezone]));
  const mails = lines.flatMap((line) => {
    const [at = '', paper, nth] = line.split(' ');
    const [item, to = ''] = [`${paper} ${nth}`, line.split(' ').slice(7).join(' ')];
    if (to.startsWith('channel') || elsewhere.has(item)) return [];
    const wish = settings.get(`mail:${to}`);
    let due = Date.parse(at);
    if (wish && wish.mode !== 'SINGLE') {
      const clock = clockOf(zoneOf.get(to) ?? teamZone.get(item) ?? 'UTC');
      const isDue = () => {
        const [weekday, time] = clock(due);
        return time === wish.digestTime && (wish.mode === 'DAILY' || weekday === wish.weekday);
      };
      while (!isDue()) due += 300_000;
    }
    return due <= until.getTime() ? [`${new Date(due).toISOString()} ${item} ${to}`] : [];
  });
  return [...new Set(mails)].sort();
}

/** Returns what the clocks of a zone show: the day of the week, 1 for Monday, and the time. */
function clockOf(timeZone: string): (moment: number) => readonly [number, string] {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  return (moment) => {
    const [day = '', time = ''] = format.format(moment).split(' ');
    return [weekdays.indexOf(day.slice(0, 3)) + 1, time];
  };
}

/** Returns what is sent in a span of what was decided before it. */
async function leftOver({ gateway }: World, from: Date): Promise<string[]> {
  const rows = await gateway.database.sql<{ at: Date; item: string; to: string }>(
    `SELECT sent.settled_at AS at, item_name AS item, lower(target.address) AS "to"
    FROM reminders AS reminder JOIN reminder_targets AS target ON target.reminder_id = reminder.id
    JOIN deliveries AS sent ON sent.id = target.delivery_id
    WHERE sent.state = 'SENT' AND sent.settled_at > $1 AND decided_at <= $1`,
    [from],
  );
  return rows.map(({ at, item, to }) => `${at.toISOString()} ${item} ${to}`);
}

/** A month that was lived through: what was foretold, and what was sent. */
export interface Month {
  readonly foretold: { readonly admin: readonly string[]; readonly member: readonly string[] };
  readonly sent: { readonly admin: readonly string[]; readonly member: readonly string[] };
  /** The mails that follow from what was foretold, and those that arrived. */
  readonly mails: { readonly foretold: readonly string[]; readonly arrived: readonly string[] };
}

/** Lives through a year: at the beginning of each month things change, then nothing does. */
export async function* liveThrough(gateway: TestGateway, options: YearOptions): AsyncGenerator<Month> {
  const { items, months, changes, seed, marks } = options;
  const world = await makeWorld(gateway);
  for (const [nth, values] of fc.sample(itemValues, { seed, numRuns: items }).entries())
    await makeItem(world, values, nth);
  const post = await openPost(gateway as unknown as Parameters<typeof openPost>[0], {
    keyOfLinks: createSecretKey(Buffer.alloc(32, 7)),
  });
  const moving = await gateway.database.prisma.expirationItem.findMany({
    where: { teamId: world.teams[3]?.id ?? '' },
  });
  const elsewhere = new Set(moving.map(({ name }) => name));
  const isElsewhere = (line: string) => elsewhere.has(line.split(' ').slice(1, 3).join(' '));
  try {
    for (let month = 0; month < months; month++) {
      const [from, until] = [monthAt(month), monthAt(month + 1)];
      gateway.clock.now = from;
      for (const one of month > 0 ? fc.sample(change, { seed: seed + month, numRuns: changes }) : [])
        await perform(world, from, one);
      await live(world, post, from);
      const count = (until.getTime() - from.getTime()) / dayMs;
      const byAdmin = await ask(world, count, gateway.admin);
      const foretold = {
        admin: byAdmin.lines,
        member: (await ask(world, count, gateway.viewer)).lines,
      };
      const expected = await mailsOf(world, foretold.admin, until, elsewhere);
      const arrived: string[] = [];
      const foreseen = [...new Set(foretold.admin.map((line) => line.slice(0, 24)))].sort();
      for (;;) {
        const next = await nextMoment(world, marks);
        const first =
          foreseen[0] === undefined ? next : new Date(Math.min(next.getTime(), Date.parse(foreseen[0])));
        if (first > until) break;
        if (foreseen[0] === first.toISOString()) foreseen.shift();
        arrived.push(...(await live(world, post, first)));
      }
      arrived.push(...(await live(world, post, until)));
      const before = await leftOver(world, from);
      // A mail of the same day that has waited since the month before says it, if it went to somebody else in the end.
      const isOpen = (line: string) => {
        const [at = '', paper, nth, ...rest] = line.split(' ');
        const said = `${paper} ${nth} ${rest.slice(rest.length > 1 ? 4 : 0).join(' ')}`;
        return !before.some((one) => {
          const hours = (Date.parse(at) - Date.parse(one.slice(0, 24))) / 3_600_000;
          return one.slice(25) === said && hours > 0 && hours < 24;
        });
      };
      const sent = async (seen?: { readonly teamId: string }) =>
        (await told(world, from, until, byAdmin.late, seen)).filter(isOpen);
      const { teamId } = gateway;
      const isNew = (line: string) =>
        expected.includes(line) || (!before.includes(line) && !isElsewhere(line));
      yield {
        foretold: { admin: foretold.admin.filter(isOpen), member: foretold.member.filter(isOpen) },
        sent: { admin: await sent(), member: await sent({ teamId }) },
        mails: {
          foretold: expected.filter(isOpen),
          arrived: [...new Set(arrived)].filter(isNew).filter(isOpen).sort(),
        },
      };
    }
  } finally {
    await post.close();
  }
}
