import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { type GraphQLObjectType, getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { create as createDiffer } from 'jsondiffpatch';
import { format } from 'jsondiffpatch/formatters/jsonpatch';
import { jsonPatchPathConverter, diff as justDiff } from 'just-diff';
import { createPatch } from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { patience, runs, seed } from '../fuzz/runs.js';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

// biome-ignore lint/suspicious/noExplicitAny: a record as one of the doors shows it.
type Shown = any;
type Operations = object[];

const differ = createDiffer({ objectHash: (object) => (object as { id?: string }).id });

/** What turns two states of a document into a patch. */
const libraries: Record<string, (a: Shown, b: Shown) => Operations> = {
  'fast-json-patch': (a, b) => fastJsonPatch.compare(a, b),
  rfc6902: (a, b) => createPatch(a, b),
  jsondiffpatch: (a, b) => format(differ.diff(a, b) ?? undefined) as Operations,
  'just-diff': (a, b) => justDiff(a, b, jsonPatchPathConverter),
};

/** Returns a patch with a `test` of the value before each operation that changes one. */
function tested(document: Shown, patch: Operations): Operations {
  let state = structuredClone(document);
  return patch.flatMap((operation) => {
    const { op, path, from = path } = operation as { op: string; path: string; from?: string };
    const source = op === 'move' ? from : path;
    const value = op === 'add' ? undefined : fastJsonPatch.getValueByPointer(state, source);
    const test = value === undefined ? [] : [{ op: 'test', path: source, value: structuredClone(value) }];
    state = fastJsonPatch.applyOperation(state, structuredClone(operation) as never, false, true).newDocument;
    return [...test, operation];
  });
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Values of two records of each kind, as REST takes them. The second one lends parts to the first. */
const kinds: Record<string, (n: number) => object> = {
  expirationitems: (n) => ({
    ...{ name: `Item ${n}`, expiration_date: '2027-06-01', category_name: `Type ${n}`, details: 'Some' },
    assigned_to: n === 0 ? { id: gateway.userId } : null,
    contacts: [0, 1, 2].map((i) => ({ email: `c${n}${i}@example.com` })),
    locations: [0, 1, 2].map((i) => ({ name: `Place ${n}${i}` })),
    tags: [0, 1, 2].map((i) => ({ name: `tag ${n}${i}` })),
    custom_fields: [0, 1, 2].map((i) => ({ name: `f${i}`, value: `${i}` })),
    attachments: [0, 1, 2].map((i) => ({ name: `${n}${i}.txt`, content: base64(`file ${i % 2} of ${n}`) })),
  }),
  vehicles: (n) => ({
    ...{
      name: `Van ${n}`,
      vin: `VIN ${n}`,
      year: 2020,
      msrp: 1.5,
      primary_meter_type_id: 1,
      ownership_id: 2,
    },
    ...{ assigned_to: { id: gateway.userId }, custom_fields: [{ name: 'a', value: '1' }, { name: 'b' }] },
  }),
  companies: (n) => ({ name: `Firm ${n}`, tax_id: `T${n}`, custom_fields: [{ name: 'a' }, { name: 'b' }] }),
  contacts: (n) => ({
    name: `Ann ${n}`,
    email: `ann${n}@example.com`,
    custom_fields: [{ name: 'a' }, { name: 'b' }],
  }),
  contacttypes: (n) => ({ name: `Kind ${n}` }),
  locations: (n) => ({ name: `Yard ${n}`, custom_fields: [{ name: 'a' }, { name: 'b' }] }),
  notes: (n) => ({
    ...{ name: `Note ${n}`, body: `<p>Text ${n}</p>` },
    relations: [1, 2, 3].map((entity_type) => ({ entity_id: crypto.randomUUID(), entity_type })),
  }),
  tags: (n) => ({ name: `Word ${n}` }),
  categories: (n) => ({ name: `Sort ${n}`, custom_fields: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
  reminderpolicies: (n) => ({
    name: `Rule ${n}`,
    steps: [-30, -14, -7, 1].map((offset_days) => ({ offset_days })),
  }),
};

/** Makes the decisions of a random edit, one after the other. */
type Choose = (options: number) => number;

const isObject = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that callers may set to any text. */
const texts = [
  'name',
  'details',
  'phone',
  'color',
  'value',
  'bodyText',
  'body_text',
  'doing_business_as',
  'doingBusinessAs',
];

/** Number of texts so far. No two are the same, because some must be unique. */
let written = 0;

/** Changes a list: keeps some of its entries in another order, and borrows some. */
function editList(name: string, list: Shown[], other: Shown[], choose: Choose): Shown[] {
  const kept = structuredClone(list).filter(() => choose(4) > 0);
  // A policy puts its steps in order.
  if (name === 'steps') return kept.length > 0 ? kept : list;
  const order = kept.map((entry) => ({ entry, place: choose(8) }));
  const sorted = choose(2) ? order.sort((a, b) => a.place - b.place) : order;
  const borrowed = name === 'attachments' ? [] : structuredClone(other).filter(() => choose(4) === 0);
  const idOf = (entry: Shown) => entry.id ?? entry.entity_id ?? entry.entityId;
  const ids = new Set(kept.map(idOf));
  const fresh = borrowed.filter((entry) => !ids.has(idOf(entry)));
  const entries = sorted.map(({ entry }) => entry);
  return choose(2) ? [...fresh, ...entries] : [...entries, ...fresh];
}

/** Returns another state of a record, as somebody who edits a copy of it would make it. */
function edit(shown: Shown, other: Shown, choose: Choose): Shown {
  const edited = structuredClone(shown);
  for (const [name, value] of Object.entries(shown) as [string, Shown][]) {
    if (choose(2) === 0) continue;
    if (Array.isArray(value) && isObject([...value, ...other[name]][0])) {
      edited[name] = editList(name, value, other[name], choose);
      for (const entry of edited[name]) {
        if (name === 'attachments' && choose(3) === 0) entry.name = `renamed ${choose(100)}`;
        if (/^custom_?fields$/i.test(name) && 'value' in entry && choose(3) === 0)
          entry.value = `v${choose(100)}`;
      }
    } else if (name === 'category') {
      edited.category = other.category;
      for (const named of ['category_name', 'categoryName']) if (named in shown) edited[named] = other[named];
    } else if (/^assigned_?to$/i.test(name)) edited[name] = value === null ? other[name] : null;
    else if (texts.includes(name)) edited[name] = `${name} ${++written}`;
    else if (/^(is_?archived|is_?active)$/i.test(name)) edited[name] = !value;
  }
  return edited;
}

/** Returns a state without what the server sets, or derives from the rest. */
function comparable(value: Shown, name = ''): Shown {
  if (Array.isArray(value)) return value.map((entry) => comparable(entry));
  if (!isObject(value)) return value;
  const derived = /^(modified|version|status|status_?id|notify_?on|lead_?days|body|body_?text|downloadUrl)$/i;
  const entries = Object.entries(value).filter(([member]) => name !== 'inner' && !derived.test(member));
  return Object.fromEntries(entries.map(([member, inner]) => [member, comparable(inner)]));
}

/** One of the doors. */
interface Door {
  readonly read: (kind: string, id: string) => Promise<Shown>;
  readonly patch: (kind: string, id: string, operations: Operations) => Promise<string | undefined>;
}

const rest: Door = {
  read: async (kind, id) => (await gateway.send('GET', `/v1/${kind}/${id}`)).json,
  patch: async (kind, id, body) => {
    const { status, text } = await gateway.send('PATCH', `/v1/${kind}/${id}`, { body });
    return status === 200 || status === 304 ? undefined : text;
  },
};

const typeNames: Record<string, string> = {
  ...{ expirationitems: 'ExpirationItem', vehicles: 'Vehicle', companies: 'Company', contacts: 'Contact' },
  ...{
    contacttypes: 'ContactType',
    locations: 'Location',
    notes: 'Note',
    tags: 'Tag',
    categories: 'Category',
  },
  reminderpolicies: 'ReminderPolicy',
};

/** Writes the selection of a whole document: plain values, and what is written with the record. */
function selectionOf(type: GraphQLObjectType): string {
  const input = schema.getType(`Update${type.name}Input`);
  const written = isInputObjectType(input) ? input.getFields() : {};
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return field.name;
    if (!(field.name in written) || !isObjectType(named)) return [];
    const nodes = named.getFields().nodes && getNamedType(named.getFields().nodes?.type);
    const inner = selectionOf(isObjectType(nodes) ? nodes : named);
    return isObjectType(nodes) ? `${field.name} { nodes ${inner} }` : `${field.name} ${inner}`;
  });
  return `{ ${fields.join(' ')} }`;
}

/** Replaces connections by the lists of their nodes. */
function withoutPages(value: Shown): Shown {
  if (Array.isArray(value)) return value.map(withoutPages);
  if (!isObject(value)) return value;
  if ('nodes' in value) return withoutPages(value.nodes);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutPages(inner)]));
}

const graphql: Door = {
  read: async (kind, id) => {
    const name = typeNames[kind] ?? '';
    const field = `${name[0]?.toLowerCase()}${name.slice(1)}`;
    const query = `query ($id: ID!) { record: ${field}(id: $id) ${selectionOf(schema.getType(name) as GraphQLObjectType)} }`;
    const { data, errors } = await gateway.graphql(query, { id });
    expect(errors).toBeUndefined();
    return withoutPages(data.record);
  },
  patch: async (kind, id, operations) => {
    const query = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) {
      patch${typeNames[kind]}(id: $id, operations: $operations) { id } }`;
    const { errors } = await gateway.graphql(query, { id, operations });
    return errors && JSON.stringify(errors);
  },
};

describe.each(Object.entries({ REST: rest, GraphQL: graphql }))('%s', (doorName, door) => {
  test.each(Object.keys(libraries))(
    'applies the patches of %s between two states of any record, with and without tests',
    async (library) => {
      const made = new Map<string, [string, string]>();
      for (const [kind, values] of Object.entries(kinds)) {
        const ids: string[] = [];
        for (const n of [0, 1]) {
          const body = JSON.parse(
            JSON.stringify(values(n)).replaceAll(
              /(VIN|T|Kind|Yard|Word|Sort|Rule|ann) ?(?=\d)/g,
              `$1${doorName}${library} `.replaceAll(' ', ''),
            ),
          );
          const response = await gateway.send('POST', `/v1/${kind}`, { body });
          expect(response.status, response.text).toBe(201);
          ids.push(response.json.id);
        }
        made.set(kind, ids as [string, string]);
      }
      const property = fc.asyncProperty(
        fc.constantFrom(...made.keys(), ...Array(10).fill('expirationitems')),
        fc.array(fc.nat({ max: 1_000_000 }), { minLength: 60, maxLength: 60 }),
        fc.boolean(),
        async (kind, choices, isTested) => {
          let next = 0;
          const choose: Choose = (options) => (choices[next++ % choices.length] ?? 0) % options;
          const [id, otherId] = made.get(kind) ?? ['', ''];
          const [before, other] = [await door.read(kind, id), await door.read(kind, otherId)];
          const after = edit(before, other, choose);
          const patch = libraries[library]?.(before, after) ?? [];
          const operations = isTested ? tested(before, patch) : patch;
          expect(
            await door.patch(kind, id, operations),
            JSON.stringify(operations).slice(0, 3_000),
          ).toBeUndefined();
          expect(comparable(await door.read(kind, id))).toEqual(comparable(after));
        },
      );
      await fc.assert(property, { seed, numRuns: runs(8), endOnFailure: true });
    },
    patience,
  );
});
