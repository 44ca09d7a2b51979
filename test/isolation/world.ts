import pg from 'pg';
import { modelName, recordKinds, tables } from '../../src/db/sql/models.js';
import { type EntityKind, entityTypes, type RecordKind } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { createPasswordHasher, ownerAt } from '../../src/sign-in/password-hasher.js';
import { on } from '../db/scope.fixture.js';
import { createTenant, startGateway, type Tenant, type TestGateway, testTime } from '../support/gateway.js';

const kinds = recordKinds;
/** What has an id of its own. */
export type Kind = RecordKind;
/** Ids of one record of each kind. */
export type Ids = Readonly<Record<Kind, string>>;

/** An address in one's own network where nothing listens. */
export const receiver = 'http://127.0.0.1:9/';

/** Where a set of records is, and the word that all their texts have. */
export interface Place {
  readonly organizationId: string;
  readonly teamId: string;
  readonly word: string;
}

const entityKinds = Object.keys(entityTypes) as EntityKind[];

/** Kinds whose records have more than a place and a name: they point at others, or need it. */
const special: ReadonlySet<Kind> = new Set([
  ...(['team', 'user', 'location', 'contact', 'company', 'vehicle', 'expirationItem', 'renewal'] as const),
  ...([
    'attachment',
    'note',
    'uploadNotification',
    'eventLog',
    'binEntry',
    'accessToken',
    'watch',
    'mailText',
  ] as const),
  ...(['reminder', 'delivery', 'suppression'] as const),
  ...(['channel', 'webhookEndpoint', 'webhookMessage', 'webhookDelivery'] as const),
  ...(['requirement', 'exemption', 'holderCompliance', 'documentRequest', 'complianceLink'] as const),
]);

/** Kinds of records that can be in the bin. */
const deletable = Object.entries(entityTypes).filter(
  ([kind]) => !['attachment', 'uploadNotification', 'documentRequest'].includes(kind),
) as [EntityKind, number][];

/** Returns what notes and events of a set are about: a record of each kind. */
const about = (to: Ids) =>
  entityKinds.map((kind, position) => ({ id: to[kind], type: entityTypes[kind], position }));

/** Puts a reminder of an item into a place, which could not be delivered, and an address that is not written to. */
async function makeReminder(
  prisma: TestGateway['database']['prisma'],
  place: { organizationId: string; teamId: string },
  ids: Ids,
  link: Ids,
  word: string,
  name: string,
): Promise<void> {
  const [address, at] = [`${word}@example.com`, testTime];
  const delivery = { ...place, id: ids.delivery, dedupeKey: ids.delivery, kind: 'MAIL' as const, address };
  const given = { state: 'FAILED' as const, lastError: word, settledAt: at, created: at, attempts: 1 };
  const about = { subjectKind: 'item', subjectId: link.expirationItem };
  await prisma.delivery.create({ data: { ...delivery, ...given, ...about } });
  const reminder = { ...place, id: ids.reminder, itemId: link.expirationItem, itemName: word };
  const decided = { stepKey: newId(), expirationDate: new Date('2027-01-31'), slot: at, decidedAt: at };
  const target = { recipientKey: `mail:${address}`, address, deliveryId: ids.delivery };
  await prisma.reminder.create({
    data: { ...reminder, ...decided, state: 'SKIPPED', targets: { create: target } },
  });
  await prisma.channel.create({
    data: {
      ...{ ...place, id: ids.channel, kind: 'NTFY', name: word, host: 'ntfy.sh' },
      ...{ sealedUrl: new Uint8Array([1]), created: at, modified: at },
    },
  });
  await prisma.webhookEndpoint.create({
    data: {
      ...{
        id: ids.webhookEndpoint,
        organizationId: place.organizationId,
        name: word,
        created: at,
        modified: at,
      },
      ...{ url: receiver, eventTypes: ['*'], teamIds: [] },
    },
  });
  await prisma.webhookMessage.create({
    data: {
      ...{ ...place, id: ids.webhookMessage, eventId: ids.eventLog, type: 'vehicle.updated', body: word },
      ...{ occurredAt: at, created: at },
      deliveries: {
        create: {
          ...{
            id: ids.webhookDelivery,
            organizationId: place.organizationId,
            endpointId: ids.webhookEndpoint,
          },
          ...{ state: 'FAILED', lastError: word, settledAt: at, created: at, modified: at },
        },
      },
    },
  });
  // Suppressions are their whole organization's.
  const addressKey = `${name}-${ids.suppression}@example.com`;
  const { organizationId } = place;
  await prisma.suppression.create({
    data: { id: ids.suppression, organizationId, addressKey, scope: 'ALL', reason: 'ADMIN', created: at },
  });
}

/**
 * Puts a record of each kind into a place.
 * @param to what all of them point at; each other when left out
 */
export async function makeRecords(
  { database: { prisma }, ...tenant }: TestGateway,
  { word, ...place }: Place,
  to?: Ids,
): Promise<Ids> {
  const ids = { ...(Object.fromEntries(kinds.map((kind) => [kind, newId()])) as Ids), team: place.teamId };
  const link = to ?? ids;
  const { organizationId } = place;
  const times = { created: testTime, modified: testTime };
  const row = (kind: Kind) => ({ id: ids[kind], ...place, name: `${word} ${ids[kind]}`, ...times });
  const mail = (kind: Kind) => `${word}-${ids[kind]}@example.com`;
  // Users are their whole organization's.
  const name = tenant.organizationId === organizationId ? 'own' : word;
  const user = { ...row('user'), name, email: `${name}-${ids.user}@example.com` };
  await prisma.user.create({ data: user });
  await prisma.invitation.create({
    data: {
      ...{ userId: ids.user, organizationId, hash: Buffer.from(ids.user), created: testTime },
      expiresAt: new Date(testTime.getTime() + 7 * 86_400_000),
    },
  });
  const token = { id: ids.accessToken, organizationId, userId: link.user, name: `${word} token` };
  const hash = Buffer.from(ids.accessToken.replaceAll('-', ''), 'hex');
  await prisma.accessToken.create({ data: { ...token, role: 'VIEWER', hash, created: testTime } });
  for (const kind of recordKinds) {
    if (!special.has(kind)) await on(prisma, modelName(kind)).create?.({ data: row(kind) });
  }
  await prisma.location.create({ data: { ...row('location'), parentLocationId: to?.location ?? null } });
  const assignedToId = link.user;
  const [locationId, typeId] = [link.location, link.contactType];
  const contact = { ...row('contact'), email: mail('contact'), locationId, typeId, assignedToId };
  await prisma.contact.create({ data: contact });
  // Members change their own alone.
  const members = { organizationId, email: 'max@example.com' };
  const watcher = await prisma.user.findFirst({ where: members, select: { id: true } });
  await prisma.watch.create({
    data: { ...row('watch'), userId: watcher?.id ?? link.user, contactId: link.contact },
  });
  await prisma.mailText.create({
    data: {
      ...{ organizationId, teamId: place.teamId, ...times, id: ids.mailText, senderName: word },
      ...{ scope: 'CATEGORY', categoryId: ids.category },
    },
  });
  await prisma.company.create({ data: { ...row('company'), primaryContactId: link.contact, assignedToId } });
  const vehicle = { ...row('vehicle'), locationId, assignedToContactId: link.contact, assignedToId };
  await prisma.vehicle.create({ data: vehicle });
  const asked = { ...row('requirement'), holderKind: 'vehicle', anyOf: [link.category] };
  await prisma.requirement.create({ data: asked });
  await prisma.exemption.create({
    data: {
      ...{ ...place, ...times, id: ids.exemption, requirementId: link.requirement, userId: link.user },
      ...{
        holderKind: 'vehicle',
        vehicleId: link.vehicle,
        from: testTime,
        reason: word,
        endedById: link.user,
      },
    },
  });
  await prisma.complianceLink.create({
    data: {
      ...{ ...row('complianceLink'), holderKind: 'vehicle', vehicleId: link.vehicle },
      ...{ hash: Buffer.from(ids.complianceLink), sealedSecret: Buffer.from('-') },
      ...{ userId: link.user, revokedById: link.user },
    },
  });
  await prisma.holderCompliance.create({
    data: {
      ...{
        ...place,
        id: ids.holderCompliance,
        kind: 'VEHICLE',
        holderId: ids.holderCompliance,
        vehicleId: link.vehicle,
      },
      ...{ name: word, placeId: link.location, gapIds: [link.requirement], modified: testTime },
    },
  });
  const expirationDate = new Date('2027-01-31');
  const noticeDate = new Date('2026-12-31');
  const holders = (['vehicle', 'contact', 'company', 'location'] as const).map((kind, position) => ({
    ...{ kind: kind.toUpperCase() as 'VEHICLE', holderId: link[kind], [`${kind}Id`]: link[kind], position },
  }));
  const item = {
    ...row('expirationItem'),
    categoryId: link.category,
    contactId: link.contact,
    noticeDate,
    renewalsLeft: 3,
  };
  await prisma.expirationItem.create({
    data: {
      ...{ ...item, assignedToId, expirationDate },
      contacts: { create: { contactId: link.contact, position: 0 } },
      locations: { create: { locationId, position: 0 } },
      tags: { create: { tagId: link.tag, position: 0 } },
      holders: { create: holders },
    },
  });
  await prisma.documentRequest.create({
    data: {
      ...{
        ...place,
        ...times,
        id: ids.documentRequest,
        message: word,
        state: 'SENT',
        email: mail('documentRequest'),
      },
      ...{
        categoryId: link.category,
        itemId: link.expirationItem,
        requirementId: link.requirement,
        holderKind: 'vehicle',
        vehicleId: link.vehicle,
      },
      ...{ recipientId: link.contact, userId: link.user, settledById: link.user },
    },
  });
  const part = { ...place, itemId: link.expirationItem, created: testTime };
  const said = {
    ...part,
    id: newId(),
    itemId: ids.expirationItem,
    expirationDate,
    userId: link.user,
    via: 'API' as const,
    note: word,
  };
  await prisma.acknowledgement.create({ data: said });
  const renewal = { ...part, id: ids.renewal, expirationDate, details: word, userId: link.user };
  await prisma.renewal.create({ data: renewal });
  await makeReminder(prisma, place, ids, link, word, name);
  const content = new TextEncoder().encode(word);
  const file = { ...part, id: ids.attachment, name: word, position: 0 };
  await prisma.attachment.create({
    data: { ...file, contentLength: BigInt(content.length), content: { create: { content } } },
  });
  const relations = about(link).map(({ id, type, position }) => ({
    entityId: id,
    entityType: type,
    position,
  }));
  await prisma.note.create({
    data: { ...row('note'), bodyText: word, authorId: link.user, relations: { create: relations } },
  });
  const upload = { ...place, id: ids.uploadNotification, dedupeKey: ids.uploadNotification };
  const became = { expirationItemId: link.expirationItem, attachmentId: link.attachment };
  const told = { action: 'fp.upload', filename: `${word}.pdf`, state: 'FAILED' as const, error: word };
  await prisma.uploadNotification.create({ data: { ...upload, ...became, ...told, receivedAt: testTime } });
  const event = { ...place, id: ids.eventLog, typeId: 1, description: word, userId: link.user };
  const entities = about(link).map(({ id, type, position }) => ({ entityId: id, typeId: type, position }));
  await prisma.eventLog.create({ data: { ...event, created: testTime, entities: { create: entities } } });
  const emptyCategory = newId();
  await prisma.category.create({
    data: { ...row('category'), id: emptyCategory, name: `${word} ${newId()}` },
  });
  // A record of each kind that was deleted, and a file that was replaced. All have the id of the bin's entry, so that
  // it names each of them.
  for (const [kind, typeId] of [...deletable, ['attachment', entityTypes.attachment] as const]) {
    const id = kind === 'vehicle' ? ids.binEntry : newId();
    const times = { deletedAt: testTime, expiresAt: new Date(testTime.getTime() + 86_400_000) };
    const entry = {
      ...place,
      id,
      typeId,
      recordId: ids.binEntry,
      name: word,
      deletedById: link.user,
      ...times,
    };
    await prisma.binEntry.create({ data: entry });
    // There is one mail text for each document type.
    const apart = kind === 'mailText' && { category_id: emptyCategory };
    const deleted = {
      ...apart,
      id: ids.binEntry,
      name: `${word} ${newId()}`,
      email: `${newId()}@example.com`,
    };
    await prisma.$executeRawUnsafe(
      `INSERT INTO bin_rows (entry_id, position, table_name, row)
       SELECT $1::uuid, 1, $2, to_jsonb(live) || $3::jsonb FROM ${tables[kind]} AS live WHERE id = $4::uuid`,
      ...[id, tables[kind], JSON.stringify(deleted), ids[kind]],
    );
  }
  return ids;
}

/** Records out of the sight of a token, and that token. */
export interface Beyond {
  readonly what: 'another organization' | 'another workspace';
  readonly place: Place;
  readonly ids: Ids;
  readonly token: string;
}

/** A gateway with an organization of its own, another organization, and records in three places. */
export interface World {
  readonly gateway: TestGateway;
  readonly stranger: Tenant;
  /** Where the caller's records are. */
  readonly home: Place;
  readonly own: Ids;
  /** What no answer may tell of: to an admin of another organization's, to a member of another workspace's. */
  readonly beyond: readonly Beyond[];
  close(): Promise<void>;
}

/** The words in the texts of foreign records. */
export const foreignWords = ['zzabroad', 'zzelsewhere'] as const;

/** The password of everybody at home. */
export const signInPassword = 'autumn leaves on the pond';

/** Gives everybody a password. */
async function makePasswords({ database: { prisma } }: TestGateway): Promise<void> {
  const phc = await createPasswordHasher({ ln: 4 }).hash(signInPassword, ownerAt(''));
  const users = await prisma.user.findMany({ select: { id: true, organizationId: true } });
  await prisma.password.createMany({
    data: users.map(({ id, organizationId }) => ({ userId: id, organizationId, phc, changedAt: testTime })),
  });
}

/** Creates the world. */
export async function makeWorld(env: Record<string, string> = {}): Promise<World> {
  const { host } = new URL(receiver);
  const gateway = await startGateway({ WEBHOOK_PRIVATE_HOSTS: host, NOTIFY_HOSTS: host, ...env });
  // The first reader of the feed begins it, for everybody.
  await gateway.graphql('{ changes(last: 1) { nodes { id } } }');
  const stranger = await createTenant(gateway.database, 'Stranger');
  const { organizationId } = gateway;
  const [abroadWord, elsewhereWord] = foreignWords;
  const home = { organizationId, teamId: gateway.teamId, word: 'own' };
  const abroad = { ...stranger, word: abroadWord };
  const elsewhere = { organizationId, teamId: gateway.otherTeamId, word: elsewhereWord };
  const placeOf = ({ organizationId, teamId, word }: Place) => ({ organizationId, teamId, word });
  const beyond: Beyond[] = [
    {
      what: 'another organization',
      place: placeOf(abroad),
      ids: await makeRecords(gateway, placeOf(abroad)),
      token: gateway.admin,
    },
    {
      what: 'another workspace',
      place: elsewhere,
      ids: await makeRecords(gateway, elsewhere),
      token: gateway.member,
    },
  ];
  const own = await makeRecords(gateway, home);
  await makePasswords(gateway);
  // The first request of each token would change its row.
  await gateway.database.prisma.accessToken.updateMany({ data: { lastUsedAt: gateway.clock.now } });
  return { gateway, stranger, home, own, beyond, close: () => gateway.close() };
}

/** Returns a workspace of the caller's that holds nothing, and may go. */
export async function makeTeam({ gateway: { database, organizationId, ...tenant } }: World): Promise<string> {
  const { prisma } = database;
  const id = newId();
  const times = { created: testTime, modified: testTime };
  await prisma.team.create({ data: { id, organizationId, name: `own ${id}`, ...times } });
  const users = await prisma.membership.findMany({ where: { teamId: tenant.teamId } });
  await prisma.membership.createMany({ data: users.map(({ userId }) => ({ userId, teamId: id })) });
  return id;
}

/** The tables of what is a part of a record, with the column of its id, and the record's table. */
const parts: Readonly<Record<string, readonly [column: string, table: string]>> = {
  attachment_contents: ['attachment_id', 'attachments'],
  import_batches: ['import_id', 'imports'],
  bin_rows: ['entry_id', 'bin_entries'],
  event_log_entities: ['event_id', 'event_logs'],
  expiration_item_contacts: ['item_id', 'expiration_items'],
  expiration_item_locations: ['item_id', 'expiration_items'],
  expiration_item_tags: ['item_id', 'expiration_items'],
  item_holders: ['item_id', 'expiration_items'],
  memberships: ['team_id', 'teams'],
  note_relations: ['note_id', 'notes'],
  reminder_steps: ['policy_id', 'reminder_policies'],
  reminder_targets: ['reminder_id', 'reminders'],
  webhook_attempts: ['delivery_id', 'webhook_deliveries'],
};
/** Tables that are nobody's: counts of requests, objects to remove, the epoch of all changes, workers and backups tell no record. */
const others = [
  ...[
    '_prisma_migrations',
    'file_removals',
    'first_token',
    'last_backup',
    'mail_settings',
    'primary_timeline',
    'rate_limits',
  ],
  ...['record_change_epochs', 'restored_backup', 'setup', 'sign_in_challenges', 'workers'],
];

/** Tables with parts whose rows are an organization's, and no workspace's. */
const withoutWorkspace = ['imports', 'webhook_deliveries'];

/** Returns which rows of a table are foreign, as SQL. */
function foreignIn(table: string, columns: ReadonlySet<string>): string | undefined {
  const part = parts[table];
  if (part) {
    const [column, whole] = part;
    const has = withoutWorkspace.includes(whole) ? new Set(['organization_id']) : ofRecord;
    return `${column} IN (SELECT id FROM ${whole} AS whole WHERE ${foreignIn(whole, has)})`;
  }
  if (table === 'organizations') return 'id = $1';
  if (table === 'teams') return 'organization_id = $1 OR id = $2';
  if (columns.has('team_id')) return 'organization_id = $1 OR team_id = $2';
  return columns.has('organization_id') ? 'organization_id = $1' : undefined;
}
const ofRecord = new Set(['organization_id', 'team_id']);

/**
 * Returns all foreign rows of all tables, as text; a table whose rows could be anybody's must be named above.
 */
export async function foreignRows(client: pg.Client, { beyond }: World, lock = ''): Promise<string[]> {
  const { rows: tables } = await client.query<{ table: string; columns: string[] }>(`
    SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND table_name NOT IN (SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid)
    GROUP BY 1 ORDER BY 1`);
  const values = [beyond[0]?.place.organizationId, beyond[1]?.place.teamId];
  const found: string[] = [];
  for (const { table, columns } of tables) {
    if (others.includes(table)) continue;
    const foreign = foreignIn(table, new Set(columns));
    if (!foreign) throw new Error(`Whose are the rows of ${table}?`);
    // PostgreSQL wants to see the use of each parameter.
    const sql = `SELECT to_jsonb(t)::text AS row FROM ${table} AS t
      WHERE (${foreign}) AND ($1::uuid, $2::uuid) IS NOT NULL ORDER BY 1 ${lock}`;
    const { rows } = await client.query<{ row: string }>(sql, values);
    found.push(...rows.map(({ row }) => `${table} ${row}`));
  }
  return found;
}

/**
 * Holds locks on all foreign rows: whoever would wait for one of them to be free does so in vain.
 * @returns lets them go, and gives them as they were and as they are
 */
export async function holdForeignRows(world: World) {
  const client = new pg.Client({ connectionString: world.gateway.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  const before = await foreignRows(client, world, 'FOR UPDATE');
  async function end() {
    await client.query('COMMIT');
    const after = await foreignRows(client, world);
    await client.end();
    return { before, after };
  }
  let ended: ReturnType<typeof end> | undefined;
  return () => {
    ended ??= end();
    return ended;
  };
}
