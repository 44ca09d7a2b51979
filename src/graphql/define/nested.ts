import type { ObjectRef } from '@pothos/core';
import type { RecordKind } from '../../db/sql/models.js';
import type { Identified } from '../../db/sql/query.js';
import type { Link } from '../../records/links.js';
import { readOrders, sortColumns } from '../../records/lists/order.js';
import { countNested, listNested } from '../../records/nested.js';
import { builder } from '../builder.js';
import { needs } from '../execution/selection.js';
import { connect } from './connection.js';
import type { List } from './reads.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/** A list that records of a type have. */
interface NestedList {
  readonly on: ObjectRef<Types, Identified> & { readonly name: string };
  readonly field: string;
  readonly description: string;
  /** The root list, and its kind of records. */
  readonly list: List & { readonly kind: RecordKind };
  readonly link: Link;
}

/**
 * Defines a connection on a type to the records that are linked to it. It works like the root connection. The
 * lists of all records on a level take as few statements as a single one.
 */
export function nest({ on, field, description, list, link }: NestedList): void {
  const { type, resource, order, connection, args, kind } = list;
  const nested = { name: `${on.name}.${field}`, kind, resource, link };
  builder.objectField(on, field, (t) =>
    t.connection(
      {
        type,
        description,
        ...needs({}),
        args,
        resolve: ({ id }, { filter, orderBy, ...args }, { session }) => {
          const [narrowed, orders] = [filter ?? {}, readOrders(orderBy, order)];
          return connect(args, {
            list: resource.rows.model,
            orders,
            columns: sortColumns(resource, orders),
            read: (window) => listNested(session, nested, id, narrowed, orders, window),
            count: () => countNested(session, nested, id, narrowed),
          });
        },
      },
      connection,
    ),
  );
}
