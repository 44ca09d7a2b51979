import { addressOf } from '../app/addresses';
import { findCompanies, findContacts, findLocations, findVehicles } from '../data/options';
import type { HolderKind } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import type { Option } from '../ui/combobox';

/** Finders of the records that an item can be a paper of, by kind. */
const finders = {
  VEHICLE: findVehicles,
  CONTACT: findContacts,
  COMPANY: findCompanies,
  LOCATION: findLocations,
} as const satisfies Record<HolderKind, unknown>;

/** The kinds of holders. */
export const holderKinds = Object.keys(finders) as HolderKind[];

/** A holder of an item, as the item's document has it. */
export type Holder =
  | {
      readonly __typename: 'Vehicle';
      readonly id: string;
      readonly vehicleName: string | null;
      readonly licensePlate: string | null;
    }
  | {
      readonly __typename: 'Contact';
      readonly id: string;
      readonly contactName: string | null;
      readonly email: string;
    }
  | { readonly __typename: 'Company'; readonly id: string; readonly companyName: string | null }
  | { readonly __typename: 'Location'; readonly id: string; readonly locationName: string | null };

/** Returns the kind of a holder. */
export const kindOfHolder = ({ __typename }: Holder) => __typename.toUpperCase() as HolderKind;

/** Returns what a holder is called. */
export function nameOfHolder(holder: Holder): string {
  switch (holder.__typename) {
    case 'Vehicle':
      return shownName(holder.vehicleName, holder.licensePlate);
    case 'Contact':
      return shownName(holder.contactName, holder.email);
    case 'Company':
      return shownName(holder.companyName);
    default:
      return shownName(holder.locationName);
  }
}

/** Returns the option of a holder, whose id begins with its kind. */
export const holderOption = (kind: HolderKind, id: string, label: string, detail?: string): Option => ({
  id: `${kind}:${id}`,
  label,
  detail: joinNames(t(`kinds.${kind}`), detail),
});

/** Finds vehicles, people, companies and locations by a part of their names. */
export async function findHolders(term: string, signal: AbortSignal): Promise<readonly Option[]> {
  const found = await Promise.all(
    holderKinds.map(async (kind) => {
      const options = await finders[kind](term, signal);
      return options.slice(0, 8).map(({ id, label, detail }) => holderOption(kind, id, label, detail));
    }),
  );
  return found.flat();
}

/** Returns the reference to a holder, as inputs take it. */
export function holderReference({ id }: Option) {
  const [kind = '', record = ''] = id.split(':');
  return { kind: kind as HolderKind, id: record };
}

/** Returns the address of the record that an option stands for. */
export function addressOfHolder(option: Option): string {
  const { kind, id } = holderReference(option);
  return addressOf(kind, id);
}
