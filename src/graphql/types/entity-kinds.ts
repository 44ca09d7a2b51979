import { type EntityKind as Kind, entityNames, entityTypes } from '../../domain/events.js';
import { snakeCase } from '../../domain/text/names.js';
import { builder } from '../builder.js';

/** Kinds of records that notes and events are about. Their values are the numbers that the contract has for them. */
export const EntityKind = builder.enumType('EntityKind', {
  description: 'A kind of record.',
  values: Object.fromEntries(
    Object.entries(entityTypes).map(([kind, value]) => [
      snakeCase(kind).toUpperCase(),
      { value: value as number, description: `A record of the kind ${entityNames[kind as Kind]}; its number is ${value}.` },
    ]),
  ),
});
