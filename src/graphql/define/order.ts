import type { Direction, Order } from '../../domain/paging.js';
import { snakeCase } from '../../domain/text/names.js';
import type { Readable } from '../../records/resource.js';
import { builder } from '../builder.js';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of a list.',
  values: {
    ASC: { value: 'asc' as Direction, description: 'Smallest first; what has no value comes last.' },
    DESC: { value: 'desc' as Direction, description: 'Largest first; what has no value comes first.' },
  } as const,
});

/**
 * Defines a resource's `orderBy` input: any of its scalar fields, and a direction.
 * @param name the resource's type name
 */
export function defineOrder(name: string, resource: Readable) {
  const field = builder.enumType(`${name}OrderField`, {
    description: `What a list of the type ${name} can be ordered by.`,
    values: Object.fromEntries(
      [...resource.sortable.keys()].map((column) => [snakeCase(column).toUpperCase(), { value: column }]),
    ),
  });
  return builder.inputRef<Order>(`${name}Order`).implement({
    description: `An order of a list of the type ${name}; ties are broken by id.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'The field to order by.' }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'asc',
        description: 'The direction.',
      }),
    }),
  });
}
