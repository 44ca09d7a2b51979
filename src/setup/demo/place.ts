import { readFile } from 'node:fs/promises';
import { type DemoKind, demoId } from '../../domain/text/demo.js';
import type { Named } from '../accounts.js';
import type { DemoData } from './data.js';

/** Reads the demo's data. */
export async function readDemo(): Promise<DemoData> {
  return JSON.parse(await readFile(new URL('../../../prisma/demo.json', import.meta.url), 'utf8'));
}

/** Workspace, time and user of the demo's records. */
export interface DemoPlace {
  readonly organizationId: string;
  readonly teamId: string;
  readonly user: Named;
  /** The demo's dates count from this day, in UTC. */
  readonly now: Date;
}

const day = 86_400_000;
/** Days since the demo's records were created; everything that happened to them is later. */
export const age = 365;

/** Adds days to a time; negative numbers go back. */
export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

/** Adds days to a time, and returns that day, like `date` columns are written. */
export function dateFrom(now: Date, days: number): Date {
  return new Date(daysFrom(now, days).toISOString().slice(0, 10));
}

/**
 * Creates the ids of the demo's records, to be looked up by kind and name. Looking up an unknown name throws.
 * @param namespace the organization, unless it is the first one
 */
export function demoIds(data: DemoData, namespace?: string) {
  const idsFor = (kind: DemoKind, names: readonly string[]) => {
    const known = new Set(names);
    return (name: string) => {
      if (!known.has(name))
        throw new Error(`The demo data names ${JSON.stringify(name)} but does not have it.`);
      return demoId(kind, name, namespace);
    };
  };
  const named = (kind: DemoKind, rows: readonly { readonly name: string }[]) =>
    idsFor(
      kind,
      rows.map(({ name }) => name),
    );
  return {
    team: named('team', [data.workspace, data.branch]),
    contactType: idsFor('contactType', data.contactTypes),
    policy: named('policy', data.policies),
    /** Names a step of a reminder policy by its days. */
    step: (policy: string, days: number) => demoId('step', `${policy}: ${days}`, namespace),
    category: named('category', data.categories),
    tag: idsFor('tag', data.tags),
    location: named('location', data.locations),
    contact: named('contact', data.contacts),
    company: named('company', data.companies),
    vehicle: named('vehicle', data.vehicles),
    item: named('item', data.items),
    note: named('note', data.notes),
    /** A document type's custom field, as `type: field`. */
    field: idsFor(
      'field',
      data.categories.flatMap(({ name, fields }) => fields.map((field) => `${name}: ${field}`)),
    ),
    attachment: named('attachment', data.files),
    /** A renewal, by its item. */
    renewal: idsFor(
      'renewal',
      data.renewals.map(({ item }) => item),
    ),
    /** A delivery, by its item. */
    delivery: idsFor(
      'delivery',
      data.deliveries.map(({ item }) => item),
    ),
    /** An acknowledgement, by its item. */
    acknowledgement: idsFor(
      'acknowledgement',
      data.acknowledgements.map(({ item }) => item),
    ),
    upload: idsFor(
      'upload',
      data.uploads.map(({ filename }) => filename),
    ),
    /** Derives the id of an event from its description. */
    event: (description: string) => demoId('event', description, namespace),
  };
}

export type DemoIds = ReturnType<typeof demoIds>;
