import { badField } from '../../domain/errors.js';
import { entityKinds, entityTypes, type EntityKind as Kind } from '../../domain/events.js';
import { attachments } from '../../items/attachments.js';
import { expirationItems } from '../../items/expiration-items.js';
import type { Readable } from '../../records/lists/readable.js';
import { type Found, maxMatchesPerKind, searchAll } from '../../records/lists/search.js';
import { load } from '../../records/loaders.js';
import { categories } from '../../resources/categories.js';
import { companies } from '../../resources/companies.js';
import { contactTypes } from '../../resources/contact-types.js';
import { contacts } from '../../resources/contacts.js';
import { locations } from '../../resources/locations.js';
import { notes } from '../../resources/notes.js';
import { tags } from '../../resources/tags.js';
import { teams } from '../../resources/teams.js';
import { vehicles } from '../../resources/vehicles.js';
import { uploadNotifications } from '../../uploads/notifications.js';
import { builder } from '../builder.js';
import { connectionTypes } from '../define/connection.js';
import { connectHeld } from '../define/held-list.js';
import { needs } from '../execution/selection.js';
import { withTypeName } from './node.js';
import { RecordKind } from './record-kinds.js';
import { RelatedRecord } from './related-records.js';

/** Lists that are searched. Kinds with equally good matches are answered in this order. */
const searched: Partial<Record<Kind, Readable>> = {
  expirationItem: expirationItems as Readable,
  contact: contacts as Readable,
  vehicle: vehicles as Readable,
  company: companies as Readable,
  location: locations as Readable,
  category: categories as Readable,
  tag: tags as Readable,
  note: notes as Readable,
  attachment: attachments as Readable,
  contactType: contactTypes as Readable,
  team: teams as Readable,
  uploadNotification: uploadNotifications as Readable,
};

/** Kinds that are searched only when they are named: no index serves their terms. */
const onlyNamed: readonly Kind[] = ['uploadNotification'];

function chooseKinds(types: readonly number[] | null | undefined): readonly (readonly [Kind, Readable])[] {
  const all = Object.entries(searched) as [Kind, Readable][];
  if (!types || types.length === 0) return all.filter(([kind]) => !onlyNamed.includes(kind));
  for (const [index, type] of types.entries()) {
    const kind = entityKinds.get(type);
    if (!kind || !searched[kind]) throw badField(['kinds', index], 'is not searched');
  }
  return all.filter(([kind]) => types.includes(entityTypes[kind]));
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
