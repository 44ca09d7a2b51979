import { randomBytes } from 'node:crypto';
import { lockOrganization } from '../access/people.js';
import type { Database } from '../db/connection/database.js';
import { translateError } from '../db/connection/errors.js';
import { prepared } from '../db/connection/statement.js';
import { despiteDeadlocks } from '../db/connection/transaction.js';
import { empty, join, raw, sql } from '../db/sql/sql.js';
import type { Caller } from '../domain/caller.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { isUuid } from '../domain/rules.js';
import { PersonalTexts, type Relation } from '../domain/text/personal-values.js';
import { logEvent } from '../records/event-logs.js';
import { listMentions, maxMentions, type PersonMention } from './mentions.js';
import { endPerson, eraseOwnRows, findPerson, lockPerson, type Person } from './person.js';
import {
  type FoundRow,
  foundRows,
  keySql,
  type WordedColumn,
  type WordedTable,
  wordedTables,
} from './register.js';

/** Data that an organization has of a person. */
export interface PersonalData {
  /** The contact; null if the person is none. */
  readonly contactId: string | null;
  /** The user; null if the person is none. */
  readonly userId: string | null;
  /** Number of rows in which values were replaced. */
  readonly erased: number;
  /** Places that somebody has to decide about. */
  readonly mentions: readonly PersonMention[];
  /** True if there are more mentions than are listed. */
  readonly hasMore: boolean;
}

/** Caller, time and database of work on a person's data. */
export interface PersonalWork {
  readonly database: Database;
  /** An administrator. */
  readonly caller: Caller;
  readonly now: Date;
}

/** Author of the event, if it is not the caller: the gateway itself. */
const gateway = { id: null, name: null };

const textsOf = ({ values }: Person) => new PersonalTexts(values, randomBytes(6).toString('hex'));

function shownData(
  { contact, userId }: Person,
  erased: number,
  found: readonly PersonMention[],
): PersonalData {
  return {
    contactId: contact?.id ?? null,
    userId: userId ?? null,
    erased,
    mentions: found.slice(0, maxMentions),
    hasMore: found.length > maxMentions,
  };
}

/** Finds a person of the caller's organization by id. @throws GatewayError NOT_FOUND */
function personById({ database, caller }: PersonalWork, id: string): Promise<Person> {
  if (!isUuid(id)) throw notFound('person', id);
  return findPerson(database, caller.organizationId, id);
}

/** Lists where people and documents mention a person. Nothing is changed. @throws GatewayError NOT_FOUND */
export async function readPersonalData(work: PersonalWork, id: string): Promise<PersonalData> {
  const person = await personById(work, id);
  const tables = await wordedTables(work.database);
  return shownData(person, 0, await listMentions(work.database, person, textsOf(person), tables, true));
}

/** Returns the new text of a column. It is the same if nothing is to be erased. */
function erasedText(
  texts: PersonalTexts,
  { writer, isList }: WordedColumn,
  value: string,
  relation: Relation,
) {
  if (writer === 'gateway') return texts.erase(value, relation);
  if (writer === 'key') return texts.eraseKey(value);
  return isList || !texts.isAddress(value) ? value : null;
}

/** Returns the assignments that erase a person in a row. There are none if it has only other values. */
function assignmentsOf(
  texts: PersonalTexts,
  columns: readonly WordedColumn[],
  { values, ids, isOwn }: FoundRow,
  emails: readonly string[],
) {
  const relation = isOwn ? 'own' : texts.isAbout([ids, ...values].join('\n')) ? 'about' : 'none';
  return columns.flatMap((column, at) => {
    const value = values[at];
    if (value === null || value === undefined) return [];
    const name = raw(column.name);
    if (column.isList) {
      const others = sql`ARRAY(SELECT entry FROM unnest(${name}) AS entry WHERE natural_key(entry) <> ALL(
        SELECT natural_key(email) FROM unnest(${emails}::text[]) AS email))`;
      return texts.find(value).length > 0 ? [sql`${name} = ${others}`] : [];
    }
    const text = erasedText(texts, column, value, relation);
    if (text === value) return [];
    return [sql`${name} = ${text}::text${column.type === 'Json' ? raw('::jsonb') : empty}`];
  });
}

/** Erases a person in a table. A row that was changed meanwhile is left to the next pass. @returns the number of rows */
async function eraseInTable(
  database: Database,
  person: Person,
  texts: PersonalTexts,
  table: WordedTable,
): Promise<number> {
  const columns = table.columns.filter(({ writer }) => writer !== 'people');
  if (columns.length === 0) return 0;
  const { organizationId, values } = person;
  const walk = { organizationId, pattern: texts.pattern, ids: values.ids };
  let count = 0;
  for await (const row of foundRows(database, walk, { ...table, columns }, columns)) {
    const assignments = assignmentsOf(texts, columns, row, values.emails);
    if (assignments.length === 0) continue;
    const unchanged = columns.map(({ name, type }, at) =>
      type === 'Json'
        ? sql`${raw(name)} IS NOT DISTINCT FROM ${row.values[at]}::text::jsonb`
        : sql`${raw(name)}::text IS NOT DISTINCT FROM ${row.values[at]}::text`,
    );
    const statement = sql`
      UPDATE ${raw(table.table)} SET ${join(assignments)}
      WHERE ${keySql(table, row.key)} AND ${join(unchanged, ' AND ')} RETURNING 1`;
    count += (await database.query(prepared(`${table.table}.erase_person`, statement))).length;
  }
  return count;
}

async function eraseEverywhere(
  work: PersonalWork,
  person: Person,
  texts: PersonalTexts,
  tables: readonly WordedTable[],
) {
  let count = 0;
  for (const table of tables) count += await eraseInTable(work.database, person, texts, table);
  return count;
}

/**
 * Erases the person's own rows, and writes the event that says so without a name.
 * @returns the person with what was changed meanwhile
 */
function finish({ database, caller, now }: PersonalWork, found: Person): Promise<Person> {
  return database.inTransaction(async (tx) => {
    await lockOrganization(tx);
    const person = await lockPerson(tx, found);
    // Somebody may have given the person access again, or another address to send to.
    await endPerson(tx, person, now);
    const { contact, userId } = person;
    const kinds =
      [...(contact ? ['contact'] : []), ...(userId ? ['user'] : [])].join(' and ') || 'deleted contact';
    if (!(await eraseOwnRows(tx, person, now))) return person;
    const isOwn = caller.user.id === userId;
    await logEvent(
      tx,
      { caller: { ...caller, user: isOwn ? gateway : caller.user }, now },
      {
        type: 'person erased',
        teamId: caller.user.teamId,
        description: `The personal data of a ${kinds} was erased`,
        details: null,
        entities: contact ? [{ kind: 'contact', id: contact.id }] : [],
      },
    );
    return person;
  }, caller);
}

/**
 * Erases a person's name, addresses and numbers in all that the gateway writes. What people and
 * documents say stays, and is listed. It is done in small steps, and can be repeated if it ended early: the person's
 * own rows, which tell what to look for, are the last.
 * @throws GatewayError CONFLICT for the last administrator
 */
export async function erasePerson(work: PersonalWork, person: Person): Promise<PersonalData> {
  const { database, caller, now } = work;
  const tables = await wordedTables(database);
  try {
    await despiteDeadlocks(() => database.inTransaction((tx) => endPerson(tx, person, now), caller));
    const first = await eraseEverywhere(work, person, textsOf(person), tables);
    const last = await despiteDeadlocks(() => finish(work, person));
    // The second pass finds what was written during the first.
    const texts = textsOf(last);
    const second = await eraseEverywhere(work, last, texts, tables);
    return shownData(person, first + second, await listMentions(database, last, texts, tables, false));
  } catch (error) {
    throw translateError(error, 'users');
  }
}

/**
 * Erases a person by id, for an administrator who is somebody else.
 * @throws GatewayError NOT_FOUND; CONFLICT for the caller or the last administrator
 */
export async function erasePersonById(work: PersonalWork, id: string): Promise<PersonalData> {
  const person = await personById(work, id);
  if (person.userId !== undefined && person.userId === work.caller.user.id)
    throw new GatewayError(
      'CONFLICT',
      'This is your own account: another administrator can erase it, or the command line.',
    );
  return erasePerson(work, person);
}
