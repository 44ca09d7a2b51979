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
  /** List that is nested, and its kind of records. */
  readonly list: List & { readonly kind: RecordKind };
  readonly link: Link;
}

/**
 * Defines a connection on a type, of records linked to each of its records. It is like the connection at the
 * root. The lists of all records at a level take the same few statements as one.
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
