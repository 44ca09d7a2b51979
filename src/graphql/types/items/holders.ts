import * as z from 'zod';
import { modelInfo, modelName } from '../../../db/sql/models.js';
import { limits } from '../../../domain/rules.js';
import { expirationItems } from '../../../items/expiration-items.js';
import { addHolders, removeHolder, removeHolders, setHolders } from '../../../items/held-items.js';
import {
  type HolderKind,
  type HolderRecord,
  holderCountByItem,
  holderKinds,
  holderOrder,
  listHolders,
  loadFormerHolders,
  maxHolders,
  type NamedHolder,
  namedHoldersByItem,
  papersOf,
} from '../../../items/holders.js';
import type { Item } from '../../../items/item-rows.js';
import { findOfKind, loadBatched } from '../../../records/loaders.js';
import { builder, typeOf, versionField } from '../../builder.js';
import { connect, connectionTypes } from '../../define/connection.js';
import { connectContained, nest } from '../../define/nested.js';
import { listOf } from '../../define/records.js';
import { defineValue } from '../../define/values.js';
import { onVersion, versionArgument } from '../../define/writes.js';
import { needs, selectionForField } from '../../execution/selection.js';
import { withTypeName } from '../records.js';

const words: Readonly<Record<HolderKind, string>> = {
  vehicle: 'A vehicle.',
  contact: 'A person.',
  company: 'A company.',
  location: 'A location.',
};

/** The kinds of holders. */
export const HolderKindEnum = builder.enumType('HolderKind', {
  description: 'Kinds of records that an item can be a paper of.',
  values: Object.fromEntries(
    holderKinds.map((kind) => [kind.toUpperCase(), { value: kind, description: words[kind] }]),
  ) as Record<string, { value: HolderKind; description: string }>,
});

export const HolderUnion = builder.unionType('Holder', {
  description:
    'What an item is a paper of: a vehicle, a person, a company or a location. It is neither who is told (`contacts`) nor where the item lies (`locations`).',
  types: holderKinds.map((kind) => typeOf(kind)),
});

export const HolderReference = builder.inputType('HolderReference', {
  description:
    'Refers to a holder by its kind and its id, or else by a natural key of that kind. Nothing is created: a key that names no record is `NOT_FOUND`, and one that names several is `CONFLICT`.',
  fields: (t) => ({
    kind: t.field({ type: HolderKindEnum, required: true, description: 'The kind of record.' }),
    id: t.id({ description: "The record's id." }),
    vin: t.string({ description: 'The vehicle identification number of a vehicle.' }),
    licensePlate: t.string({
      description: 'The licence plate of a vehicle. Spaces, hyphens and dots make no difference.',
    }),
    email: t.string({ description: 'The e-mail address of a person.' }),
    taxId: t.string({ description: 'The tax number of a company.' }),
    name: t.string({ description: 'The name of a company or a location.' }),
  }),
});

const HoldersInput = builder.inputType('HoldersInput', {
  description: 'Holders of an item.',
  extensions: { rules: z.object({ holders: z.array(z.unknown()).max(maxHolders) }) },
  fields: (t) => ({
    holders: t.field({
      type: [HolderReference],
      required: true,
      extensions: { entryLimit: maxHolders },
      description: `The holders. They may be more than the ${limits.entries} that an item's own input takes.`,
    }),
  }),
});

builder.inputType('HolderFilter', {
  description: 'A record that items are papers of, or a kind of such records.',
  fields: (t) => ({
    kind: t.field({ type: HolderKindEnum, required: true, description: 'The kind of record.' }),
    id: t.id({ description: "The record's id. If omitted, any record of the kind matches." }),
  }),
});

/** A holder as REST lists it, because a union has no members of its own. */
const HolderEntry = defineValue<NamedHolder>(
  'HolderEntry',
  'A record that an item is a paper of, by its id and name.',
  {
    kind: [HolderKindEnum, 'The kind of record.'],
    id: ['ID', "The record's id.", { name: 'recordId' }],
    name: [
      'String',
      'The name of the record, or what else identifies it: a licence plate, or an e-mail address.',
      { nullable: true },
    ],
  },
  { model: 'HolderModel' },
);

const ItemHolders = builder.objectRef<Item>('ItemHolders').implement({
  description: 'All holders of an item, without pages.',
  extensions: { rules: z.object({ holders: z.array(z.unknown()).max(maxHolders) }) },
  fields: (t) => ({
    expirationItemId: t.exposeID('id', { description: 'The item.' }),
    holders: t.field({
      type: [HolderEntry],
      extensions: { cost: 100 },
      description: 'The records that the item is a paper of, in order, as far as the caller sees them.',
      resolve: ({ id }, _args, { session }) => loadBatched(session, namedHoldersByItem, id),
    }),
    version: t.string(versionField),
    modified: t.expose('modified', { type: 'DateTime', description: 'When the item was last changed.' }),
  }),
});

builder.queryField('itemHolders', (t) =>
  t.field({
    type: ItemHolders,
    nullable: true,
    description: 'Returns all holders of an item, or null if the caller does not see the item.',
    args: { id: t.arg.id({ required: true, description: "The item's id." }) },
    resolve: (_root, { id }, { session }) => findOfKind(session, 'expirationItem', id),
  }),
);

const [connection, edge] = connectionTypes('Holder');
const HolderConnection = builder.connectionObject({ type: HolderUnion, ...connection }, edge);

/** Adds the name of its type to a holder, and its place. */
const shown = (kind: HolderKind, record: HolderRecord) => ({
  ...withTypeName(kind, record),
  position: record.position,
});

builder.objectField(typeOf('expirationItem'), 'holders', (t) =>
  t.connection(
    {
      type: HolderUnion,
      description:
        'The records that the item is a paper of, in the order sent, as far as the caller sees them.',
      ...needs({}),
      resolve: (row, args, { session }) => {
        const { id, holders, renewals } = row as Item;
        // Only an item that was deleted knows its renewals, and nothing else knows its holders any more.
        if (holders && renewals)
          return connectContained(args, {
            list: 'Holder',
            orders: holderOrder,
            rows: () => loadFormerHolders(session, holders, shown),
          });
        return connect(args, {
          list: 'Holder',
          orders: holderOrder,
          columns: ['position'],
          read: (window) => listHolders(session, id, window, shown),
          count: () => loadBatched(session, holderCountByItem, id),
        });
      },
    },
    HolderConnection,
  ),
);

for (const kind of holderKinds) {
  const noun = kind === 'contact' ? 'person' : (modelInfo[modelName(kind)].noun ?? kind);
  nest({
    on: typeOf(kind),
    field: 'papers',
    description: `The items that are papers of the ${noun}: that have it among their \`holders\`.`,
    list: { ...listOf('expirationItem'), kind: 'expirationItem' },
    link: papersOf(kind),
  });
}

builder.mutationFields((t) => {
  const item = { type: typeOf('expirationItem'), nullable: true as const };
  const id = t.arg.id({ required: true, description: "The item's id." });
  const change = (what: string, description: string, write: typeof addHolders) =>
    t.field({
      ...item,
      description,
      extensions: { checksInput: true },
      args: {
        id,
        input: t.arg({ type: HoldersInput, required: true, description: what }),
        ...versionArgument(),
      },
      resolve: (_root, { id, input: { holders }, ifVersion }, { session }, info) => {
        const selection = selectionForField(info, expirationItems.rows.model);
        return onVersion(session, ifVersion, () => write(session, id, holders, selection));
      },
    });
  return {
    setHolders: change(
      'All holders of the item, in order.',
      'Replaces the holders of an item. An item has at most 10,000.',
      setHolders,
    ),
    addHolders: change(
      'The holders to add.',
      'Adds holders to an item, after its other ones. An item has at most 10,000.',
      addHolders,
    ),
    removeHolders: change('The holders to remove.', 'Removes holders from an item.', removeHolders),
    removeHolder: t.field({
      ...item,
      description: 'Removes one holder from an item, by its id alone.',
      args: {
        id,
        holderId: t.arg.id({ required: true, description: 'The id of the holder.' }),
        ...versionArgument(),
      },
      resolve: (_root, { id, holderId, ifVersion }, { session }, info) => {
        const selection = selectionForField(info, expirationItems.rows.model);
        return onVersion(session, ifVersion, () => removeHolder(session, id, holderId, selection));
      },
    }),
  };
});
