import type { InputRef, ObjectRef } from '@pothos/core';
import type { Identified } from '../../db/sql/query.js';
import type { Order } from '../../domain/paging.js';
import type { Right } from '../../domain/roles.js';
import { pluralOf, withArticle } from '../../domain/text/names.js';
import { countRecords, listRecords } from '../../records/list.js';
import { isSearch } from '../../records/lists/filter.js';
import { readOrders, sortColumns } from '../../records/lists/order.js';
import type { Readable } from '../../records/lists/readable.js';
import { findRecord } from '../../records/record.js';
import { builder } from '../builder.js';
import { selectionForField, selectionOfNodes } from '../execution/selection.js';
import { connect, connectionTypes } from './connection.js';
import { completeFilter } from './filter.js';
import { defineOrder } from './order.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/** Definition of a resource's queries. */
interface Reads {
  readonly type: ObjectRef<Types, Identified> & { readonly name: string };
  readonly resource: Readable;
  /** Names of the queries for one record and for a list. */
  readonly names: readonly [string, string];
  readonly filter: InputRef<object>;
  /** Default order of a list. */
  readonly order: Order;
  /** Additional right that reading requires. */
  readonly right?: Right;
}

/** Shared parts of a type's lists, at the root and below other records. */
export type List = Pick<Reads, 'type' | 'resource' | 'order' | 'filter'> & ReturnType<typeof defineList>;

function defineList(reads: Reads) {
  const { type, resource, filter, order } = reads;
  completeFilter(type.name, filter, resource);
  const orderBy = defineOrder(type.name, resource);
  const [connection, edge] = connectionTypes(type.name);
  return {
    connection: builder.connectionObject({ type, ...connection }, edge),
    /** The arguments besides Relay's. */
    args: builder.args((t) => ({
      filter: t.field({ type: filter, description: 'Returns only rows that match this filter.' }),
      orderBy: t.field({
        type: [orderBy],
        description: `Sort keys, the most significant first. Default: \`${order.field}\`, ${order.direction}ending.`,
      }),
    })),
  };
}

/**
 * Defines a resource's two queries, and the input type of its order.
 * @returns its list, for use as a nested list of other types
 */
export function defineReads(reads: Reads): List {
  const { type, resource, names, order, right } = reads;
  const [one, many] = names;
  const guarded = right && { authScopes: { [right]: true } };
  const { connection, args } = defineList(reads);
  const what = resource.noun;
  builder.queryFields((t) => ({
    [one]: t.field({
      ...guarded,
      type,
      nullable: true,
      description: `Returns ${withArticle(what)}, or null if it does not exist or the caller may not see it.`,
      args: { id: t.arg.id({ required: true, description: `The ${what}'s id.` }) },
      resolve: (_root, { id }, { session }, info) =>
        findRecord(session, resource, id, selectionForField(info, resource.rows.model)),
    }),
    [many]: t.connection(
      {
        ...guarded,
        type,
        description: `Lists the ${pluralOf(what)} that the caller may see.`,
        args: {
          ...args,
          offset: t.arg.int({
            description: 'Number of rows to skip, for numbered pages. Cursors are faster.',
          }),
        },
        resolve: (_root, { filter, orderBy, ...args }, { session }, info) => {
          const [narrowed, orders] = [filter ?? {}, readOrders(orderBy, order)];
          const columns = sortColumns(resource, orders);
          const selection = selectionOfNodes(info, resource.rows.model, columns);
          return connect(args, {
            list: resource.rows.model,
            orders,
            columns,
            read: (window, counted) =>
              listRecords(session, resource, narrowed, orders, window, { counted, selection }),
            count: () => countRecords(session, resource, narrowed),
            together: isSearch(narrowed),
          });
        },
      },
      connection,
    ),
  }));
  return { type, resource, order, filter: reads.filter, connection, args };
}
