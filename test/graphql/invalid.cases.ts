import { newId } from '../../src/domain/rules.js';

/** The id of no record. */
export const id = newId();

/** A wrong value of an argument, as a literal, and as a variable with its type. */
interface Wrong {
  readonly what: string;
  /** The document around the value, which is `$value`. */
  readonly document: string;
  readonly literal: string;
  readonly type: string;
  readonly value: unknown;
  readonly told: string;
}

const list = (argument: string) => `{ all: vehicles(${argument}: $value) { nodes { id } } }`;

/** Wrong values of every kind. */
export const wrong: readonly Wrong[] = [
  {
    what: 'a text for a number',
    document: list('first'),
    literal: '"ten"',
    type: 'Int',
    value: 'ten',
    told: 'all: first type',
  },
  {
    what: 'a number with a fraction',
    document: list('first'),
    literal: '1.5',
    type: 'Int',
    value: 1.5,
    told: 'all: first type',
  },
  {
    what: 'a number that is too large for its type',
    document: list('first'),
    literal: '3000000000',
    type: 'Int',
    value: 3_000_000_000,
    told: 'all: first range',
  },
  {
    what: 'a number that a rule forbids',
    document: list('first'),
    literal: '501',
    type: 'Int',
    value: 501,
    told: 'all: first range',
  },
  {
    what: 'a text that is no cursor',
    document: list('after'),
    literal: '"?"',
    type: 'String',
    value: '?',
    told: 'all: after format',
  },
  {
    what: 'a word that an enum does not have, in a list of objects',
    document: list('orderBy'),
    literal: '[{ field: NAME }, { field: NONE }]',
    type: '[VehicleOrder!]',
    value: [{ field: 'NAME' }, { field: 'NONE' }],
    told: 'all: orderBy.1.field format',
  },
  {
    what: 'a member that is missing',
    document: list('orderBy'),
    literal: '{ direction: ASC }',
    type: '[VehicleOrder!]',
    value: { direction: 'ASC' },
    told: 'all: orderBy.field required',
  },
  {
    what: 'a member that is not known',
    document: list('filter'),
    literal: '{ colour: "red" }',
    type: 'VehicleFilter',
    value: { colour: 'red' },
    told: 'all: filter.colour unknown',
  },
  {
    what: 'a text for an object',
    document: list('filter'),
    literal: '"red"',
    type: 'VehicleFilter',
    value: 'red',
    told: 'all: filter type',
  },
  {
    what: 'a time that is none',
    document: '{ eventLogs(filter: $value) { totalCount } }',
    literal: '{ createdAfter: "soon" }',
    type: 'EventLogFilter',
    value: { createdAfter: 'soon' },
    told: 'eventLogs: filter.createdAfter format',
  },
  {
    what: 'an id that is a flag',
    document: 'mutation { deleteTag(id: $value) { id } }',
    literal: 'true',
    type: 'ID!',
    value: true,
    told: 'deleteTag: id type',
  },
  {
    what: 'null where a value is required',
    document: 'mutation { deleteTag(id: $value) { id } }',
    literal: 'null',
    type: 'ID!',
    value: null,
    told: 'deleteTag: id required',
  },
  {
    what: 'null in a list',
    document: 'mutation { deleteTags(ids: $value) { id } }',
    literal: `["${id}", null]`,
    type: '[ID!]!',
    value: [id, null],
    told: 'deleteTags: ids.1 required',
  },
  {
    what: 'a condition that is no flag',
    document: '{ me { name @include(if: $value) id } }',
    literal: '"yes"',
    type: 'Boolean!',
    value: 'yes',
    told: 'me.name: @include.if type',
  },
  {
    what: 'an input that is a text',
    document: 'mutation { one: createTag(input: $value) { id } }',
    literal: '"red"',
    type: 'CreateTagInput!',
    value: 'red',
    told: 'one: input type',
  },
  {
    what: 'a value in an input that cannot be read',
    document: 'mutation { one: createTag(input: $value) { id } }',
    literal: '{ name: 5 }',
    type: 'CreateTagInput!',
    value: { name: 5 },
    told: 'one: input.name type',
  },
  {
    what: 'a word of an enum in an input',
    document: 'mutation { createReminderPolicy(input: $value) { id } }',
    literal: '{ name: "P", deliverOn: NEVER }',
    type: 'CreateReminderPolicyInput!',
    value: { name: 'P', deliverOn: 'NEVER' },
    told: 'createReminderPolicy: input.deliverOn format',
  },
  {
    what: 'a value in an input that breaks a rule',
    document: 'mutation { one: createTag(input: $value) { id } }',
    literal: '{ name: " " }',
    type: 'CreateTagInput!',
    value: { name: ' ' },
    told: 'one: input.name required',
  },
  {
    what: 'a reference that leads nowhere',
    document: 'mutation { createVehicle(input: $value) { id } }',
    literal: `{ name: "V", locationId: "${id}" }`,
    type: 'CreateVehicleInput!',
    value: { name: 'V', locationId: id },
    told: 'createVehicle: input.locationId reference',
  },
  {
    what: 'a record that does not exist',
    document: 'mutation { deleteTag(id: $value) { id } }',
    literal: `"${id.toUpperCase()}"`,
    type: 'ID!',
    value: id.toUpperCase(),
    told: 'deleteTag: id reference',
  },
  {
    what: 'one of several records that does not exist',
    document: 'mutation { updateTags(ids: $value, input: { name: "x" }) { id } }',
    literal: `["nonsense", "${id}"]`,
    type: '[ID!]!',
    value: ['nonsense', id],
    told: 'updateTags: ids.0 reference',
  },
];
