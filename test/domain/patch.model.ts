import fc from 'fast-check';
import type { DocumentShape } from '../../src/domain/patch/patch.js';
import type { JsonObject } from '../../src/domain/text/json.js';

const scalar: DocumentShape = { kind: 'scalar' };
const person: DocumentShape = { kind: 'object', members: { id: scalar, name: scalar } };
/** A small model with one member of every sort. */
export const shape: DocumentShape = {
  kind: 'object',
  members: {
    id: { kind: 'scalar', readOnly: true },
    name: scalar,
    note: { kind: 'scalar', default: 'none' },
    owner: person,
    people: { kind: 'list', element: person },
    codes: { kind: 'list', element: scalar },
  },
};

export const anyScalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
export const anyPerson = fc.record({ id: anyScalar, name: anyScalar });
/** Any document of that model. */
export const anyDocument = fc.record({
  id: fc.constant('x1'),
  name: anyScalar,
  note: anyScalar,
  owner: fc.option(anyPerson),
  people: fc.array(anyPerson, { maxLength: 4 }),
  codes: fc.array(anyScalar, { maxLength: 4 }),
});
/** The naive model: one mutable document, and writes where a pointer leads. */
type Mutable = null | string | number | boolean | Mutable[] | { [name: string]: Mutable };
type Kind = 'scalar' | 'person' | 'people' | 'codes';
interface Spot {
  holder: Mutable[] | { [name: string]: Mutable };
  key: string | number;
  path: string;
  kind: Kind;
}
export interface Document {
  [name: string]: Mutable;
}

const get = ({ holder, key }: Spot): Mutable => (holder as { [key: string | number]: Mutable })[key] ?? null;
const set = ({ holder, key }: Spot, value: Mutable): void => {
  (holder as { [key: string | number]: Mutable })[key] = value;
};
const insert = (spot: Spot, value: Mutable): void => {
  if (Array.isArray(spot.holder)) spot.holder.splice(Number(spot.key), 0, value);
  else set(spot, value);
};
const unset = (spot: Spot): void => {
  if (Array.isArray(spot.holder)) spot.holder.splice(Number(spot.key), 1);
  else set(spot, spot.key === 'note' ? 'none' : spot.kind === 'people' || spot.kind === 'codes' ? [] : null);
};

/** Returns all that can be written in the document; with `ends`, also where lists can grow. */
function spots(document: Document, ends: boolean): Spot[] {
  const found: Spot[] = [];
  const personSpots = (value: Mutable, path: string) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
    for (const key of ['id', 'name'])
      found.push({ holder: value, key, path: `${path}/${key}`, kind: 'scalar' });
  };
  for (const key of ['name', 'note']) found.push({ holder: document, key, path: `/${key}`, kind: 'scalar' });
  found.push({ holder: document, key: 'owner', path: '/owner', kind: 'person' });
  personSpots(document.owner ?? null, '/owner');
  for (const [key, kind] of [
    ['people', 'person'],
    ['codes', 'scalar'],
  ] as const) {
    const list = document[key] as Mutable[];
    found.push({ holder: document, key, path: `/${key}`, kind: key });
    list.forEach((item, i) => {
      found.push({ holder: list, key: i, path: `/${key}/${i}`, kind });
      if (kind === 'person') personSpots(item, `/${key}/${i}`);
    });
    if (ends) found.push({ holder: list, key: list.length, path: `/${key}/-`, kind });
  }
  return found;
}

const anyValue: Record<Kind, fc.Arbitrary<Mutable>> = {
  scalar: anyScalar,
  person: fc.option(anyPerson),
  people: fc.array(anyPerson, { maxLength: 3 }),
  codes: fc.array(anyScalar, { maxLength: 3 }),
};
/** One step of a random game; the numbers choose among what is possible then. */
export const anyMove = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  at: fc.nat(),
  from: fc.nat(),
  values: fc.record(anyValue),
  shout: fc.boolean(),
  bare: fc.boolean(),
});
type Move = typeof anyMove extends fc.Arbitrary<infer T> ? T : never;

/** Does one operation to the model and answers how a client would write it. */
export function play(document: Document, { op, at, from, values, shout, bare }: Move): JsonObject {
  const pick = (all: Spot[], n: number) => all[n % all.length] as Spot;
  const spell = (path: string) => (shout ? path.toUpperCase() : path).slice(bare ? 1 : 0);
  const source = pick(spots(document, false), from);
  if (op === 'move' || op === 'copy') {
    const value = structuredClone(get(source));
    if (op === 'move') unset(source);
    const target = pick(
      spots(document, true).filter((spot) => spot.kind === source.kind),
      at,
    );
    insert(target, value);
    return { op, from: spell(source.path), path: spell(target.path) };
  }
  const target = op === 'add' ? pick(spots(document, true), at) : source;
  const value = op === 'test' ? structuredClone(get(target)) : values[target.kind];
  if (op === 'add') insert(target, structuredClone(value));
  if (op === 'replace') set(target, structuredClone(value));
  if (op === 'remove') unset(target);
  return { op, path: spell(target.path), value };
}
