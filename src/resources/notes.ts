import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany } from '../db/sql/conditions.js';
import { readRows, rowsOf } from '../db/sql/select.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { entityKinds } from '../domain/events.js';
import { check, limits, rules } from '../domain/rules.js';
import { plainText, sanitizeHtml } from '../domain/text/html.js';
import type { Note } from '../generated/prisma/client.js';
import { about, whereOf } from '../records/list.js';
import { type Batch, grouped } from '../records/loaders.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const kinds = `must be from 1 to ${entityKinds.size}`;
const entityType = z.int32().min(1, kinds).max(entityKinds.size, kinds);

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

/** That a note is about a record. */
export type NoteRelation = z.output<typeof relations>[number];

/** A note, and what it is about where that has been read. */
export type NoteRow = Note & { readonly relations?: readonly NoteRelation[] };

const noteRules = {
  name: rules.line,
  // Its limit is one of what is sent: escaping makes it longer (`resolve`).
  body: z.string().meta({ maxLength: limits.text }).nullable(),
  bodyText: rules.text,
  teamId: rules.uuid,
  relations,
} satisfies RulesFor<Note & { relations: unknown }>;

const noteFilter = z.object({
  term: rules.line,
  teamId: rules.uuid,
  entityId: rules.uuid,
  entityType: entityType.nullish(),
});

/** What a list of notes can be narrowed to. */
export type NoteFilter = z.input<typeof noteFilter>;

/** What each note is about, in the order sent. */
export const relationsOf: Batch<NoteRelation[]> = async (session, noteIds) => {
  const where = { noteId: { in: noteIds } };
  const rows = await readRows(session, 'NoteRelation', { where, orderBy: [{ position: 'asc' }] });
  return grouped(noteIds, rows, ({ noteId }) => noteId).map((entries) => entries.map(shown));
};

const shown = ({ entityId, entityType }: NoteRelation): NoteRelation => ({ entityId, entityType });

/** Writes what a note is about, in the order given. */
async function relate(tx: Transaction, noteId: string, entries: readonly NoteRelation[]): Promise<void> {
  const rows = entries.map((entry, position) => ({ ...entry, noteId, position }));
  await insertRows(tx, 'NoteRelation', rows);
}

/** The texts of a note as callers write them, or as they were. */
interface Texts {
  readonly body?: string | null;
  readonly bodyText?: string | null;
}

/** The texts to store: clean HTML, and its plain text unless the caller gives another one with it. */
function textsOf(sent: Texts, current: Texts | undefined): Required<Texts> {
  const kept = current !== undefined && sent.body === current.body;
  const body = kept ? sent.body : check(rules.text, sent.body, ['body']);
  const clean = body == null ? null : kept ? body : sanitizeHtml(body);
  const untold = !kept && (sent.bodyText ?? null) === (current?.bodyText ?? null);
  if (sent.bodyText !== undefined && !untold) return { body: clean, bodyText: sent.bodyText };
  return { body: clean, bodyText: clean === null ? null : plainText(clean) };
}

/** Notes: their rules, and how they are read and written. */
export const notes = defineResource(z.object(noteRules), {
  kind: 'note',
  references: [],
  indexed: ['modified'],
  where: (filter) => whereOf(noteFilter, filter, ['name', 'bodyText'], about('relations', 'entityType')),
  title: (note: NoteRow) => note.name,
  resolve: async (_write, input, current) => ({ ...input, ...textsOf(input, current as Texts | undefined) }),
  related: (values) =>
    (values.relations as NoteRelation[]).flatMap(({ entityId, entityType }) => {
      const kind = entityKinds.get(entityType);
      return kind ? [{ kind, id: entityId }] : [];
    }),
  rows: rowsOf('Note'),
  parts: ['relations'],
  readParts: async (tx, ids) => {
    const reading = { where: { noteId: oneOrMany(ids) }, orderBy: [{ position: 'asc' }] };
    const relations = grouped(ids, await readRows(tx, 'NoteRelation', reading), ({ noteId }) => noteId);
    return new Map(ids.map((id, index) => [id, { relations: (relations[index] ?? []).map(shown) }]));
  },
  insert: async (tx, { relations, ...row }) => {
    await insertRows(tx, 'Note', [row]);
    await relate(tx, row.id, relations);
    return { ...row, relations };
  },
  beforeUpdate: async (tx, changes) => {
    for (const { id, before, after } of changes) {
      if (JSON.stringify(after.relations) === JSON.stringify(before.relations)) continue;
      await deleteRows(tx, 'NoteRelation', { noteId: id });
      await relate(tx, id, after.relations);
    }
  },
});
