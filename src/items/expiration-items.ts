import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import type { Condition } from '../db/sql/query.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { groupBy } from '../domain/load/grouping.js';
import { newId, rules } from '../domain/rules.js';
import { computeStatus, type Expiring, statusIds } from '../domain/status.js';
import { folded } from '../domain/text/names.js';
import { type Category, type ExpirationItem, ReminderMode, type Team } from '../generated/prisma/client.js';
import { linkedNames } from '../records/lists/order.js';
import { findLinked } from '../records/loaders.js';
import { type NamedEntry, type NamedList, resolveNamed } from '../records/named.js';
import { defineResource, type RecordValues, type RulesFor, type Write } from '../records/resource.js';
import { namedCategories, namedContacts, namedLocations, namedTags } from '../resources/named-kinds.js';
import { resolvePolicy } from '../resources/reminder-policies.js';
import {
  type AttachmentEntry,
  attachmentsRule,
  resolveAttachments,
  storeAttachments,
} from './attachments.js';
import { itemLinks, itemsOfMany, itemsWhere } from './filter.js';
import { itemJoins } from './links.js';
import { statusNumber } from './status.js';
import {
  type Item,
  type ItemLinks,
  moveItemParts,
  noLinks,
  readItemDependents,
  readItemLinks,
} from './storage.js';

const itemRules = {
  name: rules.name,
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
  reminderPolicyId: rules.uuid,
  reminderMode: z
    .enum(ReminderMode)
    .nullish()
    .transform((mode) => mode ?? 'INHERIT'),
} satisfies RulesFor<Omit<ExpirationItem, 'notifyOn'>>;

interface CustomFieldEntry {
  readonly id?: string | null;
  readonly name?: string | null;
}

const linkRules = {
  contactIds: rules.uuids,
  locationIds: rules.uuids,
  tagIds: rules.uuids,
  attachments: attachmentsRule,
};

/** The document type of an item that names none (docs/rest.md). */
const standardCategory = 'Generic';

const findCategory = async ({ tx }: Write, id: string) =>
  (await findLinked(tx, 'category', id)) as Category | null;

/** Returns the document type that an item names; undefined if it keeps its own. */
async function namedCategory(
  write: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<NamedList | undefined> {
  const category = input.category as NamedEntry | null | undefined;
  const name = input.categoryName as string | null | undefined;
  const kept = category === undefined && name === undefined ? input.categoryId : undefined;
  if (kept !== undefined && write.teamId === current?.teamId) return undefined;
  // An item that moves takes its document type's name along, because the target workspace may not see the
  // type.
  const along = typeof kept === 'string' ? await findCategory(write, kept) : null;
  const standard = name?.trim() || along?.name || standardCategory;
  const byItself = Boolean(category?.id || category?.name);
  // Report faults at the member that was sent.
  const told = !byItself && name?.trim();
  return {
    kind: namedCategories,
    entries: [category && byItself ? category : { name: standard }],
    at: (_, member) => (told ? ['categoryName'] : ['category', ...(member ? [member] : [])]),
    known: current ? [current.categoryId as string] : [],
  };
}

/** Gives custom fields the ids of their definitions in the document type. */
async function withDefinitionIds(write: Write, categoryId: string, fields: readonly CustomFieldEntry[]) {
  const category = await findCategory(write, categoryId);
  const definitions = (category?.customFields ?? []) as { id: string; name: string | null }[];
  const keyOf = (name: string | null | undefined) => folded(name?.trim() ?? '');
  const ids = new Map(definitions.map(({ id, name }) => [keyOf(name), id]));
  return fields.map((field) => {
    const id = ids.get(keyOf(field.name)) ?? field.id;
    // A definition belongs to one field of an item, the first with its name.
    ids.delete(keyOf(field.name));
    return { ...field, id };
  });
}

/** Lists of records nested in an item, with their input members and id fields. */
const linkLists = [
  { member: 'contacts', field: 'contactIds', kind: namedContacts },
  { member: 'locations', field: 'locationIds', kind: namedLocations },
  { member: 'tags', field: 'tagIds', kind: namedTags },
] as const;

/** Resolves an item's nested records to ids. */
async function resolve(
  write: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<Condition> {
  const links = current as Partial<ItemLinks> | undefined;
  const category = await namedCategory(write, input, current);
  const lists = linkLists.flatMap(({ member, field, kind }) => {
    const entries = input[member] as NamedEntry[] | null | undefined;
    if (entries === undefined) return [];
    const at = (index: number, inner?: string) => [member, index, ...(inner ? [inner] : [])];
    return [{ field, kind, entries: entries ?? [], at, known: links?.[field] ?? [] }];
  });
  const { problems } = write;
  const all = [...(category ? [category] : []), ...lists];
  // Continue a rejected input with values that pass the rules.
  const refused = () => [
    ...(category ? [[(current?.categoryId as string) ?? newId()]] : []),
    ...lists.map(() => []),
  ];
  const resolved = (await problems.collect(() => resolveNamed(write, all))) ?? refused();
  // Several records of one request may share these lists, so do not modify them.
  const [categoryIds, ids] = category ? [resolved[0], resolved.slice(1)] : [[input.categoryId], resolved];
  const categoryId = categoryIds?.[0];
  const values: Condition = { ...(await resolvePolicy(write, input, current)), categoryId };
  for (const [place, { field }] of lists.entries()) values[field] = ids[place];
  const fields = input.customFields as readonly CustomFieldEntry[] | null | undefined;
  // An update that keeps the fields passes the stored list itself. Only another document type has other
  // definitions.
  const settled = fields === current?.customFields && categoryId === current?.categoryId;
  if (fields?.length && !settled) {
    values.customFields = await withDefinitionIds(write, categoryId as string, fields);
  }
  const attachments = (input as { attachments?: readonly AttachmentEntry[] | null }).attachments;
  // An update that keeps the attachments passes the stored ones, so every entry is known.
  if (attachments) {
    const resolve = () => resolveAttachments(attachments, links?.attachments ?? []);
    values.attachments = (await problems.collect(resolve)) ?? [];
  }
  return values;
}

/** Reads the records nested in an item, each list in order, and its status. */
async function nested(tx: Transaction, values: RecordValues, now: Date): Promise<Record<string, unknown>> {
  const { categoryId, contactIds, locationIds, tagIds } = values as RecordValues &
    ItemLinks & { categoryId: string };
  const inOrder = <T extends { id: string }>(rows: T[], ids: readonly string[]) =>
    rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const [category] = await readRows(tx, 'Category', { where: { id: categoryId } });
  const team = (await findLinked(tx, 'team', values.teamId)) as Team | null;
  const status = team && computeStatus(values as RecordValues & Expiring, team, now);
  const among = (ids: readonly string[]) => ({ where: { id: { in: ids } } });
  return {
    category: category ?? null,
    categoryName: category?.name ?? null,
    status,
    statusId: status && statusIds[status],
    contacts: inOrder(await readRows(tx, 'Contact', among(contactIds)), contactIds),
    locations: inOrder(await readRows(tx, 'Location', among(locationIds)), locationIds),
    tags: inOrder(await readRows(tx, 'Tag', among(tagIds)), tagIds),
  };
}

/** Expiration items: their rules, and how they are read and written. */
export const expirationItems = defineResource(z.object({ ...itemRules, ...linkRules }), {
  kind: 'expirationItem',
  references: [
    { field: 'contactId', to: 'contact', path: ['contactId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
    { field: 'reminderPolicyId', to: 'reminderPolicy', path: ['reminderPolicyId'] },
  ],
  eventNames: { categoryId: 'category', contactIds: 'contacts', locationIds: 'locations', tagIds: 'tags' },
  retired: { field: 'isActive', when: false },
  indexed: ['expirationDate', 'name', 'modified'],
  indexedBy: { categoryId: ['expirationDate'], assignedToId: ['expirationDate'] },
  orderKeys: {
    ...linkedNames({
      category: ['categoryId', 'category'],
      contact: ['contactId', 'contact'],
      assignedTo: ['assignedToId', 'user'],
      team: ['teamId', 'team'],
    }),
    'status.number': { rule: z.int32(), column: statusNumber },
  },
  ranges: { expirationDate: 'Date' },
  manyOf: itemsOfMany,
  links: itemLinks,
  customFields: true,
  where: itemsWhere,
  title: (item: Item) => item.name,
  resolve,
  parts: Object.keys(noLinks),
  lists: { contactIds: itemJoins.contact, locationIds: itemJoins.location, tagIds: itemJoins.tag },
  readParts: async (tx, ids) => {
    const links = await readItemLinks(tx, ids);
    return new Map(ids.map((id) => [id, links.get(id) ?? noLinks]));
  },
  nested,
  rows: defineRows('ExpirationItem', (item): Item => item),
  insertParts: (tx, item) => storeAttachments(tx, item, [], item.attachments, item.modified),
  beforeUpdate: async (tx, changes) => {
    const moved = changes.filter(({ before, after }) => before.teamId !== after.teamId);
    for (const together of groupBy(moved, ({ after }) => after.teamId)) {
      const ids = together.map(({ id }) => id);
      await moveItemParts(tx, ids, together[0]?.after.teamId ?? '');
    }
    for (const { id, organizationId, before, after } of changes) {
      const { teamId, modified } = after;
      const item = { id, organizationId, teamId };
      await storeAttachments(tx, item, before.attachments, after.attachments, modified);
    }
  },
  readDependents: readItemDependents,
});
