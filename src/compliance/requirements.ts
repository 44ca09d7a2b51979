import * as z from 'zod';
import { prepared } from '../db/connection/statement.js';
import { type RowOf, recordsSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { updateRows } from '../db/sql/write.js';
import { isUuid, rules } from '../domain/rules.js';
import { demoId } from '../domain/text/demo.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { declareResource } from '../records/declare/declare.js';
import { computed, exposed, exposedInGraphql, link } from '../records/declare/fields.js';
import { seenIds } from '../records/lists/filter.js';
import { loadAll } from '../records/loaders.js';
import type { Write } from '../records/resource.js';
import { appliesCondition, readApplies } from './applies.js';

/** The most days of validity and of grace: a hundred years. */
const mostDays = 36_525;

const daysRule = rules.between(0, mostDays).transform((days) => days ?? 0);

const kindRule = z.enum(holderKinds, `must be one of ${holderKinds.join(', ')}`);

/** Rules of what decides whether a record meets a requirement. */
export const decisiveRules = {
  holderKind: kindRule,
  applies: rules.object.transform((filter) => filter ?? {}),
  anyOf: rules.uuids.refine((ids) => ids.length > 0, 'must name at least one document type'),
  validDays: daysRule,
  graceDays: daysRule,
  needsFile: rules.flag(false),
  allowNoDate: rules.flag(false),
};

/** Checks that all document types exist. Those that a requirement has already may be gone by now. */
async function checkTypes({ tx, problems }: Write, given: unknown, known: readonly string[]): Promise<void> {
  if (!Array.isArray(given)) return;
  const before = new Set(known);
  const named = given
    .map((id, index) => ({ id: String(id).toLowerCase(), index }))
    .filter(({ id }) => isUuid(id) && !before.has(id));
  // Locked like with a foreign key, so that none is deleted meanwhile.
  const lock = sql`
    SELECT record.id ${recordsSql(tx, 'category', { id: { in: named.map(({ id }) => id) } })}
    ORDER BY record.id FOR KEY SHARE OF record`;
  const rows = named.length > 0 ? await tx.run<{ id: string }>(prepared('requirements.types', lock)) : [];
  const found = new Set(rows.map(({ id }) => id));
  for (const { id, index } of named)
    if (!found.has(id)) problems.add(['anyOf', index], 'names no document type that exists', 'reference');
}

/** Persons whom requirements may ask, by the kind of their records. */
const askable: Readonly<Record<HolderKind, readonly string[]>> = {
  vehicle: ['ASSIGNEE'],
  contact: ['HOLDER', 'ASSIGNEE'],
  company: ['MAIN_CONTACT', 'ASSIGNEE'],
  location: [],
};

/** The most days before a document expires on which it is asked for: ten years. */
const mostDaysBefore = 3_650;

const days = (least: number, most: number, standard: number) =>
  rules.between(least, most).transform((count) => count ?? standard);

/** Requirements: what vehicles, people, companies and locations must have. */
export const requirements = declareResource('Requirement', {
  fields: {
    id: exposed(),
    name: exposed(rules.name),
    holderKind: exposed(decisiveRules.holderKind, {
      type: 'HolderKind',
      description: 'The kind of records that must meet the requirement.',
    }),
    applies: exposed(decisiveRules.applies, {
      type: 'JSON',
      description:
        'Which records of the kind must meet the requirement: a filter with the members that their list has, such as `{"locationId": "…"}`. Those about the caller (`hasNone`, `modifiedSince`) are not among them. If empty, all that are not archived.',
    }),
    anyOf: exposed(decisiveRules.anyOf, {
      sent: 'The ids of the document types, one of which is enough. At least one is needed.',
    }),
    categories: computed(
      '[Category]!',
      ['anyOf'],
      'The document types, one of which is enough, as far as the caller sees them.',
      ({ anyOf }: RowOf<'Requirement'>, session) => loadAll(session, 'category', anyOf),
    ),
    validDays: exposed(decisiveRules.validDays),
    graceDays: exposed(decisiveRules.graceDays),
    needsFile: exposed(decisiveRules.needsFile),
    allowNoDate: exposed(decisiveRules.allowNoDate),
    askTo: exposed(z.enum(['HOLDER', 'MAIN_CONTACT', 'ASSIGNEE']).nullish().default(null), {
      enum: {
        about: 'Who is asked for the documents of a record by itself.',
        values: {
          HOLDER: 'The person whose document it is.',
          MAIN_CONTACT: 'The main contact of the company.',
          ASSIGNEE: 'Who is assigned to the record: of a vehicle the contact, or else the user.',
        },
      },
    }),
    askDaysBefore: exposed(days(0, mostDaysBefore, 30)),
    askEveryDays: exposed(days(1, 365, 7)),
    isActive: exposed(rules.flag(true)),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace whose records must meet the requirement.', {
      list: 'The requirements of the workspace.',
    }),
    created: exposedInGraphql(),
    modified: exposed(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    holderKind: {
      type: 'HolderKind',
      rule: kindRule.nullish(),
      description: 'Requirements for records of this kind.',
    },
    categoryId: {
      type: 'ID',
      rule: rules.uuid,
      description: 'Requirements that this document type meets.',
      where: (categoryId: string, _all, session) => ({
        anyOf: { has: seenIds(session, 'category', categoryId) },
      }),
    },
    isActive: 'If true, only requirements in use. If false, only those not in use.',
    teamId: 'Requirements in this workspace.',
  },
  retired: { field: 'isActive', when: false },
  indexed: ['name'],
  title: (requirement) => requirement.name,
  resolve: async (write, input, current) => {
    await checkTypes(write, input.anyOf, (current?.anyOf ?? []) as string[]);
    const kind = kindRule.safeParse(input.holderKind).data as HolderKind | undefined;
    const filter = rules.object.safeParse(input.applies).data;
    const { askTo } = input as { readonly askTo?: string | null };
    if (kind && askTo && !askable[kind].includes(askTo)) {
      const who = askable[kind].length > 0 ? `must be ${askable[kind].join(' or ')}` : 'must be empty';
      write.problems.add(['askTo'], `${who} for records of this kind`, 'invalid');
    }
    // What breaks the rules of either is told with the other values.
    if (!kind || !filter) return input;
    const applies = await write.problems.collect(async () => {
      const read = readApplies(kind, JSON.parse(JSON.stringify(filter)), ['applies']);
      await appliesCondition(write.session, kind, read);
      return read;
    });
    return { ...input, applies: applies ?? {} };
  },
  beforeUpdate: async (tx, changes) => {
    for (const { id, before, after } of changes)
      if (before.teamId !== after.teamId)
        await updateRows(tx, 'Exemption', { requirementId: id }, { teamId: after.teamId });
  },
  rest: {
    tag: 'Requirements',
    about: 'What vehicles, people, companies and locations must have.',
    model: 'RequirementModel',
    routes: {
      'GET /v1/requirements': { origin: 'addition' },
      'POST /v1/requirements': {
        origin: 'addition',
        example: {
          name: 'Driving licence',
          holder_kind: 'contact',
          any_of: [demoId('category', 'Driver licence')],
          valid_days: 14,
        },
      },
      'GET /v1/requirements/{id}': { origin: 'addition' },
      'PUT /v1/requirements/{id}': {
        origin: 'addition',
        field: 'updateRequirement',
        example: { name: 'Insured', grace_days: 7 },
      },
      'PATCH /v1/requirements/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/grace_days', value: 14 }],
      },
      'DELETE /v1/requirements/{id}': { origin: 'addition' },
    },
  },
});
