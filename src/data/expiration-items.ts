import * as z from 'zod';
import { rules } from '../domain/rules.js';
import { type ExpirationItem, Prisma } from '../generated/prisma/client.js';
import {
  type AttachmentEntry,
  type AttachmentHead,
  attachmentsRule,
  resolveAttachments,
  storeAttachments,
} from './attachments.js';
import { whereOf } from './list.js';
import { type NamedEntry, resolveNamed } from './named.js';
import { namedCategories, namedContacts, namedLocations, namedTags } from './named-kinds.js';
import { type Condition, defineResource, type RulesFor, type Values, type Write } from './resource.js';
import type { Transaction } from './scope.js';

/** What belongs to an item beyond its own columns, in the order sent. */
export interface ItemLinks {
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
  readonly attachments: AttachmentHead[];
}

/** An item; only one that is being written has its links read with it. */
export type Item = ExpirationItem & Partial<ItemLinks>;

const itemRules = {
  name: rules.requiredLine,
  expirationDate: rules.date,
  timeOfDay: rules.timeOfDay,
  details: rules.text,
  categoryId: rules.uuid.pipe(z.string()),
  assignedToId: rules.uuid,
  contactId: rules.uuid,
  teamId: rules.uuid,
  isActive: rules.flag(true),
  isMissing: rules.flag(false),
  customFields: rules.customFields,
} satisfies RulesFor<ExpirationItem>;

const linkRules = {
  contactIds: rules.uuids,
  locationIds: rules.uuids,
  tagIds: rules.uuids,
  attachments: attachmentsRule,
};

const itemFilter = z.object({
  term: rules.line,
  categoryId: rules.uuid,
  contactId: rules.uuid,
  assignedToId: rules.uuid,
  teamId: rules.uuid,
  isActive: rules.choice,
});

/** What a list of items can be narrowed to. */
export type ExpirationItemFilter = z.input<typeof itemFilter>;

/** The document type of an item that names none (decisions on nested records). */
const standardCategory = 'Generic';

async function categoryIdOf(write: Write, input: Condition, current: Values | undefined): Promise<unknown> {
  const category = input.category as NamedEntry | null | undefined;
  const name = input.categoryName as string | null | undefined;
  const kept = category === undefined && name === undefined ? input.categoryId : undefined;
  if (kept !== undefined) return kept;
  const entry = category?.id || category?.name ? category : { name: name?.trim() || standardCategory };
  const known = current ? [current.categoryId as string] : [];
  const [id] = await resolveNamed(write, namedCategories, [entry], () => ['category'], known);
  return id;
}

/** Turns an item's nested records, as a caller writes them, into ids. */
async function resolve(write: Write, input: Condition, current: Values | undefined): Promise<Condition> {
  const links = current as Partial<ItemLinks> | undefined;
  const values: Condition = { ...input, categoryId: await categoryIdOf(write, input, current) };
  const named = [
    ['contacts', 'contactIds', namedContacts],
    ['locations', 'locationIds', namedLocations],
    ['tags', 'tagIds', namedTags],
  ] as const;
  for (const [member, field, kind] of named) {
    const entries = input[member] as NamedEntry[] | null | undefined;
    if (entries === undefined) continue;
    const at = (index: number) => [member, index];
    values[field] = await resolveNamed(write, kind, entries ?? [], at, links?.[field]);
  }
  const attachments = (input as { attachments?: readonly AttachmentEntry[] | null }).attachments;
  // What an update keeps is here as it is stored, and every entry of it is known.
  if (attachments) values.attachments = resolveAttachments(attachments, links?.attachments ?? []);
  return values;
}

/** Reads what belongs to an item beyond its columns, with one statement. */
async function withLinks(db: Transaction, item: ExpirationItem): Promise<ExpirationItem & ItemLinks> {
  const [links] = await db.$queryRaw<ItemLinks[]>`
    SELECT
      ARRAY(SELECT contact_id FROM expiration_item_contacts WHERE item_id = item.id ORDER BY position) AS "contactIds",
      ARRAY(SELECT location_id FROM expiration_item_locations WHERE item_id = item.id ORDER BY position)
        AS "locationIds",
      ARRAY(SELECT tag_id FROM expiration_item_tags WHERE item_id = item.id ORDER BY position) AS "tagIds",
      coalesce((
        SELECT json_agg(json_build_object('id', id, 'name', name, 'contentType', content_type,
          'contentLength', content_length) ORDER BY position, id)
        FROM attachments WHERE item_id = item.id
      ), '[]') AS attachments
    FROM (SELECT ${item.id}::uuid AS id) AS item`;
  return { ...item, contactIds: [], locationIds: [], tagIds: [], attachments: [], ...links };
}

const linkTables = {
  contactIds: ['expiration_item_contacts', 'contact_id'],
  locationIds: ['expiration_item_locations', 'location_id'],
  tagIds: ['expiration_item_tags', 'tag_id'],
} as const;

/** Makes one of an item's lists of links what it shall be, with one statement. */
async function storeLinks(
  tx: Transaction,
  itemId: string,
  list: keyof typeof linkTables,
  ids: readonly string[],
): Promise<void> {
  const [table, column] = linkTables[list].map((name) => Prisma.raw(name));
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM ${table} WHERE item_id = ${itemId}::uuid AND NOT ${column} = ANY(${[...ids]}::uuid[])
    )
    INSERT INTO ${table} AS link (item_id, ${column}, position)
    SELECT ${itemId}::uuid, wanted.id, wanted.place - 1
    FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS wanted (id, place)
    ON CONFLICT (item_id, ${column}) DO UPDATE SET position = excluded.position
    WHERE link.position <> excluded.position`;
}

const same = (before: readonly unknown[], after: readonly unknown[]) =>
  JSON.stringify(before) === JSON.stringify(after);

/** Stores what changed of an item's links. */
async function storeAll(
  tx: Transaction,
  item: ExpirationItem,
  before: ItemLinks,
  after: ItemLinks,
  now: Date,
) {
  for (const list of Object.keys(linkTables) as (keyof typeof linkTables)[]) {
    if (!same(before[list], after[list])) await storeLinks(tx, item.id, list, after[list]);
  }
  await storeAttachments(tx, item, before.attachments, after.attachments, now);
}

const noLinks: ItemLinks = { contactIds: [], locationIds: [], tagIds: [], attachments: [] };

/** Parts a written item into its columns and its links. */
function parted<T extends ItemLinks>({ contactIds, locationIds, tagIds, attachments, ...columns }: T) {
  return { columns, links: { contactIds, locationIds, tagIds, attachments } };
}

/** The records nested in an item, each list in its order. */
async function nested(db: Transaction, values: Values): Promise<Record<string, unknown>> {
  const { categoryId, contactIds, locationIds, tagIds } = values as Values &
    ItemLinks & { categoryId: string };
  const inOrder = <T extends { id: string }>(rows: T[], ids: readonly string[]) =>
    rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const category = await db.category.findUnique({ where: { id: categoryId } });
  return {
    category,
    categoryName: category?.name ?? null,
    contacts: inOrder(await db.contact.findMany({ where: { id: { in: contactIds } } }), contactIds),
    locations: inOrder(await db.location.findMany({ where: { id: { in: locationIds } } }), locationIds),
    tags: inOrder(await db.tag.findMany({ where: { id: { in: tagIds } } }), tagIds),
  };
}

/** Expiration items: their rules, and how they are read and written. */
export const expirationItems = defineResource(z.object({ ...itemRules, ...linkRules }), {
  kind: 'expirationItem',
  table: 'expiration_items',
  references: [
    { field: 'contactId', to: 'contact', path: ['contactId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
  ],
  shownAs: { categoryId: 'category', contactIds: 'contacts', locationIds: 'locations', tagIds: 'tags' },
  retired: { field: 'isActive', when: false },
  where: (filter) => whereOf(itemFilter, filter, ['name', 'details']),
  title: (item: Item) => item.name,
  resolve,
  complete: withLinks,
  nested,
  find: (db, id): Promise<Item | null> => db.expirationItem.findUnique({ where: { id } }),
  findMany: (db, query) => db.expirationItem.findMany(query),
  count: (db, where) => db.expirationItem.count({ where }),
  insert: async (db, values) => {
    const { columns, links } = parted(values);
    const item = await db.expirationItem.create({ data: columns });
    await storeAll(db, item, noLinks, links, item.modified);
    return { ...item, ...links };
  },
  update: async (db, id, values, before) => {
    const { columns, links } = parted(values);
    const item = await db.expirationItem.update({ where: { id }, data: columns });
    await storeAll(db, item, parted(before).links, links, item.modified);
    return { ...item, ...links };
  },
  remove: (db, id) => db.expirationItem.delete({ where: { id } }),
});
