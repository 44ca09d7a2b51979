import { entityNames, entityTypes } from '../../domain/events.js';
import type { EntityKind } from '../../domain/models.js';
import { snakeCase } from '../../domain/text/names.js';
import { builder } from '../builder.js';

/** Kinds of records, as an enum. Their values are the numbers that the contract has for them. */
export const RecordKind = builder.enumType('RecordKind', {
  description: 'A kind of records.',
  values: Object.fromEntries(
    Object.entries(entityTypes).map(([kind, value]) => [
      snakeCase(kind).toUpperCase(),
      { value, description: `A ${entityNames[kind as EntityKind]}; its number is ${value}.` },
    ]),
  ),
});
