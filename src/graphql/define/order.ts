import type { Direction, Order } from '../../domain/paging.js';
import { snakeCase } from '../../domain/text/names.js';
import { computedKeys, customFieldKey } from '../../records/lists/order.js';
import type { Readable } from '../../records/lists/readable.js';
import { builder } from '../builder.js';

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'The direction of a list.',
  values: {
    ASC: { value: 'asc' as Direction, description: 'Smallest first; what has no value comes last.' },
    DESC: { value: 'desc' as Direction, description: 'Largest first; what has no value comes first.' },
  } as const,
});

/** Converts a sort key to its enum name: `name` → `NAME`, `category.name` → `CATEGORY_NAME`. */
const enumName = (key: string) =>
  snakeCase(key.replace(/\.value$/, ''))
    .replaceAll('.', '_')
    .toUpperCase();

const keyDescriptions: Readonly<Record<string, string>> = {
  address: 'Address or endpoint that it goes to; none where the caller may not see it.',
  'status.number':
    'The number of the status: current, notifying, expired, archived, without a date, missing.',
  [customFieldKey]: 'The value of the custom field that `customField` names, as text.',
};

/**
 * Defines a resource's `orderBy` input. A sort key is a scalar field, a linked name or another computed
 * value, with a direction.
 * @param name the resource's type name
 */
export function defineOrder(name: string, resource: Readable) {
  const computed = [...computedKeys(resource).keys()].map((key) => {
    const [link = ''] = key.split('.');
    const linked = `The name that \`${link}\` has; none where the caller may not see it.`;
    return [enumName(key), { value: key, description: keyDescriptions[key] ?? linked }];
  });
  const field = builder.enumType(`${name}OrderField`, {
    description: `What a list of the type ${name} can be ordered by.`,
    values: Object.fromEntries([
      ...[...resource.sortable.keys()].map((column) => [enumName(column), { value: column }]),
      ...computed,
    ]),
  });
  return builder.inputRef<Order>(`${name}Order`).implement({
    description: `A key of an order of a list of the type ${name}; ties are broken by id.`,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'The field to order by.' }),
      direction: t.field({
        type: OrderDirection,
        required: true,
        defaultValue: 'asc',
        description: 'The direction.',
      }),
      ...(resource.customFields && {
        customField: t.string({ description: 'The id or the name of a custom field, with `CUSTOM_FIELD`.' }),
      }),
    }),
  });
}
