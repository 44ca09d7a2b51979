import { type VehicleFilter, vehicles } from '../../resources/vehicles.js';
import { builder, type InputFields, Node } from '../builder.js';
import { customFieldsField, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { Contact } from './contacts.js';
import { CustomFieldInput } from './custom-fields.js';
import { Location } from './locations.js';
import { Team } from './teams.js';
import { assigneeToId, User, UserReference } from './users.js';

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
    primaryMeterTypeId: t.exposeInt('primaryMeterTypeId', { nullable: true }),
    primaryMeterReading: t.exposeInt('primaryMeterReading', { nullable: true }),
    ownershipId: t.exposeInt('ownershipId', { nullable: true }),
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
  primaryMeterTypeId: t.int(),
  primaryMeterReading: t.int(),
  ownershipId: t.int(),
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

defineWrites({
  type: Vehicle,
  resource: vehicles,
  inputFields,
  toValues: assigneeToId,
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
