import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany } from '../db/sql/conditions.js';
import { defineRows, readRows } from '../db/sql/select.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { entityKinds } from '../domain/events.js';
import { check, limits, rules } from '../domain/rules.js';
import { plainText, sanitizeHtml } from '../domain/text/html.js';
import type { Note } from '../generated/prisma/client.js';
import { aboutRecord } from '../records/list.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { type BatchLoader, groupByKey, lookUpOnce } from '../records/loaders.js';
import { defineResource, type RulesFor, type Write } from '../records/resource.js';

const kinds = `must be from 1 to ${entityKinds.size}`;
const entityType = z.int32('is required').min(1, kinds).max(entityKinds.size, kinds);

const relations = z
  .array(z.object({ entityId: rules.requiredUuid, entityType }))
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish()
  .transform((entries) => {
    const first = new Map<string, { entityId: string; entityType: number }>();
    for (const entry of entries ?? []) {
      const key = `${entry.entityType} ${entry.entityId}`;
      if (!first.has(key)) first.set(key, entry);
    }
    return [...first.values()];
  });

/** A record that a note is about. */
export type NoteRelation = z.output<typeof relations>[number];

/** A note, with the records it is about if they were read. */
export type NoteRow = Note & { readonly relations?: readonly NoteRelation[] };

const noteRules = {
  name: rules.line,
  // Its limit is one of what is sent: escaping makes it longer (`resolve`).
  body: z.string().meta({ maxLength: limits.text, limitsInputOnly: true }).nullable(),
  bodyText: rules.text,
  teamId: rules.uuid,
  relations,
} satisfies RulesFor<Omit<Note, 'authorId'> & { relations: unknown }>;

const noteFilter = z.object({
  term: rules.line,
  teamId: rules.uuid,
  entityId: rules.uuid,
  entityType: entityType.nullish(),
  entityKind: rules.int,
});

export type NoteFilter = z.input<typeof noteFilter>;

/** Loads the records that each note is about, in the order sent. */
export const relationsByNote: BatchLoader<NoteRelation[]> = async (session, noteIds) => {
  const where = { noteId: { in: noteIds } };
  const rows = await readRows(session, 'NoteRelation', { where, orderBy: [{ position: 'asc' }] });
  return groupByKey(noteIds, rows, ({ noteId }) => noteId).map((entries) => entries.map(toRelation));
};

const toRelation = ({ entityId, entityType }: NoteRelation): NoteRelation => ({ entityId, entityType });

/** Inserts the records that notes are about, in the order given. */
async function insertRelations(
  tx: Transaction,
  notes: readonly { readonly id: string; readonly relations: readonly NoteRelation[] }[],
): Promise<void> {
  const rows = notes.flatMap(({ id: noteId, relations }) =>
    relations.map((entry, position) => ({ ...entry, noteId, position })),
  );
  await insertRows(tx, 'NoteRelation', rows);
}

/** Texts of a note, as input or as stored. */
interface Texts {
  readonly body?: string | null;
  readonly bodyText?: string | null;
}

/** Sanitizes a note's HTML, and makes its plain text. */
const sanitized = (body: string) => {
  const clean = sanitizeHtml(body);
  return { clean, plain: plainText(clean) };
};

/** Returns the texts to store. They are sanitized HTML and its plain text, unless the caller sent one. */
async function cleanTexts(
  { tx, problems }: Write,
  sent: Texts,
  current: Texts | undefined,
): Promise<Required<Texts>> {
  const kept = current !== undefined && sent.body === current.body;
  const body = kept ? sent.body : await problems.collect(() => check(rules.text, sent.body, ['body']));
  const untold = !kept && (sent.bodyText ?? null) === (current?.bodyText ?? null);
  const told = sent.bodyText !== undefined && !untold;
  if (body == null) return { body: null, bodyText: told ? (sent.bodyText ?? null) : null };
  if (kept && told) return { body, bodyText: sent.bodyText ?? null };
  // Once for all notes that get it: it takes long.
  const { clean, plain } = await lookUpOnce(tx, `note ${body}`, async () => sanitized(body));
  return { body: kept ? body : clean, bodyText: told ? (sent.bodyText ?? null) : plain };
}

/** Notes: their rules, and how they are read and written. */
export const notes = defineResource(z.object(noteRules), {
  kind: 'note',
  references: [],
  indexed: ['modified'],
  orderKeys: linkedNames({ team: ['teamId', 'team'] }),
  manyOf: { teamIds: inColumn('teamId') },
  where: (filter) =>
    filterCondition(noteFilter, filter, ['name', 'bodyText'], aboutRecord('relations', 'entityType')),
  title: (note: NoteRow) => note.name,
  resolve: async (write, input, current) => ({
    ...input,
    ...(await cleanTexts(write, input, current as Texts | undefined)),
  }),
  related: (values) =>
    (values.relations as NoteRelation[]).flatMap(({ entityId, entityType }) => {
      const kind = entityKinds.get(entityType);
      return kind ? [{ kind, id: entityId }] : [];
    }),
  rows: defineRows('Note'),
  createdBy: 'authorId',
  parts: ['relations'],
  readParts: async (tx, ids) => {
    const reading = { where: { noteId: oneOrMany(ids) }, orderBy: [{ position: 'asc' }] };
    const relations = groupByKey(ids, await readRows(tx, 'NoteRelation', reading), ({ noteId }) => noteId);
    return new Map(ids.map((id, index) => [id, { relations: (relations[index] ?? []).map(toRelation) }]));
  },
  insertParts: (tx, note) => insertRelations(tx, [note]),
  beforeUpdate: async (tx, changes) => {
    const told = changes.filter(
      ({ before, after }) => JSON.stringify(after.relations) !== JSON.stringify(before.relations),
    );
    if (told.length === 0) return;
    await deleteRows(tx, 'NoteRelation', { noteId: oneOrMany(told.map(({ id }) => id)) });
    await insertRelations(
      tx,
      told.map(({ id, after }) => ({ id, relations: after.relations })),
    );
  },
});
