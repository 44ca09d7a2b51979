import { modelOf } from '../data/kinds.js';
import { type AnyRecord, findAny } from '../data/nodes.js';
import { badField } from '../domain/errors.js';
import { maxPageSize } from '../domain/paging.js';
import { builder, Node } from './builder.js';

/** A record of any kind as GraphQL resolves it: one that says its type. */
export function typed(found: AnyRecord | null) {
  return found && { ...found.record, __typename: modelOf(found.kind) };
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description: 'The record with an id, whatever its type; null when there is none that the caller may see.',
    args: { id: t.arg.id({ required: true, description: "The record's id." }) },
    resolve: async (_root, { id }, { session }) => typed(await findAny(session, id)),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description: 'The records with these ids, in their order; null for what the caller may not see.',
    args: {
      ids: t.arg.idList({ required: true, description: `The records' ids, at most ${maxPageSize}.` }),
    },
    resolve: async (_root, { ids }, { session }) => {
      if (ids.length > maxPageSize) throw badField(['ids'], `must have at most ${maxPageSize} entries`);
      return Promise.all(ids.map(async (id) => typed(await findAny(session, id))));
    },
  }),
}));
