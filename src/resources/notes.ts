import * as z from 'zod';
import type { Transaction } from '../db/connection/transaction.js';
import { oneOrMany } from '../db/sql/models.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertRows } from '../db/sql/write.js';
import { badField } from '../domain/errors.js';
import { entityKinds, entityTypes, entityTypeText } from '../domain/models.js';
import { check, limits, rules } from '../domain/rules.js';
import { sanitizeInTurns } from '../domain/text/html.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, link, parts, unexposed } from '../records/declare/fields.js';
import { aboutRecord } from '../records/list.js';
import { type BatchLoader, groupByKey, lookUpOnce } from '../records/loaders.js';
import { checkMentions, newlyMentioned, queueMentions } from '../records/mentions.js';
import type { Write } from '../records/resource.js';

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

interface SentRelation {
  readonly kind?: number | null;
  readonly entityType?: number | null;
}

// Its limit is one of what is sent: escaping makes it longer (`resolve`).
const bodyRule = z.string().meta({ maxLength: limits.text, limitsInputOnly: true }).nullable().default(null);

/** Replaces the words of an input's relations by their numbers. @throws GatewayError BAD_REQUEST where they differ */
function wordsToNumbers(sent: readonly SentRelation[]) {
  return sent.map(({ kind, entityType, ...relation }, index) => {
    if (kind != null && entityType != null && kind !== entityType)
      throw badField(['relations', index, 'kind'], 'is another one than entityType');
    return { ...relation, entityType: kind ?? entityType };
  });
}

const about = aboutRecord('relations', 'entityType');

/** Loads the records that each note is about, in the order sent. */
const relationsByNote: BatchLoader<NoteRelation[]> = async (session, noteIds) => {
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

/** Characters from which a note is sanitized in several turns of the event loop. */
const longBody = 4_096;

/** Returns the texts to store. They are sanitized HTML and its plain text, unless the caller sent one. */
async function cleanTexts(
  { tx, session, problems }: Write,
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
  const { clean, plain } = await lookUpOnce(tx, `note ${body}`, () =>
    sanitizeInTurns(body, async () => {
      if (body.length > longBody) await session.slices.next();
    }),
  );
  return { body: kept ? body : clean, bodyText: told ? (sent.bodyText ?? null) : plain };
}

/** The kind of expiration items, as relations name it. */
const itemType = entityTypes.expirationItem;

/** Checks that whoever a note newly mentions sees it, and its items. */
async function checkMentioned(
  { tx, teamId, problems }: Write,
  input: Texts & { readonly relations?: unknown },
  bodyText: string | null,
  current: (Texts & { readonly relations?: readonly NoteRelation[] }) | undefined,
): Promise<void> {
  const sent = relations.safeParse(input.relations ?? current?.relations);
  // Relations that are wrong are reported by their own rule.
  if (!sent.success) return;
  const about = {
    ...{ text: bodyText, before: current?.bodyText, teamId, isAbout: sent.data.length > 0 },
    itemIds: sent.data.filter((one) => one.entityType === itemType).map(({ entityId }) => entityId),
  };
  await checkMentions(tx, about, problems, [
    input.bodyText == null && input.body != null ? 'body' : 'bodyText',
  ]);
}

/** Notes about other records. */
export const notes = declareResource('Note', {
  fields: {
    id: exposed(),
    name: exposed(rules.line),
    body: exposed(bodyRule, {
      sent: 'The note as HTML. Anything but plain formatting is removed.',
    }),
    bodyText: exposed(rules.text, {
      sent: 'The note as plain text. If omitted, or if only the body changes, it is derived from the body. `@[Max Power](id)` mentions a user, who must see what the note is about and gets a mail, once for a note.',
    }),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the note belongs to.', { list: 'The notes of the workspace.' }),
    created: exposed(),
    modified: exposed(),
    relations: parts(relations, {
      type: 'NoteRelation',
      description: 'The records that the note is about, in the order sent and without duplicates.',
      load: relationsByNote,
    }),
    authorId: unexposed(),
    author: link('authorId', 'The user who wrote the note. Null for notes older than this field.', {
      ordered: false,
      hasNone: false,
    }),
  },
  fromInput: ({ relations, ...input }: { relations?: readonly SentRelation[] | null }) => ({
    ...input,
    ...(relations !== undefined && { relations: relations && wordsToNumbers(relations) }),
  }),
  filter: {
    term: {
      in: ['name', 'bodyText'],
      description: 'Part of the name or the plain text, ignoring case.',
    },
    teamId: 'Notes in this workspace.',
    entityId: {
      type: 'ID',
      rule: rules.uuid,
      description: 'Notes about this record.',
      where: about.entityId,
    },
    entityType: {
      type: 'Int',
      rule: entityType.nullish(),
      description: `Notes about records of this kind. ${entityTypeText}`,
      deprecated: 'Send `entityKind`. It goes in version 1.0.',
      where: about.entityType,
    },
    entityKind: {
      type: 'RecordKind',
      rule: rules.int,
      description: 'Notes about records of this kind.',
      where: about.entityKind,
    },
  },
  order: { field: 'modified', direction: 'desc' },
  indexed: ['modified'],
  searchPlace: 8,
  title: (note) => note.name,
  resolve: async (write, input, current) => {
    const texts = await cleanTexts(write, input, current as Texts | undefined);
    await checkMentioned(
      write,
      input,
      texts.bodyText,
      current as (Texts & { relations: NoteRelation[] }) | undefined,
    );
    return { ...input, ...texts };
  },
  related: (values) =>
    (values.relations as NoteRelation[]).flatMap(({ entityId, entityType }) => {
      const kind = entityKinds.get(entityType);
      return kind ? [{ kind, id: entityId }] : [];
    }),
  createdBy: 'authorId',
  readParts: async (tx, ids) => {
    const reading = { where: { noteId: oneOrMany(ids) }, orderBy: [{ position: 'asc' }] };
    const relations = groupByKey(ids, await readRows(tx, 'NoteRelation', reading), ({ noteId }) => noteId);
    return new Map(ids.map((id, index) => [id, { relations: (relations[index] ?? []).map(toRelation) }]));
  },
  insertParts: async (tx, note) => {
    await insertRelations(tx, [note]);
    await queueMentions(tx, note, newlyMentioned(note.bodyText, null), note.created);
  },
  beforeUpdate: async (tx, changes) => {
    for (const { id, organizationId, before, after } of changes) {
      const added = newlyMentioned(after.bodyText, before.bodyText);
      await queueMentions(tx, { id, organizationId, teamId: after.teamId }, added, after.modified);
    }
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
  rest: {
    tag: 'Notes',
    about: 'Notes about other records.',
    model: 'NoteModel',
    models: { NoteRelationModel: { type: 'NoteRelation', members: ['entityId', 'entityType'] } },
    records: { '/v1/notes': { kind: 'note', name: 'Second quote', deleted: 'Truck 103' } },
    term: 'quote',
    routes: {
      'GET /v1/notes': {
        origin: 'addition',
        summary: 'Lists notes, the last changed first.',
      },
      'POST /v1/notes': {
        origin: 'addition',
        example: { name: 'Phoned', body: '<p>They send the papers on Monday.</p>' },
      },
      'GET /v1/notes/{id}': { origin: 'addition' },
      'PUT /v1/notes/{id}': {
        origin: 'contract',
        field: 'updateNote',
        example: { name: 'Phoned', body: '<p>They send the papers on Monday.</p>' },
      },
      'PATCH /v1/notes/{id}': {
        origin: 'contract',
        errors: ['NOT_FOUND'],
        example: [{ op: 'replace', path: '/name', value: 'Phoned twice' }],
      },
      'DELETE /v1/notes/{id}': {
        origin: 'addition',
      },
    },
  },
});
