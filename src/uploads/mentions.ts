import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { columnsSql, type RowOf, recordsSql, rowsSql } from '../db/sql/conditions.js';
import { modelInfo } from '../db/sql/models.js';
import { sql } from '../db/sql/sql.js';
import {
  DocumentWords,
  type Mention,
  plainNumber,
  type WordSource,
} from '../domain/documents/document-words.js';
import type { DocumentFinding } from '../domain/documents/finding.js';
import { layOut, placeInText, type SourcedPage } from '../domain/documents/findings.js';
import { compose, fold, writtenDates } from '../domain/documents/written-dates.js';
import { folded } from '../domain/text/names.js';
import {
  type MentionedRecord,
  mentionOf,
  type Suggestion,
  type SuggestionField,
} from '../domain/uploads/suggestions.js';

/**
 * Limits of the search. `rows` are those of a kind that are compared, the newest first, in pages of `page`; `turn` are
 * those between two turns of the event loop. `numbers` are those of a document, of `tried` texts that could be one,
 * `same` the items with one of them, and `kept` the best mentions of a field. `spaced` are the numbers of up to `groups`
 * of characters with spaces between them. `keys` are the texts of a document that could be a licence plate or a VIN, of
 * at most `parts` of its first `words`, and `vehicles` those that have one.
 */
const limits = {
  ...{ rows: 200_000, page: 10_000, turn: 25, numbers: 200, tried: 2_000, same: 5, kept: 50 },
  ...{ spaced: 400, groups: 6, words: 20_000, keys: 10_000, parts: 4, vehicles: 20 },
};

/** Content of a document. */
export interface ReadDocumentText {
  readonly pages: readonly SourcedPage[];
  readonly findings: readonly DocumentFinding[];
  readonly filename: string | null;
}

/** Lists the texts of a document: pages, codes, and the file's name. */
function sourcesOf({ pages, findings, filename }: ReadDocumentText): WordSource[] {
  const written = pages.map(({ page, parts }) => {
    const laid = layOut(parts);
    return { page, text: laid.text, place: (start: number, end: number) => placeInText(laid, start, end) };
  });
  const coded = findings.flatMap(({ field, value, page, box, confidence }) =>
    field === 'expiration_date' ? [] : [{ page, text: value, place: () => ({ confidence, box }) }],
  );
  const name = filename === null ? [] : [compose(filename)];
  return [
    ...written,
    ...coded,
    ...name.map((text) => ({ page: null, text, place: () => ({ confidence: 100, box: null }) })),
  ];
}

/** A number in a document, and where it stands. */
type NumberPlace = Omit<Mention, 'from' | 'to'>;

/** Collects the numbers of a document. They have at least five characters and three digits, and are no dates. */
class Numbers {
  readonly found = new Map<string, NumberPlace>();
  readonly #tried = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.found.size >= this.#most || this.#tried.size >= limits.tried;
  }

  add(source: WordSource, start: number, end: number): void {
    const words = source.text.slice(start, end);
    const number = plainNumber(words.replace(/\s/g, ''));
    if (number.length < 5 || words.replace(/\D/g, '').length < 3 || this.#tried.has(number)) return;
    this.#tried.add(number);
    if (writtenDates(fold(words)).length > 0) return;
    this.found.set(number, partOf(source, start, end));
  }
}

/** Finds the numbers in a document. Those that have no spaces come first. */
async function numbersIn(sources: readonly WordSource[]): Promise<ReadonlyMap<string, NumberPlace>> {
  const whole = new Numbers(limits.numbers);
  for (const source of sources) {
    for (const { 0: words, index } of source.text.matchAll(/[A-Za-z0-9][A-Za-z0-9./_-]{3,40}[A-Za-z0-9]/g)) {
      if (whole.isFull) break;
      whole.add(source, index, index + words.length);
    }
  }
  return new Map([...(await spacedNumbersIn(sources)), ...whole.found]);
}

/** Spaces between the groups of a number. */
const betweenGroups = /^[ \u00a0\u2007\u2009\u202f]{1,2}$/;

/** Returns whether groups of characters may be one number. Words and short amounts are not. */
const isSpaced = (groups: readonly string[]) =>
  groups.every((group) => /\d/.test(group) || group.length <= 4) &&
  (groups.some((group) => /[A-Za-z]/.test(group)) || groups.join('').length >= 6);

/** Finds the numbers in a document that have spaces between their groups of characters. */
async function spacedNumbersIn(sources: readonly WordSource[]): Promise<ReadonlyMap<string, NumberPlace>> {
  const spaced = new Numbers(limits.spaced);
  let words = 0;
  for (const source of sources) {
    const { text } = source;
    let groups: { readonly start: number; readonly end: number }[] = [];
    for (const { 0: word, index } of text.matchAll(/[A-Za-z0-9](?:[A-Za-z0-9./_-]{0,40}[A-Za-z0-9])?/g)) {
      words += 1;
      if (words % (10 * limits.turn) === 0) await nextTurn();
      const end = index + word.length;
      const last = groups.at(-1);
      const follows = last && betweenGroups.test(text.slice(last.end, index).slice(0, 3));
      groups = [...(follows ? groups.slice(1 - limits.groups) : []), { start: index, end }];
      const texts = groups.map((group) => text.slice(group.start, group.end));
      for (const [at, { start }] of groups.slice(0, -1).entries()) {
        if (isSpaced(texts.slice(at))) spaced.add(source, start, end);
      }
      if (spaced.isFull || words >= limits.words) return spaced.found;
    }
  }
  return spaced.found;
}

/** Returns the place of a part of a document's text. */
const partOf = ({ text, page, place }: WordSource, start: number, end: number): NumberPlace => ({
  similarity: 1,
  words: text.slice(start, end).replace(/[\s\p{Cc}]+/gu, ' '),
  page,
  ...place(start, end),
});

/** Separators of the parts of a licence plate, as `plate_key` in the database has them. */
const betweenParts = /^[\t\n\r \u00a0\u2007\u2009\u202f\-\u00ad\u2010-\u2014./:_\u00b7\u2022]{1,3}$/;

/** Returns whether a text may be a licence plate or a VIN. Years and words are not. */
const isKey = (key: string) => key.length >= 4 && key.length <= 32 && /\d/.test(key) && /[^\d]/.test(key);

/** Finds texts that could be a licence plate or a VIN, however they are divided. */
async function keysIn(sources: readonly WordSource[]): Promise<Map<string, () => NumberPlace>> {
  const found = new Map<string, () => NumberPlace>();
  let words = 0;
  for (const source of sources) {
    const { text } = source;
    let parts: { readonly word: string; readonly start: number; readonly end: number }[] = [];
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      words += 1;
      if (words % (10 * limits.turn) === 0) await nextTurn();
      const last = parts.at(-1);
      const follows = last && betweenParts.test(text.slice(last.end, index).slice(0, 4));
      parts = follows ? parts.slice(1 - limits.parts) : [];
      parts.push({ word: folded(word.slice(0, 64)), start: index, end: index + word.length });
      for (const [at, { start }] of parts.entries()) {
        const key = parts
          .slice(at)
          .map((part) => part.word)
          .join('');
        if (!isKey(key) || found.has(key)) continue;
        found.set(key, () => partOf(source, start, index + word.length));
      }
      if (found.size >= limits.keys || words >= limits.words) return found;
    }
  }
  return found;
}

/** A vehicle that a document names, and by what. */
interface NamedVehicle {
  readonly id: string;
  readonly name: string;
  readonly what: 'VIN' | 'licence plate';
  readonly value: string;
  readonly place: NumberPlace;
}

/** Finds the vehicles of a workspace whose licence plate or VIN stands in a document. */
async function vehiclesIn(
  session: Session,
  teamId: string,
  sources: readonly WordSource[],
): Promise<NamedVehicle[]> {
  const keys = await keysIn(sources);
  if (keys.size === 0) return [];
  const all = sql`ANY((SELECT ${[...keys.keys()]}::text[])::text[])`;
  const statement = sql`
    SELECT record.id, record.name, record.vin, record.license_plate AS plate, natural_key(record.vin) AS vin_key,
      plate_key(record.license_plate) AS plate_key
    ${recordsSql(session, 'vehicle', { teamId, isArchived: false })}
    AND (natural_key(record.vin) = ${all} OR (plate_key(record.license_plate) = ${all} AND record.license_plate IS NOT NULL))
    ORDER BY record.id DESC LIMIT ${limits.vehicles}`;
  const rows = await session.read<
    Record<'vin' | 'plate' | 'vin_key' | 'plate_key' | 'name', string | null> & { id: string }
  >(prepared('vehicles.mentioned', statement));
  return rows.flatMap(({ id, ...row }): NamedVehicle[] => {
    const name = row.name || row.plate || row.vin || '';
    const vin = keys.get(row.vin_key ?? '')?.();
    if (vin) return [{ id, name, what: 'VIN', value: row.vin ?? '', place: vin }];
    const plate = keys.get(row.plate_key ?? '')?.();
    return plate ? [{ id, name, what: 'licence plate', value: row.plate ?? '', place: plate }] : [];
  });
}

/** A text to look for, and what it suggests if it is found. */
interface Known {
  readonly field: SuggestionField;
  readonly value: string;
  readonly text: string;
  readonly about: MentionedRecord;
  /** The most certain that it can be. */
  readonly most: number;
}

/** Certainties of exact mentions. A single word may be there for another reason. */
const certain = { address: 98, number: 90, name: 90, word: 70 };

/** Returns how certain a mentioned name can be. */
const nameCertainty = (name: string) => (/\S\s+\S/.test(name) ? certain.name : certain.word);

interface Found extends Known {
  readonly mention: Mention;
}

/** Returns how much of a document a mention explains. */
const explained = ({ mention, text }: Found) => mention.similarity * text.length;

/** The mentions of a field. Of those that share words, the best stay; equally good ones all do. */
class Mentions {
  #found: Found[] = [];

  add(found: Found): void {
    this.#found.push(found);
    if (this.#found.length > 2 * limits.kept) this.#found = this.best().slice(0, limits.kept);
  }

  best(): Found[] {
    const kept: Found[] = [];
    for (const found of this.#found.sort((one, other) => explained(other) - explained(one))) {
      const { from, to } = found.mention;
      const hasBetter = kept.some(
        ({ mention, ...known }) =>
          mention.from <= to &&
          mention.to >= from &&
          explained({ ...known, mention }) > explained(found) + 0.001,
      );
      if (!hasBetter) kept.push(found);
    }
    return kept;
  }
}

/** A record with the texts that a document may mention. */
interface NamedRecord {
  readonly id: string;
  readonly name: string | null;
}

interface NamedContact extends NamedRecord {
  readonly email: string;
  readonly contactId: string | null;
}

const nameFields = ['id', 'name'] as const;
const contactFields = ['id', 'name', 'email', 'contactId'] as const;

/** Reads the records of a workspace that are in use, the newest first. */
async function* recordsOf<Row extends NamedRecord>(
  session: Session,
  model: 'Contact' | 'Category' | 'ExpirationItem',
  teamId: string,
  fields: readonly (keyof Row & string)[],
): AsyncGenerator<Row> {
  let before = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  for (let read = 0; read < limits.rows; read += limits.page) {
    const where = { teamId, isActive: true, id: { lt: before } };
    const statement = sql`
      SELECT ${columnsSql(model, fields)} ${rowsSql(session, model, where)}
      ORDER BY record.id DESC LIMIT ${limits.page}`;
    const rows = await session.read<Row>(prepared(`${modelInfo[model].table}.names`, statement));
    for (const [at, row] of rows.entries()) {
      if (at % limits.turn === 0) await nextTurn();
      yield row;
    }
    const last = rows.at(-1);
    if (!last || rows.length < limits.page) return;
    before = last.id;
  }
}

/** Finds the items of a workspace with a number of the document. */
async function* numbered(
  session: Session,
  teamId: string,
  numbers: ReadonlyMap<string, NumberPlace>,
): AsyncGenerator<{ id: string; name: string; label: string; value: string; place: NumberPlace }> {
  if (numbers.size === 0) return;
  const value = sql`field.entry ->> 'value'`;
  // As `plainNumber` does it.
  const plain = sql`translate(upper(${value}), 'OILSB ./_-', '01158')`;
  const fields = sql`CROSS JOIN LATERAL jsonb_array_elements(record.custom_fields) AS field (entry)`;
  const statement = sql`
    SELECT record.id, record.name, field.entry ->> 'name' AS label, ${value} AS value
    ${recordsSql(session, 'expirationItem', { teamId, isActive: true }, fields)}
    AND record.custom_fields <> '[]' AND ${plain} = ANY(${[...numbers.keys()]})
    ORDER BY record.id DESC LIMIT ${limits.same}`;
  const rows = await session.read<{ id: string; name: string; label: string | null; value: string }>(
    prepared('expiration_items.with_number', statement),
  );
  for (const { id, name, label, value } of rows) {
    const place = numbers.get(plainNumber(value));
    if (place) yield { id, name, label: label ?? 'number', value, place };
  }
}

/** Certainties of items that a document may renew, by what it mentions of them. */
const renewing = { holderAndType: 88, holder: 50 };

/** Finds the items of the vehicles and people that a document mentions. Its document types make them more certain. */
async function itemsOfHolders(
  session: Session,
  teamId: string,
  suggestions: readonly Suggestion[],
): Promise<Suggestion[]> {
  const holders = new Map(
    suggestions.flatMap((one) =>
      one.field === 'vehicle' || one.field === 'person' ? [[one.value, one]] : [],
    ),
  );
  if (holders.size === 0) return [];
  const types = new Set(
    suggestions.flatMap(({ field, value }) => (field === 'document_type' ? [value] : [])),
  );
  const ids = sql`ANY((SELECT ${[...holders.keys()]}::uuid[])::uuid[])`;
  const joins = sql`
    JOIN item_holders AS pair ON pair.item_id = record.id
    LEFT JOIN categories AS type ON type.id = record.category_id`;
  const statement = sql`
    SELECT record.id, record.name, pair.holder_id AS holder, type.name AS type
    ${recordsSql(session, 'expirationItem', { teamId, isActive: true }, joins)}
    AND (pair.vehicle_id = ${ids} OR pair.contact_id = ${ids})
    ORDER BY record.id DESC LIMIT ${limits.kept}`;
  const rows = await session.read<{ id: string; name: string; holder: string; type: string | null }>(
    prepared('expiration_items.of_mentioned', statement),
  );
  return rows.flatMap(({ id, name, holder, type }) => {
    const of = holders.get(holder);
    if (!of) return [];
    const isOfType = type !== null && types.has(type);
    const most = isOfType ? renewing.holderAndType : renewing.holder;
    const has = isOfType
      ? { what: 'document type and holder', value: `${type}, ${of.name ?? ''}` }
      : { what: 'holder', value: of.name ?? '' };
    const about = { kind: 'Expiration item', name, has } as const;
    const place = {
      similarity: 1,
      confidence: of.confidence,
      words: of.words ?? '',
      page: of.page,
      box: of.box,
    };
    return [mentionOf({ field: 'expiration_item', value: id, about, most }, place)];
  });
}

/**
 * Finds the records of a workspace that a document mentions. They are document types, contacts, items with their
 * numbers or of mentioned holders, and vehicles by licence plate or VIN. No others are read. It compares up to 200,000 records of each kind.
 * @param upload its workspace is searched, because its members see the result, and its own item is no suggestion
 * @returns suggestions, which only people may take
 */
export async function suggestMentioned(
  session: Session,
  { teamId, expirationItemId }: Pick<RowOf<'UploadNotification'>, 'teamId' | 'expirationItemId'>,
  document: ReadDocumentText,
): Promise<Suggestion[]> {
  const sources = sourcesOf(document);
  const words = await DocumentWords.of(sources, nextTurn);
  const numbers = await numbersIn(sources);
  const hasAddress = sources.some(({ text }) => text.includes('@'));
  const mentions = new Map<SuggestionField, Mentions>();
  const keep = (known: Known, mention: Mention) => {
    const own = mentions.get(known.field) ?? new Mentions();
    mentions.set(known.field, own);
    own.add({ ...known, mention });
  };
  const look = (known: Known, mayBePart = false) => {
    const mention = words.find(known.text, mayBePart);
    // Items are often named after files, and scanners give all their files the same name.
    if (!mention || (known.field === 'name' && mention.page === null)) return undefined;
    keep(known, mention);
    return mention;
  };
  const suggestions: Suggestion[] = [];
  for await (const { name } of recordsOf(session, 'Category', teamId, nameFields)) {
    if (name === null) continue;
    const about = { kind: 'Document type', name } as const;
    look({ field: 'document_type', value: name, text: name, about, most: nameCertainty(name) }, true);
  }
  for (const { id, name, what, value, place } of await vehiclesIn(session, teamId, sources)) {
    const known = {
      field: 'vehicle',
      value: id,
      about: { kind: 'Vehicle', name, has: { what, value } },
    } as const;
    suggestions.push(mentionOf({ ...known, most: value.length < 6 ? certain.word : certain.number }, place));
  }
  for await (const { id, name, email, contactId } of recordsOf<NamedContact>(
    session,
    'Contact',
    teamId,
    contactFields,
  )) {
    const about = { kind: 'Contact', name: name ?? email } as const;
    const known = { field: 'contact', value: email, about } as const;
    const holder = { field: 'person', value: id, about } as const;
    if (name) for (const one of [known, holder]) look({ ...one, text: name, most: nameCertainty(name) });
    if (hasAddress)
      look({
        ...known,
        text: email,
        most: certain.address,
        about: { ...about, has: { what: 'address', value: email } },
      });
    const place = contactId === null ? undefined : numbers.get(plainNumber(contactId));
    if (!place || !contactId) continue;
    const has = { what: 'id', value: contactId };
    for (const one of [known, holder])
      suggestions.push(mentionOf({ ...one, most: certain.number, about: { ...about, has } }, place));
  }
  for await (const { id, name } of recordsOf(session, 'ExpirationItem', teamId, nameFields)) {
    if (name === null || id === expirationItemId) continue;
    const about = { kind: 'Expiration item', name } as const;
    const known = { text: name, about, most: nameCertainty(name) };
    const mention = look({ field: 'name', value: name, ...known });
    if (mention) keep({ field: 'expiration_item', value: id, ...known }, mention);
  }
  for await (const { id, name, label, value, place } of numbered(session, teamId, numbers)) {
    if (id === expirationItemId) continue;
    const about = { kind: 'Expiration item', name, has: { what: label, value } } as const;
    for (const known of [
      { field: 'name', value: name } as const,
      { field: 'document_number', value } as const,
      { field: 'expiration_item', value: id } as const,
    ])
      suggestions.push(mentionOf({ ...known, about, most: certain.number }, place));
  }
  for (const own of mentions.values())
    for (const { mention, ...known } of own.best()) suggestions.push(mentionOf(known, mention));
  const renewed = await itemsOfHolders(session, teamId, suggestions);
  return [...suggestions, ...renewed.filter(({ value }) => value !== expirationItemId)];
}
