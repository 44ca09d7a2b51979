import { InputFieldBuilder, type InputRef, type ObjectRef } from '@pothos/core';
import type { Identified } from '../../db/sql/conditions.js';
import type { Right } from '../../domain/caller.js';
import type { Direction, Order } from '../../domain/paging.js';
import { pluralOf, snakeCase, withArticle } from '../../domain/text/names.js';
import { countRecords, listRecords } from '../../records/list.js';
import { filterLimits, isSearch, lastChange, rangesOf } from '../../records/lists/filter.js';
import { computedKeys, customFieldKey, readOrders, sortColumns } from '../../records/lists/order.js';
import { findRecord } from '../../records/record.js';
import type { ListedResource, RangeType } from '../../records/resource.js';
import { builder } from '../builder.js';
import { selectionForField, selectionOfNodes } from '../execution/selection.js';
import { connect, connectionTypes } from './connection.js';

const inputField = new InputFieldBuilder(builder, 'InputObject');

/** Defines the input of a range, whose bounds are optional. */
function defineRange(type: RangeType, what: string) {
  return builder.inputType(`${type}Range`, {
    description: `A range of ${what}. Every bound is optional. Null is never in a range.`,
    fields: (t) => ({
      gte: t.field({ type, description: 'Greater than or equal to this value.' }),
      gt: t.field({ type, description: 'Greater than this value.' }),
      lte: t.field({ type, description: 'Less than or equal to this value.' }),
      lt: t.field({ type, description: 'Less than this value.' }),
    }),
  });
}

const ranges = {
  Date: defineRange('Date', 'dates, where later means greater'),
  DateTime: defineRange('DateTime', 'times, where later means greater'),
  Int: defineRange('Int', 'integers'),
  Float: defineRange('Float', 'numbers'),
  BigInt: defineRange('BigInt', '64-bit integers'),
};

const CustomFieldFilter = builder.inputType('CustomFieldFilter', {
  description: 'Matches records that have a custom field. Name the field by either its id or its name.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id." }),
    name: t.string({ description: "The custom field's name, in any letter case." }),
    value: t.string({
      description: 'The complete value, in any letter case. If omitted, any value matches.',
    }),
  }),
});

/** Defines the enum of the links that a resource's records may lack. */
function defineLinks(name: string, noun: string, links: NonNullable<ListedResource['links']>) {
  const values = Object.keys(links).map((link) => [
    link,
    {
      value: link,
      description: `The field \`${link.toLowerCase().replace(/_./g, ([, c]) => c?.toUpperCase() ?? '')}\`.`,
    },
  ]);
  return builder.enumType(`${name}Link`, {
    description: `Fields that link ${withArticle(noun)} to other records.`,
    values: Object.fromEntries(values),
  });
}

/**
 * Adds the members that every list has to a filter. Further members follow from its resource
 * (records/lists/filter.ts).
 */
function completeFilter(name: string, filter: InputRef<object>, resource: ListedResource): void {
  const [, change] = lastChange(resource);
  const { manyOf = {}, links, customFields } = resource;
  const Link = links && defineLinks(name, resource.noun, links);
  const bounds = `Filters nest at most ${filterLimits.depth} levels deep, with ${filterLimits.filters} in total`;
  builder.configStore.addInputFields(filter, () => ({
    modifiedSince: inputField.field({
      type: 'DateTime',
      description: `Matches records ${change} at or after this time.`,
    }),
    ...Object.fromEntries(
      Object.entries(rangesOf(resource)).map(([column, type]) => [
        column,
        inputField.field({
          type: ranges[type],
          description: `Matches records whose \`${column}\` is in this range.`,
        }),
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(manyOf).map((member) => [
        member,
        inputField.idList({ description: `Like \`${member.slice(0, -1)}\`, but matches any of these ids.` }),
      ]),
    ),
    ...(Link && {
      hasNone: inputField.field({
        type: [Link],
        description: 'Matches records that have nothing visible to the caller in any of these fields.',
      }),
    }),
    ...(customFields && {
      customFields: inputField.field({
        type: [CustomFieldFilter],
        description: 'Matches records that have all of these custom fields.',
      }),
    }),
    and: inputField.field({
      type: [filter],
      description: `Matches records that match all of these filters. ${bounds}.`,
    }),
    or: inputField.field({
      type: [filter],
      description: `Matches records that match at least one of these filters. ${bounds}.`,
    }),
    not: inputField.field({
      type: filter,
      description: `Matches records that do not match this filter. ${bounds}.`,
    }),
  }));
}

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The sort direction.',
  values: {
    ASC: { value: 'asc' as Direction, description: 'Smallest first. Rows without a value come last.' },
    DESC: { value: 'desc' as Direction, description: 'Largest first. Rows without a value come first.' },
  } as const,
});

/** Converts a sort key to its enum name: `name` → `NAME`, `category.name` → `CATEGORY_NAME`. */
const enumName = (key: string) =>
  snakeCase(key.replace(/\.value$/, ''))
    .replaceAll('.', '_')
    .toUpperCase();

const keyDescriptions: Readonly<Record<string, string>> = {
  address: 'The address or endpoint. Counts as missing if the caller may not see it.',
  'holder.name': 'The name of the first holder. Counts as missing if the caller may not see any.',
  'status.number': 'The status, in this order: current, notifying, expired, archived, no date, missing.',
  [customFieldKey]: 'The text value of the custom field named by `customField`.',
};

/**
 * Defines a resource's `orderBy` input. A sort key is a scalar field, a linked name or another computed
 * value, with a direction.
 * @param name the resource's type name
 */
function defineOrder(name: string, resource: ListedResource) {
  const computed = [...computedKeys(resource).keys()].map((key) => {
    const [link = ''] = key.split('.');
    const what = key === link ? 'The id of the linked record' : `The name of \`${link}\``;
    const linked = `${what}. Counts as missing if the caller may not see it.`;
    return [enumName(key), { value: key, description: keyDescriptions[key] ?? linked }];
  });
  const field = builder.enumType(`${name}OrderField`, {
    description: `Fields that a list of ${pluralOf(resource.noun)} can be sorted by.`,
    values: Object.fromEntries([
      ...[...resource.sortable.keys()].map((column) => [enumName(column), { value: column }]),
      ...computed,
    ]),
  });
  return builder.inputRef<Order>(`${name}Order`).implement({
    description: `A sort key for a list of ${pluralOf(resource.noun)}. Ties are broken by id.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'The field to sort by.' }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'asc',
        description: 'The sort direction.',
      }),
      ...(resource.customFields && {
        customField: t.string({
          description: 'The id or name of the custom field to sort by, if `field` is `CUSTOM_FIELD`.',
        }),
      }),
    }),
  });
}

type Types = (typeof builder)['$inferSchemaTypes'];

/** Definition of a resource's queries. */
interface Reads {
  readonly type: ObjectRef<Types, Identified> & { readonly name: string };
  readonly resource: ListedResource;
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
            count: (counted) => countRecords(session, resource, narrowed, counted),
            together: isSearch(narrowed),
          });
        },
      },
      connection,
    ),
  }));
  return { type, resource, order, filter: reads.filter, connection, args };
}
