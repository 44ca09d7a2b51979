import { contactOption } from '../../data/options';
import type { CreateExpirationItemInput, UpdateExpirationItemInput } from '../../generated/types';
import type { Option } from '../../ui/combobox';
import type { ItemDetail } from './item';

/** A custom field in the form. */
export interface FieldDraft {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** An item in the form. */
export interface Draft {
  readonly name: string;
  readonly expirationDate: string;
  readonly timeOfDay: string;
  readonly details: string;
  readonly isMissing: boolean;
  readonly isSilent: boolean;
  readonly category: readonly Option[];
  readonly team: readonly Option[];
  readonly policy: readonly Option[];
  readonly assignedTo: readonly Option[];
  readonly contact: readonly Option[];
  readonly contacts: readonly Option[];
  readonly locations: readonly Option[];
  readonly tags: readonly Option[];
  readonly fields: readonly FieldDraft[];
}

/** Prefix of an option's id that stands for a new record. */
export const newPrefix = 'new:';

const named = (record: { id: string; name: string | null } | null | undefined): Option[] =>
  record ? [{ id: record.id, label: record.name ?? '' }] : [];

/** Returns the form values of an item, or of a new one. */
export function draftOf(item: ItemDetail | undefined): Draft {
  return {
    name: item?.name ?? '',
    expirationDate: item?.expirationDate ?? '',
    timeOfDay: item?.timeOfDay ?? '',
    details: item?.details ?? '',
    isMissing: item?.isMissing ?? false,
    isSilent: item?.reminderMode === 'OFF',
    category: named(item?.category),
    team: named(item?.team),
    policy: named(item?.reminderPolicy),
    assignedTo: named(item?.assignedTo),
    contact: item?.contact ? [contactOption(item.contact)] : [],
    contacts: item?.contacts.map(contactOption) ?? [],
    locations: item?.locations.flatMap(named) ?? [],
    tags: item?.tags.flatMap(named) ?? [],
    fields:
      item?.customFields.map(({ id, name, value }) => ({ id, name: name ?? '', value: value ?? '' })) ?? [],
  };
}

const ids = (options: readonly Option[]) => options.map(({ id }) => ({ id }));

/** Returns the ids of options, or the names of new records. */
const idsOrNames = (options: readonly Option[]) =>
  options.map(({ id, label }) => (id.startsWith(newPrefix) ? { name: label } : { id }));

/** Creates the parts of the input from the parts of the form. */
const inputs = {
  name: ({ name }: Draft) => ({ name: name.trim() }),
  expirationDate: ({ expirationDate }: Draft) => ({ expirationDate }),
  timeOfDay: ({ timeOfDay }: Draft) => ({ timeOfDay: timeOfDay || null }),
  details: ({ details }: Draft) => ({ details: details || null }),
  isMissing: ({ isMissing }: Draft) => ({ isMissing }),
  isSilent: ({ isSilent }: Draft) => ({ reminderMode: isSilent ? ('OFF' as const) : ('INHERIT' as const) }),
  category: ({ category: [chosen] }: Draft) => ({ category: chosen ? { id: chosen.id } : null }),
  team: ({ team: [chosen] }: Draft) => (chosen ? { teamId: chosen.id } : {}),
  policy: ({ policy: [chosen] }: Draft) => ({ reminderPolicyId: chosen?.id ?? null }),
  assignedTo: ({ assignedTo: [chosen] }: Draft) => ({ assignedTo: { id: chosen?.id ?? null } }),
  contact: ({ contact: [chosen] }: Draft) => ({ contactId: chosen?.id ?? null }),
  contacts: ({ contacts }: Draft) => ({ contacts: ids(contacts) }),
  locations: ({ locations }: Draft) => ({ locations: ids(locations) }),
  tags: ({ tags }: Draft) => ({ tags: idsOrNames(tags) }),
  fields: ({ fields }: Draft) => ({
    customFields: fields
      .filter(({ value }) => value !== '')
      .map(({ id, name, value }) => ({ id, name, value })),
  }),
} satisfies Record<keyof Draft, (draft: Draft) => UpdateExpirationItemInput>;

const parts = Object.keys(inputs) as (keyof Draft)[];

/** Returns only the form's changes, because others may have changed the rest. */
export function changesOf(before: Draft, after: Draft): UpdateExpirationItemInput {
  const changed = parts.filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]));
  return Object.assign({}, ...changed.map((part) => inputs[part](after)));
}

/** Returns the input of a new item. */
export function newItem(draft: Draft): CreateExpirationItemInput {
  const set = parts.filter((part) => part !== 'name' && part !== 'expirationDate');
  const blank = draftOf(undefined);
  const given = set.filter((part) => JSON.stringify(draft[part]) !== JSON.stringify(blank[part]));
  const { name, expirationDate } = draft;
  return Object.assign({ name: name.trim(), expirationDate }, ...given.map((part) => inputs[part](draft)));
}
