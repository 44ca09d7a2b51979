import { badField } from '../../../domain/errors.js';
import { entityTypes, type EntityKind as Kind } from '../../../domain/events.js';
import { kindOf } from '../../../domain/models.js';
import type { Declared } from '../../../records/declare/declare.js';
import type { Readable } from '../../../records/lists/readable.js';
import { type Found, maxMatchesPerKind, searchAll } from '../../../records/lists/search.js';
import { load } from '../../../records/loaders.js';
import { builder } from '../../builder.js';
import { connectionTypes } from '../../define/connection.js';
import { connectHeld } from '../../define/held-list.js';
import { needs } from '../../execution/selection.js';
import { resources } from '../../resources.js';
import { withTypeName } from './node.js';
import { RecordKind } from './record-kinds.js';
import { RelatedRecord } from './related-records.js';

/** A resource whose records are found. */
type Searched = Readable & Declared & { readonly searchPlace: number };

/** The searched resources. Kinds with equally good matches are answered in this order. */
const searched = (resources as readonly object[])
  .filter((resource): resource is Searched => 'searchPlace' in resource)
  .sort((one, other) => one.searchPlace - other.searchPlace)
  .map((resource) => [kindOf(resource.model) as Kind, resource] as const);

function chooseKinds(types: readonly number[] | null | undefined): readonly (readonly [Kind, Readable])[] {
  if (!types || types.length === 0) return searched.filter(([, { searchedIfNamed }]) => !searchedIfNamed);
  const chosen = searched.filter(([kind]) => types.includes(entityTypes[kind]));
  for (const [index, type] of types.entries()) {
    if (!chosen.some(([kind]) => entityTypes[kind] === type))
      throw badField(['kinds', index], 'is not searched');
  }
  return chosen;
}

const SearchResult = builder.objectRef<Found>('SearchResult').implement({
  description: 'A record found by a search, and what matches.',
  fields: (t) => ({
    kind: t.field({
      type: RecordKind,
      description: 'The kind of record.',
      resolve: ({ kind }) => entityTypes[kind],
    }),
    field: t.exposeString('field', {
      description: "The name of the record's field that matches best.",
    }),
    snippet: t.exposeString('snippet', { description: 'The text of the field around the match.' }),
    record: t.field({
      type: RelatedRecord,
      nullable: true,
      description: 'The record itself. Null if it was deleted in the meantime.',
      ...needs({}),
      resolve: async ({ kind, id }, _args, { session }) => {
        const record = await load(session, kind, id);
        return record && withTypeName(kind, record);
      },
    }),
  }),
});

/** The best first. */
const orders = [
  { field: 'rank', direction: 'asc' },
  { field: 'place', direction: 'asc' },
  { field: 'title', direction: 'asc' },
] as const;
const [connection, edge] = connectionTypes('SearchResult');
const SearchConnection = builder.connectionObject({ type: SearchResult, ...connection }, edge);

builder.queryField('search', (t) =>
  t.connection(
    {
      type: SearchResult,
      // It takes a statement for each kind.
      extensions: { cost: 20_000 },
      description: `Searches records of all kinds, in the texts that lists search by \`term\`. The best matches come first: texts equal to the term, then those that begin with it, those with a word that begins with it, and those that contain it. At most ${maxMatchesPerKind} records of each kind are found: the first by name, or the newest.`,
      args: {
        term: t.arg.string({
          required: true,
          description: 'Part of a text, ignoring case. It needs at least three letters or digits in a row.',
        }),
        kinds: t.arg({
          type: [RecordKind],
          description:
            'Searches only records of these kinds. Default: all kinds except upload notifications.',
        }),
      },
      resolve: (_root, { term, kinds, ...args }, { session }) => {
        const chosen = chooseKinds(kinds);
        return connectHeld(args, {
          list: 'SearchResult',
          orders,
          rows: () => searchAll(session, chosen, term),
        });
      },
    },
    SearchConnection,
  ),
);
