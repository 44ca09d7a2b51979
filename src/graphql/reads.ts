import type { InputRef, ObjectRef } from '@pothos/core';
import { countRecords, listRecords } from '../data/list.js';
import { findRecord } from '../data/record.js';
import type { Identified, Readable } from '../data/resource.js';
import type { Order } from '../domain/paging.js';
import type { Right } from '../domain/roles.js';
import { builder } from './builder.js';
import { connect, connectionTypes } from './connection.js';
import { defineOrder } from './order.js';

type Types = (typeof builder)['$inferSchemaTypes'];

/** A resource's side of its queries. */
interface Reads {
  readonly type: ObjectRef<Types, Identified> & { readonly name: string };
  readonly resource: Readable;
  /** The query for one record, and the one for a list. */
  readonly names: readonly [string, string];
  readonly filter: InputRef<object>;
  /** The order of a list when the caller names none. */
  readonly order: Order;
  /** What they ask for beyond the right to read. */
  readonly right?: Right;
}

/** Defines a resource's two queries, and the input type of its order. */
export function defineReads({ type, resource, names: [one, many], filter, order, right }: Reads): void {
  const guarded = right && { authScopes: { [right]: true } };
  const orderBy = defineOrder(type.name, resource);
  const what = resource.noun;
  builder.queryFields((t) => ({
    [one]: t.field({
      ...guarded,
      type,
      nullable: true,
      description: `One ${what}; null when there is none that the caller may see.`,
      args: { id: t.arg.id({ required: true, description: `The ${what}'s id.` }) },
      resolve: (_root, { id }, { session }) => findRecord(session, resource, id),
    }),
    [many]: t.connection(
      {
        ...guarded,
        type,
        description: `A list of the type ${type.name}: what the caller may see.`,
        args: {
          filter: t.arg({ type: filter, description: 'Only these.' }),
          orderBy: t.arg({
            type: orderBy,
            description: `In this order; by ${order.field} when left out, ${order.direction}ending.`,
          }),
          offset: t.arg.int({ description: 'Rows to skip, for numbered pages; cursors are faster.' }),
        },
        resolve: (_root, { filter, orderBy, ...args }, { session }) => {
          const [narrowed, ordered] = [filter ?? {}, orderBy ?? order];
          return connect(
            ordered,
            args,
            (window) => listRecords(session, resource, narrowed, ordered, window),
            () => countRecords(session, resource, narrowed),
          );
        },
      },
      ...connectionTypes(type.name),
    ),
  }));
}
