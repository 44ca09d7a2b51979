import { entityNames, entityTypes } from '../../../domain/events.js';
import type { EntityKind } from '../../../domain/models.js';
import { capitalized, snakeCase, withArticle } from '../../../domain/text/names.js';
import { builder } from '../../builder.js';

/** Kinds of records, as an enum. Their values are the numbers that the contract has for them. */
export const RecordKind = builder.enumType('RecordKind', {
  description: 'The kind of a record.',
  values: Object.fromEntries(
    Object.entries(entityTypes).map(([kind, value]) => [
      snakeCase(kind).toUpperCase(),
      {
        value,
        description: `${capitalized(withArticle(entityNames[kind as EntityKind]))}. Its number is ${value}.`,
      },
    ]),
  ),
});
