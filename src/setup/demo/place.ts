import { newId } from '../../domain/rules.js';
import type { Named } from '../accounts.js';
import type { DemoData } from './data.js';

/** Workspace, time and user of the demo's records. */
export interface DemoPlace {
  readonly organizationId: string;
  readonly teamId: string;
  readonly user: Named;
  /** The demo's dates count from this moment's day, in UTC. */
  readonly now: Date;
}

const day = 86_400_000;
/** Days since the demo's records were made; what happened to them is younger. */
export const age = 365;

/** Adds days to a moment; negative ones lead back. */
export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

/** Adds days to a moment, and returns that day, as `date` columns are written. */
export function dateFrom(now: Date, days: number): Date {
  return new Date(daysFrom(now, days).toISOString().slice(0, 10));
}

/** Makes an id for each name. Asking for another name is a mistake in the demo's data. */
function idsFor(names: readonly string[]): (name: string) => string {
  const ids = new Map(names.map((name) => [name, newId()]));
  return (name) => {
    const id = ids.get(name);
    if (!id) throw new Error(`The demo data names ${JSON.stringify(name)} but does not have it.`);
    return id;
  };
}

/**
 * Makes new ids for the demo's records, found by kind and name. Asking for a name that the data lacks throws.
 */
export function demoIds(data: DemoData) {
  const named = (rows: readonly { readonly name: string }[]) => idsFor(rows.map(({ name }) => name));
  return {
    contactType: idsFor(data.contactTypes),
    category: named(data.categories),
    tag: idsFor(data.tags),
    location: named(data.locations),
    contact: named(data.contacts),
    vehicle: named(data.vehicles),
    item: named(data.items),
    /** A document type's custom field, as `type: field`. */
    field: idsFor(data.categories.flatMap(({ name, fields }) => fields.map((field) => `${name}: ${field}`))),
  };
}

export type DemoIds = ReturnType<typeof demoIds>;
