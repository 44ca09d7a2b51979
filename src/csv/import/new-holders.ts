import type { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { badField, type FieldPath } from '../../domain/errors.js';
import type { HolderKind } from '../../domain/holder-kinds.js';
import { check, newId } from '../../domain/rules.js';
import { folded, plateKey } from '../../domain/text/names.js';
import type { Holder } from '../../items/holders.js';
import { type NamedKind, newNamesIn, unusable } from '../../records/named.js';
import type { Resource } from '../../records/resource.js';
import { companies } from '../../resources/companies.js';
import { contacts } from '../../resources/contacts.js';
import { locations } from '../../resources/locations.js';
import { vehicles } from '../../resources/vehicles.js';
import { forms } from '../forms.js';
import { meansColumn } from './headers.js';

/** The resources whose records can be holders. */
export const holderResources: Readonly<Record<HolderKind, Resource>> = {
  vehicle: vehicles,
  contact: contacts,
  company: companies,
  location: locations,
};

/** A holder that an import makes, because a cell names none that exists. */
export interface NewHolder extends Holder {
  /** Its values, of which the first is the text of the cell. */
  readonly values: Readonly<Record<string, string>>;
}

/** The fields that are unique, by kind. A record that the caller does not see may have the value. */
const uniqueFields: Readonly<Partial<Record<HolderKind, NamedKind['key']>>> = {
  vehicle: 'vin',
  contact: 'email',
  location: 'name',
};

/** Returns the field of a vehicle that a text is. */
function vehicleField(text: string, header: string): 'vin' | 'licensePlate' | 'name' {
  if (forms.vin.test(text) || meansColumn(header, 'vin')) return 'vin';
  return forms.plate.test(text) || meansColumn(header, 'license_plate') ? 'licensePlate' : 'name';
}

/**
 * Describes a new holder by the text of a cell. What identifies it is not its name, too.
 * @param header the column of the cell, which may tell plates from names
 * @param email an address that was given for a person
 */
export function newHolder(kind: HolderKind, text: string, header: string, email?: string): NewHolder {
  const id = newId();
  if (kind === 'vehicle') return { kind, id, values: { [vehicleField(text, header)]: text } };
  if (kind !== 'contact') return { kind, id, values: { name: text } };
  return { kind, id, values: { email: email ?? text, ...(text.includes('@') ? {} : { name: text }) } };
}

/** Returns whether a text says enough for a new record of a kind. A contact needs an address. */
export const isEnough = (kind: HolderKind, text: string): boolean => kind !== 'contact' || text.includes('@');

/** Returns what texts of the same holder have in common. Signs tell names apart (Bus 1-12, Bus 11-2), but not plates. */
export const holderKey = (kind: HolderKind, text: string): string =>
  `${kind} ${(kind === 'vehicle' && forms.plate.test(text) && plateKey(text)) || folded(text)}`;

/** Finds the unique value of a new holder. */
function uniqueValue({ kind, values }: NewHolder): string | undefined {
  const field = uniqueFields[kind];
  return field && values[field];
}

const namedKind = ({ kind }: Holder): NamedKind => ({
  resource: holderResources[kind],
  key: uniqueFields[kind] ?? 'name',
  inWorkspace: false,
});

/** New holders that the rows of an import are going to make. */
export class NewHolders {
  /** Ids of new holders, whatever the rows named them by. */
  readonly #ids = new Map<string, HolderKind>();

  /** Looks up which unique values are those of records that the caller does not see. */
  async foresee(tx: Transaction, session: Session, wanted: readonly NewHolder[]): Promise<void> {
    for (const kind of Object.keys(uniqueFields) as HolderKind[]) {
      const alike = wanted.filter((one) => one.kind === kind);
      const values = [...new Set(alike.flatMap((one) => uniqueValue(one) ?? []))];
      const [first] = alike;
      if (first && values.length > 0) await newNamesIn(tx).takenAmong(session, namedKind(first), values);
    }
  }

  /**
   * Plans to make a holder with the first row that names it.
   * @returns the holder with its id
   * @throws GatewayError BAD_REQUEST if its values break a rule, or are those of a record out of sight
   */
  async plan(
    tx: Transaction,
    session: Session,
    wanted: NewHolder,
    teamId: string,
    at: FieldPath,
  ): Promise<Holder> {
    const { kind, id, values } = wanted;
    const names = newNamesIn(tx);
    const named = namedKind(wanted);
    const unique = uniqueValue(wanted);
    const taken = unique === undefined ? [] : [...(await names.takenAmong(session, named, [unique]))];
    if (taken.length > 0) throw badField(at, unusable(named), 'reference');
    const checked = check(named.resource.rules, values, at);
    const [text = ''] = Object.values(values);
    const row = { ...checked, id };
    const made = names.ensure(tx, session, { kind: named, key: text, teamId, values: row, at });
    this.#ids.set(made, kind);
    return { kind, id: made };
  }

  /** Returns those among new records that are holders. */
  among(ids: readonly string[]): Holder[] {
    return ids.flatMap((id) => {
      const kind = this.#ids.get(id);
      return kind ? [{ kind, id }] : [];
    });
  }
}
