import { badField } from '../../domain/errors.js';
import { meterTypes, numberWithWord, ownerships } from '../../domain/text/vehicle-words.js';
import { type VehicleFilter, vehicles } from '../../resources/vehicles.js';
import { builder, graphqlOnly, type InputFields, Node } from '../builder.js';
import { customFieldsField, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { Contact } from './contacts.js';
import { CustomFieldInput } from './custom-fields.js';
import { Location } from './locations.js';
import { Team } from './teams.js';
import { assigneeToId, User, UserReference } from './users.js';

/** Defines an enum of words that stand for numbers. */
const defineWords = (name: string, description: string, words: Readonly<Record<string, number>>) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(words).map(([word, value]) => [word, { value, description: `Its number is ${value}.` }]),
    ),
  });

const Ownership = defineWords('VehicleOwnership', 'Who a vehicle belongs to.', ownerships);
const MeterType = defineWords('MeterType', "What a vehicle's meter counts.", meterTypes);

/** A vehicle. */
export const Vehicle = builder.prismaObject('Vehicle', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    vin: t.exposeString('vin', { nullable: true }),
    licensePlate: t.exposeString('licensePlate', { nullable: true }),
    year: t.exposeInt('year', { nullable: true }),
    make: t.exposeString('make', { nullable: true }),
    model: t.exposeString('model', { nullable: true }),
    trim: t.exposeString('trim', { nullable: true }),
    color: t.exposeString('color', { nullable: true }),
    bodyType: t.exposeString('bodyType', { nullable: true }),
    registrationProvince: t.exposeString('registrationProvince', { nullable: true }),
    msrp: t.exposeFloat('msrp', { nullable: true }),
    primaryMeterTypeId: t.exposeInt('primaryMeterTypeId', {
      nullable: true,
      deprecationReason:
        'Ask for `primaryMeterType`, unless you keep numbers of your own. It goes in version 1.0.',
    }),
    primaryMeterType: t.field({
      type: MeterType,
      nullable: true,
      description: 'What the meter counts; null for a number of your own, too.',
      ...needs({ fields: ['primaryMeterTypeId'] }),
      resolve: ({ primaryMeterTypeId }) => numberWithWord(meterTypes, primaryMeterTypeId),
    }),
    primaryMeterReading: t.exposeInt('primaryMeterReading', { nullable: true }),
    ownershipId: t.exposeInt('ownershipId', {
      nullable: true,
      deprecationReason: 'Ask for `ownership`, unless you keep numbers of your own. It goes in version 1.0.',
    }),
    ownership: t.field({
      type: Ownership,
      nullable: true,
      description: 'Who the vehicle belongs to; null for a number of your own, too.',
      ...needs({ fields: ['ownershipId'] }),
      resolve: ({ ownershipId }) => numberWithWord(ownerships, ownershipId),
    }),
    statusId: t.expose('statusId', { type: 'UUID', nullable: true }),
    folderId: t.expose('folderId', { type: 'UUID', nullable: true }),
    locationId: t.exposeID('locationId', { nullable: true }),
    typeId: t.expose('typeId', { type: 'UUID', nullable: true }),
    vehicleFuelTypeId: t.expose('vehicleFuelTypeId', { type: 'UUID', nullable: true }),
    assignedToContactId: t.exposeID('assignedToContactId', { nullable: true }),
    teamId: t.exposeID('teamId'),
    isArchived: t.exposeBoolean('isArchived'),
    customFields: t.field(customFieldsField()),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    assignedTo: t.field(linkTo(User, 'user', 'assignedToId', 'The user the vehicle is assigned to.')),
    location: t.field(
      linkTo(Location, 'location', 'locationId', 'Where the vehicle is, when the caller may see it.'),
    ),
    assignedToContact: t.field(
      linkTo(
        Contact,
        'contact',
        'assignedToContactId',
        'The contact the vehicle is assigned to, if visible.',
      ),
    ),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the vehicle belongs to.')),
  }),
});

const inputFields = (t: InputFields) => ({
  name: t.string(),
  vin: t.string(),
  licensePlate: t.string(),
  year: t.int(),
  make: t.string(),
  model: t.string(),
  trim: t.string(),
  color: t.string(),
  bodyType: t.string(),
  registrationProvince: t.string(),
  msrp: t.float(),
  primaryMeterTypeId: t.int({ deprecationReason: 'Send `primaryMeterType`. It goes in version 1.0.' }),
  primaryMeterType: t.field({ type: MeterType, ...graphqlOnly }),
  primaryMeterReading: t.int(),
  ownershipId: t.int({ deprecationReason: 'Send `ownership`. It goes in version 1.0.' }),
  ownership: t.field({ type: Ownership, ...graphqlOnly }),
  statusId: t.field({ type: 'UUID' }),
  folderId: t.field({ type: 'UUID' }),
  locationId: t.id(),
  typeId: t.field({ type: 'UUID' }),
  vehicleFuelTypeId: t.field({ type: 'UUID' }),
  assignedToContactId: t.id(),
  assignedTo: t.field({ type: UserReference }),
  teamId: t.id(),
  isArchived: t.boolean(),
  customFields: t.field({ type: [CustomFieldInput] }),
});

interface Words {
  readonly ownership?: number | null;
  readonly ownershipId?: number | null;
  readonly primaryMeterType?: number | null;
  readonly primaryMeterTypeId?: number | null;
}

/** Replaces the words of an input by their numbers; a missing one stays so. */
function wordsToNumbers({ ownership, primaryMeterType, ...input }: Words): object {
  for (const [word, sent, number] of [
    ['ownership', ownership, input.ownershipId],
    ['primaryMeterType', primaryMeterType, input.primaryMeterTypeId],
  ] as const) {
    if (sent !== undefined && number !== undefined && sent !== number)
      throw badField([word], `is another one than ${word}Id`);
  }
  return {
    ...input,
    ...(ownership !== undefined && { ownershipId: ownership }),
    ...(primaryMeterType !== undefined && { primaryMeterTypeId: primaryMeterType }),
  };
}

defineWrites({
  type: Vehicle,
  resource: vehicles,
  inputFields,
  toValues: (input) => assigneeToId(wordsToNumbers(input)),
});

const VehicleFilterInput = builder.inputRef<VehicleFilter>('VehicleFilter').implement({
  description: 'What a list of vehicles is narrowed to.',
  fields: (t) => ({
    term: t.string({
      description: 'Part of the name, VIN, licence plate, make or model, in any letter case.',
    }),
    isArchived: t.boolean({ description: 'Archived vehicles only, or none of them.' }),
    teamId: t.id({ description: 'Vehicles of a workspace.' }),
    locationId: t.id({ description: 'Vehicles at a location.' }),
    assignedToContactId: t.id({ description: 'Vehicles assigned to a contact.' }),
    assignedToId: t.id({ description: 'Vehicles assigned to a user.' }),
  }),
});

/** The list of vehicles. */
export const vehicleList = defineReads({
  type: Vehicle,
  resource: vehicles,
  names: ['vehicle', 'vehicles'],
  filter: VehicleFilterInput,
  order: { field: 'name', direction: 'asc' },
});
