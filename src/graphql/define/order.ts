import type { Direction, Order } from '../../domain/paging.js';
import { pluralOf, snakeCase } from '../../domain/text/names.js';
import { computedKeys, customFieldKey } from '../../records/lists/order.js';
import type { Readable } from '../../records/lists/readable.js';
import { builder } from '../builder.js';

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
  'status.number': 'The status, in this order: current, notifying, expired, archived, no date, missing.',
  [customFieldKey]: 'The text value of the custom field named by `customField`.',
};

/**
 * Defines a resource's `orderBy` input. A sort key is a scalar field, a linked name or another computed
 * value, with a direction.
 * @param name the resource's type name
 */
export function defineOrder(name: string, resource: Readable) {
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
