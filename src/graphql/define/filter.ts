import { InputFieldBuilder, type InputRef } from '@pothos/core';
import { withArticle } from '../../domain/text/names.js';
import { filterLimits, lastChange, rangesOf } from '../../records/lists/filter.js';
import type { RangeType, Readable } from '../../records/lists/readable.js';
import { builder } from '../builder.js';

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
function defineLinks(name: string, noun: string, links: NonNullable<Readable['links']>) {
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
export function completeFilter(name: string, filter: InputRef<object>, resource: Readable): void {
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
