import { typeBrandKey } from '@pothos/core';
import type { Session } from '../../../db/connection/session.js';
import { modelName, type RecordKind } from '../../../db/sql/models.js';
import { badField } from '../../../domain/errors.js';
import { maxPageSize } from '../../../domain/paging.js';
import type { Linked } from '../../../records/loaders.js';
import { findAny } from '../../../records/nodes.js';
import { builder, Node } from '../../builder.js';

/** Adds a record's type name, by which GraphQL resolves interfaces and unions. */
export function withTypeName<Kind extends RecordKind>(kind: Kind, record: Linked<Kind>) {
  return { ...record, [typeBrandKey]: modelName(kind) };
}

async function loadNode(session: Session, id: string) {
  const found = await findAny(session, id);
  return found && withTypeName(found.kind, found.record);
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    nullable: true,
    description:
      'Returns the record with this id, whatever its type, or null if it does not exist or the caller may not see it.',
    args: { id: t.arg.id({ required: true, description: "The record's id." }) },
    resolve: (_root, { id }, { session }) => loadNode(session, id),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: false, items: true },
    description:
      'Returns the records with these ids, in the same order, with null for those that do not exist or that the caller may not see.',
    args: {
      ids: t.arg.idList({ required: true, description: `The records' ids, at most ${maxPageSize}.` }),
    },
    resolve: async (_root, { ids }, { session }) => {
      if (ids.length > maxPageSize)
        throw badField(['ids'], `must have at most ${maxPageSize} entries`, 'entries');
      return Promise.all(ids.map((id) => loadNode(session, id)));
    },
  }),
}));
