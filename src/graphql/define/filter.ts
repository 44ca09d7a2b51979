import { InputFieldBuilder, type InputRef } from '@pothos/core';
import { filterLimits, lastChange, rangesOf } from '../../records/lists/filter.js';
import type { RangeType, Readable } from '../../records/lists/readable.js';
import { builder } from '../builder.js';

const inputField = new InputFieldBuilder(builder, 'InputObject');

/** Defines the input of a range, whose bounds are optional. */
function defineRange(type: RangeType, what: string) {
  return builder.inputType(`${type}Range`, {
    description: `Bounds of ${what}; each may be left out, and null is in no range.`,
    fields: (t) => ({
      gte: t.field({ type, description: 'This or more.' }),
      gt: t.field({ type, description: 'More than this.' }),
      lte: t.field({ type, description: 'This or less.' }),
      lt: t.field({ type, description: 'Less than this.' }),
    }),
  });
}

const ranges = {
  Date: defineRange('Date', 'days; later is more'),
  DateTime: defineRange('DateTime', 'moments; later is more'),
  Int: defineRange('Int', 'whole numbers'),
  Float: defineRange('Float', 'numbers'),
  BigInt: defineRange('BigInt', 'whole numbers of 64 bits'),
};

const CustomFieldFilter = builder.inputType('CustomFieldFilter', {
  description: 'A custom field that records have: by either its id or its name.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id." }),
    name: t.string({ description: "The custom field's name, in any letter case." }),
    value: t.string({ description: 'All of its value, in any letter case; any when left out.' }),
  }),
});

/** Defines the enum of the links that a resource's records may lack. */
function defineLinks(name: string, links: NonNullable<Readable['links']>) {
  const values = Object.keys(links).map((link) => [
    link,
    {
      value: link,
      description: `What \`${link.toLowerCase().replace(/_./g, ([, c]) => c?.toUpperCase() ?? '')}\` shows.`,
    },
  ]);
  return builder.enumType(`${name}Link`, {
    description: `What a record of the type ${name} may be linked to.`,
    values: Object.fromEntries(values),
  });
}

/**
 * Adds the members that every list has to a filter. Further members follow from its resource
 * (records/lists/filter.ts).
 */
export function completeFilter(name: string, filter: InputRef<object>, resource: Readable): void {
  const [, change] = lastChange(resource);
  const { manyOf = {}, links, customFields } = resource;
  const Link = links && defineLinks(name, links);
  const bounds = `at most ${filterLimits.depth} deep and ${filterLimits.filters} together`;
  builder.configStore.addInputFields(filter, () => ({
    modifiedSince: inputField.field({
      type: 'DateTime',
      description: `Those ${change} at this time or later.`,
    }),
    ...Object.fromEntries(
      Object.entries(rangesOf(resource)).map(([column, type]) => [
        column,
        inputField.field({ type: ranges[type], description: `Those with \`${column}\` in a range.` }),
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(manyOf).map((member) => [
        member,
        inputField.idList({ description: `As \`${member.slice(0, -1)}\`, for any of these.` }),
      ]),
    ),
    ...(Link && {
      hasNone: inputField.field({
        type: [Link],
        description: 'Those with none of these that the caller may see.',
      }),
    }),
    ...(customFields && {
      customFields: inputField.field({ type: [CustomFieldFilter], description: 'Those with all of these.' }),
    }),
    and: inputField.field({ type: [filter], description: `Those that all of these find: ${bounds}.` }),
    or: inputField.field({
      type: [filter],
      description: `Those that at least one of these finds: ${bounds}.`,
    }),
    not: inputField.field({ type: filter, description: `All but those that this finds: ${bounds}.` }),
  }));
}
