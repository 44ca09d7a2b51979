import {
  CategoryOptions,
  CompanyOptions,
  ContactOptions,
  ContactTypeOptions,
  LocationOptions,
  MemberOptions,
  PolicyOptions,
  RecordNames,
  TagOptions,
  TeamOptions,
  UserOptions,
  VehicleOptions,
} from '../generated/operations/options';
import { isVisible, shownName } from '../i18n/names';
import type { Option } from '../ui/combobox';
import { now, type Operation, request } from './client';

/** Finds records by a part of their names. */
export type Find = (term: string, signal: AbortSignal) => Promise<readonly Option[]>;

/** Creates a function that finds records of a kind by a part of their names. */
function finder<Data>(
  operation: Operation<Data, { term?: string | null | undefined }>,
  optionsOf: (data: Data) => readonly Option[],
): Find {
  return async (term, signal) => {
    const outcome = await request(operation, { term: term || null }, signal);
    return outcome.ok ? optionsOf(outcome.data) : [];
  };
}

/** Creates the option of a contact, which may have only an address. */
export const contactOption = (contact: { id: string; name: string | null; email: string }): Option => ({
  id: contact.id,
  label: shownName(contact.name, contact.email),
  detail: isVisible(contact.name) ? contact.email : undefined,
});

export const findCategories = finder(CategoryOptions, ({ categories }) =>
  categories.nodes.map(({ id, name, team }) => ({ id, label: name, detail: team?.name })),
);

export const findContacts = finder(ContactOptions, ({ contacts }) => contacts.nodes.map(contactOption));

export const findContactTypes = finder(ContactTypeOptions, ({ contactTypes }) =>
  contactTypes.nodes.map(({ id, name }) => ({ id, label: name ?? '' })),
);

export const findLocations = finder(LocationOptions, ({ locations }) =>
  locations.nodes.map(({ id, name, parentLocation }) => ({
    id,
    label: name ?? '',
    detail: parentLocation?.name ?? undefined,
  })),
);

export const findPolicies = finder(PolicyOptions, ({ reminderPolicies }) =>
  reminderPolicies.nodes.map(({ id, name, team }) => ({ id, label: name, detail: team?.name })),
);

export const findCompanies = finder(CompanyOptions, ({ companies }) =>
  companies.nodes.map(({ id, name, doingBusinessAs }) => ({ id, label: shownName(name, doingBusinessAs) })),
);

export const findVehicles = finder(VehicleOptions, ({ vehicles }) =>
  vehicles.nodes.map(({ id, name, licensePlate }) => ({
    id,
    label: shownName(name, licensePlate),
    detail: isVisible(name) ? (licensePlate ?? undefined) : undefined,
  })),
);

export const findTags = finder(TagOptions, ({ tags }) =>
  tags.nodes.map(({ id, name }) => ({ id, label: name ?? '' })),
);

export const findUsers = finder(UserOptions, ({ users }) =>
  users.nodes.map(({ id, name, email }) => ({ id, label: name, detail: email })),
);

/** Creates a function that finds the members of a workspace. */
export const findMembers =
  (teamId: string): Find =>
  async (term, signal) => {
    const outcome = await request(MemberOptions, { term: term || null, teamId }, signal);
    const found = outcome.ok ? outcome.data.users.nodes : [];
    return found.map(({ id, name, email }) => ({ id, label: name, detail: email }));
  };

export const findTeams = finder(TeamOptions, ({ teams }) =>
  teams.nodes.map(({ id, name }) => ({ id, label: name })),
);

const known = new Map<string, Option>();

/** Looks up the names of the records whose ids are in the address. */
export async function optionsByIds(ids: readonly string[]): Promise<readonly Option[]> {
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    const outcome = await request(RecordNames, { ids: missing });
    for (const node of (outcome.ok && outcome.data.nodes) || []) {
      if (!node) continue;
      const label = Object.entries(node).find(([field, value]) => /Name$/.test(field) && value)?.[1];
      const others = ['email' in node && node.email, 'licensePlate' in node && node.licensePlate];
      const business = 'doingBusinessAs' in node && node.doingBusinessAs;
      known.set(node.id, { id: node.id, label: shownName(label, ...others, business) });
    }
  }
  return ids.map((id) => known.get(id) ?? { id, label: id.slice(0, 8) });
}

const labelOf = (zone: string): string => zone.replaceAll('_', ' ');

/** Creates the option of a time zone: `Europe/Berlin`. */
export const zoneOption = (zone: string): Option => ({ id: zone, label: labelOf(zone) });

/** Formats a time zone and its current offset from UTC: `America/Toronto (UTC-5)`. */
export function zoneText(zone: string): string {
  if (zone === 'UTC') return zone;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
    const offset = format.formatToParts(now()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${labelOf(zone)} (${offset.replace('GMT', 'UTC')})`;
  } catch {
    return labelOf(zone);
  }
}

/** Finds time zones by a part of their names. */
export function findZones(term: string): Promise<readonly Option[]> {
  const wanted = term.toLowerCase();
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')].map(zoneOption);
  return Promise.resolve(zones.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 20));
}
