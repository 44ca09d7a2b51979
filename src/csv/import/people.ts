import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import { type ImportOptions, importLimits } from '../../imports/options.js';
import { NewNames } from '../../records/named.js';

/** A user or a contact by whom cells are understood. */
export interface KnownPerson {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** Columns whose cells name people. Those of contacts may name users, too. */
const peopleColumns: Readonly<Record<string, 'user' | 'contact'>> = {
  assigned_to: 'user',
  contact_email: 'contact',
  contacts: 'contact',
};

/** Returns whether the cells of a column name people. */
export const isOfPeople = (column: string | undefined): boolean =>
  column !== undefined && Object.hasOwn(peopleColumns, column);

/** Returns the names in a cell. Only a list has several. */
export const peopleIn = (column: string, text: string): string[] =>
  (column === 'contacts' ? text.split(';', importLimits.entries) : [text])
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A cell in which people are named by their addresses or ids. */
export interface NamedPeople {
  /** Undefined if nobody is left, because everybody in it is left out. */
  readonly text: string | undefined;
  /** Names of nobody who is known. */
  readonly unknown: readonly string[];
  /** Names of several people. */
  readonly several: readonly string[];
  /** A name whose rows are left out. */
  readonly skipped?: string;
}

/** Finds people by their names, and by what the person who imports has answered. */
export class PeopleByName {
  readonly #answers: ReadonlyMap<string, string | null>;
  /** Names whose rows are left out. */
  readonly #skipped = new Set<string>();
  /** Names of people, by their addresses. A contact that is created for one gets it. */
  readonly #titles = new Map<string, string>();
  readonly #users = new Map<string, KnownPerson[]>();
  readonly #contacts = new Map<string, KnownPerson[]>();

  constructor(
    answers: ImportOptions['people'] | undefined,
    users: readonly KnownPerson[],
    contacts: readonly KnownPerson[],
  ) {
    for (const { name, email } of users) if (name && email) this.#titles.set(folded(email), name);
    const answered = new Map<string, string | null>();
    for (const { value, email, make, skipRows } of answers ?? []) {
      const [name, address] = [value.trim(), email?.trim() || null];
      if (skipRows) this.#skipped.add(folded(name));
      // A holder that is made says nothing of those who are told.
      if (skipRows || (make && !address)) continue;
      answered.set(folded(name), address);
      const isName = address?.includes('@') && !name.includes('@') && !this.#titles.has(folded(address));
      if (address && isName) this.#titles.set(folded(address), name);
    }
    this.#answers = answered;
    const add = (to: Map<string, KnownPerson[]>, person: KnownPerson, key: string | null) => {
      if (!key) return;
      const known = to.get(folded(key.trim()));
      if (known) known.push(person);
      else to.set(folded(key.trim()), [person]);
    };
    for (const user of users) {
      add(this.#users, user, user.name);
      add(this.#users, user, user.email);
    }
    for (const contact of contacts) add(this.#contacts, contact, contact.name);
  }

  /** Returns the contacts that rows are going to create. They get the names by which cells call them. */
  newNames(): NewNames {
    return new NewNames({ isAhead: true, titles: this.#titles });
  }

  /** Replaces the names in a cell by addresses or ids. */
  replace(column: string, text: string): NamedPeople {
    const [found, unknown, several]: [string[], string[], string[]] = [[], [], []];
    for (const name of peopleIn(column, text)) {
      if (this.#skipped.has(folded(name))) return { text: undefined, unknown, several, skipped: name };
      const answer = this.#answers.get(folded(name));
      if (answer === null) continue;
      const matches = this.#find(column, answer ?? name);
      if (matches.length > 1) several.push(name);
      else if (matches[0] === undefined) unknown.push(name);
      else found.push(matches[0]);
    }
    return { text: found.length > 0 ? found.join('; ') : undefined, unknown, several };
  }

  /** Returns the addresses or ids of the people with a name. */
  #find(column: string, name: string): string[] {
    if (isUuid(name)) return [name];
    const users = this.#users.get(folded(name)) ?? [];
    if (peopleColumns[column] === 'user') return users.map(({ id }) => id);
    if (name.includes('@')) return [name];
    const named = (people: readonly KnownPerson[]) =>
      people.flatMap(({ id, email }) => email?.toLowerCase() ?? (column === 'contacts' ? id : []));
    // A contact with the address of a user is the same person.
    return [...new Set([...named(this.#contacts.get(folded(name)) ?? []), ...named(users)])];
  }
}
