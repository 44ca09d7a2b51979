import type { Condition, RowOf } from '../db/sql/conditions.js';
import { seesAllTeams } from '../domain/caller.js';
import type { RecordKind } from '../domain/models.js';
import { noticeDateOf, noticeRuleRule } from '../domain/notice.js';
import { newId } from '../domain/rules.js';
import { folded } from '../domain/text/names.js';
import { findLinked } from '../records/loaders.js';
import { type NamedEntry, type NamedKind, type NamedList, resolveNamed } from '../records/named.js';
import type { RecordValues, Write } from '../records/resource.js';
import { categories } from '../resources/categories.js';
import { contacts } from '../resources/contacts.js';
import { locations } from '../resources/locations.js';
import { resolvePolicy } from '../resources/reminder-policies.js';
import { tags } from '../resources/tags.js';
import { type AttachmentEntry, resolveAttachments } from './attachments.js';
import { type HolderReference, resolveHolders } from './holders.js';
import type { ItemLinks } from './item-rows.js';

/** Contacts, by their e-mail addresses. */
const namedContacts: NamedKind = {
  resource: contacts,
  key: 'email',
  inWorkspace: false,
};

/** Locations, by their names; an unknown one is made outside of any other. */
const namedLocations: NamedKind = {
  resource: locations,
  key: 'name',
  inWorkspace: false,
};

/** Tags, by their names in a workspace. */
const namedTags: NamedKind = {
  resource: tags,
  key: 'name',
  inWorkspace: true,
};

/** Document types, by their names in a workspace. */
const namedCategories: NamedKind = {
  resource: categories,
  key: 'name',
  inWorkspace: true,
};

interface CustomFieldEntry {
  readonly id?: string | null;
  readonly name?: string | null;
}

/** The document type of an item that names none (docs/use/rest.md). */
const standardCategory = 'Generic';

const findCategory = async ({ tx }: Write, id: string) =>
  (await findLinked(tx, 'category', id)) as RowOf<'Category'> | null;

/** Returns which linked records the caller does not see. */
async function hiddenAmong(
  { tx, session }: Write,
  kind: RecordKind,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (seesAllTeams(session.caller)) return new Set();
  const records = await Promise.all(ids.map((id) => findLinked(tx, kind, id)));
  return new Set(ids.filter((_, place) => records[place] === null));
}

/**
 * Puts stored links that the caller does not see back into a new list. Each keeps its place, because nobody removes
 * what they were not shown.
 */
async function withHidden(
  write: Write,
  kind: RecordKind,
  ids: readonly string[],
  stored: readonly string[],
): Promise<readonly string[]> {
  const left = stored.filter((id) => !ids.includes(id));
  const hidden = await hiddenAmong(write, kind, left);
  const all = [...ids];
  for (const [place, id] of stored.entries()) if (hidden.has(id)) all.splice(place, 0, id);
  return all;
}

/** Returns the document type that an item names; undefined if it keeps its own. */
async function namedCategory(
  write: Write,
  input: Condition,
  current: RecordValues | undefined,
): Promise<NamedList | undefined> {
  const category = input.category as NamedEntry | null | undefined;
  const name = input.categoryName as string | null | undefined;
  const byItself = Boolean(category?.id || category?.name);
  const told = !byItself && name?.trim();
  const stored = current?.categoryId as string | undefined;
  const isKept = category === undefined && name === undefined && input.categoryId !== undefined;
  if (isKept && write.teamId === current?.teamId) return undefined;
  // Null is what a caller reads who does not see the document type.
  const isUnnamed = stored !== undefined && !byItself && !told;
  if (isUnnamed && (await hiddenAmong(write, 'category', [stored])).has(stored)) return undefined;
  // An item that moves takes its document type's name along, because the target workspace may not see the
  // type.
  const along = isKept ? await findCategory(write, input.categoryId as string) : null;
  const standard = name?.trim() || along?.name || standardCategory;
  return {
    kind: namedCategories,
    entries: [category && byItself ? category : { name: standard }],
    // Report faults at the member that was sent.
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

/**
 * Settles the last day to give notice. A rule computes it from the expiration date; a day that somebody types ends a
 * rule that they do not send.
 */
function withNotice(
  { problems }: Pick<Write, 'problems'>,
  input: Condition,
  current: RecordValues | undefined,
): Condition {
  const { noticeDate, expirationDate } = input as { noticeDate?: Date | null; expirationDate?: Date | null };
  const stored = current?.noticeDate as Date | null | undefined;
  const isTyped = noticeDate !== undefined && noticeDate?.getTime() !== stored?.getTime();
  // An update that keeps the rule passes the stored one itself.
  const isKept = input.noticeRule === (current?.noticeRule ?? null);
  // What breaks the rules of rules is told with the other values.
  const rule = isTyped && isKept ? null : noticeRuleRule.safeParse(input.noticeRule).data;
  if (rule) return { ...input, noticeDate: expirationDate ? noticeDateOf(expirationDate, rule) : null };
  if (isTyped && noticeDate && expirationDate && noticeDate > expirationDate)
    problems.add(['noticeDate'], 'must not be after the expiration date', 'range');
  return isTyped && isKept ? { ...input, noticeRule: null } : input;
}

/** Lists of records nested in an item, with their input members and id fields. */
const linkLists = [
  { member: 'contacts', field: 'contactIds', kind: namedContacts },
  { member: 'locations', field: 'locationIds', kind: namedLocations },
  { member: 'tags', field: 'tagIds', kind: namedTags },
] as const;

/** Resolves an item's nested records to ids. */
export async function resolveItem(
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
  const [categoryIds, ids] = category ? [resolved[0], resolved.slice(1)] : [[current?.categoryId], resolved];
  const categoryId = categoryIds?.[0];
  const own = await resolvePolicy(write, input, current);
  const values: Condition = { ...withNotice(write, own, current), categoryId };
  for (const [place, { field }] of lists.entries()) values[field] = ids[place];
  for (const { field, kind } of linkLists) {
    const after = (values[field] ?? input[field] ?? []) as string[];
    const stored = links?.[field];
    // An update that keeps a list passes the stored one itself.
    if (stored && after !== stored)
      values[field] = await withHidden(write, kind.resource.kind, after, stored);
  }
  const holders = input.holders as readonly HolderReference[] | null | undefined;
  // An update that keeps the holders passes the stored list itself.
  if (links?.holders ? holders !== links.holders : holders?.length) {
    const resolve = () => resolveHolders(write, holders ?? [], links?.holders ?? []);
    values.holders = (await problems.collect(resolve)) ?? [];
  }
  const fields = input.customFields as readonly CustomFieldEntry[] | null | undefined;
  // An update that keeps the fields passes the stored list itself. Only another document type has other
  // definitions.
  const settled = fields === current?.customFields && categoryId === current?.categoryId;
  if (fields?.length && !settled) {
    values.customFields = await withDefinitionIds(write, categoryId as string, fields);
  }
  const attachments = (input as { attachments?: readonly AttachmentEntry[] | null }).attachments;
  // An update that keeps the attachments passes the stored list itself.
  if (attachments && attachments !== links?.attachments) {
    const resolve = () => resolveAttachments(write, attachments, links?.attachments ?? []);
    values.attachments = (await problems.collect(resolve)) ?? [];
  }
  return values;
}
