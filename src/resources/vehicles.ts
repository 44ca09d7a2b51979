import { rules } from '../domain/rules.js';
import { declareResource, termInCustomFields } from '../records/declare/declare.js';
import {
  enumField,
  exposed,
  exposedInGraphql,
  link,
  unexposed,
  withCustomFields,
} from '../records/declare/fields.js';
import { noNotes } from '../records/lists/filter.js';
import { importedIn } from '../records/lists/imported.js';

/** Words for the owner of a vehicle. Any other number is kept as sent. */
const ownerships = { OWNED: 1, LEASED: 2, RENTED: 3, CUSTOMER: 4 };

/** Words for what a vehicle's meter counts. Any other number is kept as sent. */
const meterTypes = { KM: 1, MI: 2, HR: 3 };

/** Vehicles and their papers' data. */
export const vehicles = declareResource('Vehicle', {
  fields: {
    id: exposed(),
    name: exposed(rules.line, { required: 'graphql' }),
    vin: exposed(rules.line),
    licensePlate: exposed(rules.line),
    year: exposed(rules.int),
    make: exposed(rules.line),
    model: exposed(rules.line),
    trim: exposed(rules.line),
    color: exposed(rules.line),
    bodyType: exposed(rules.line),
    registrationProvince: exposed(rules.line),
    msrp: exposed(rules.number),
    primaryMeterTypeId: exposed(rules.int, {
      deprecated: {
        shown: 'Ask for `primaryMeterType`, unless you keep numbers of your own. It goes in version 1.0.',
        sent: 'Send `primaryMeterType`. It goes in version 1.0.',
      },
    }),
    primaryMeterType: enumField(
      'MeterType',
      "What a vehicle's meter counts.",
      'primaryMeterTypeId',
      meterTypes,
      "What the meter counts. Also null if `primaryMeterTypeId` is a number of the caller's own.",
    ),
    primaryMeterReading: exposed(rules.int),
    ownershipId: exposed(rules.int, {
      deprecated: {
        shown: 'Ask for `ownership`, unless you keep numbers of your own. It goes in version 1.0.',
        sent: 'Send `ownership`. It goes in version 1.0.',
      },
    }),
    ownership: enumField(
      'VehicleOwnership',
      'Who owns a vehicle.',
      'ownershipId',
      ownerships,
      "Who owns the vehicle. Also null if `ownershipId` is a number of the caller's own.",
    ),
    statusId: exposed(rules.uuid),
    folderId: exposed(rules.uuid),
    locationId: exposed(rules.uuid),
    location: link('locationId', 'The location of the vehicle, if the caller may see it.', {
      list: 'The vehicles directly at the location.',
    }),
    typeId: exposed(rules.uuid),
    vehicleFuelTypeId: exposed(rules.uuid),
    assignedToContactId: exposed(rules.uuid),
    assignedToContact: link(
      'assignedToContactId',
      'The contact the vehicle is assigned to, if the caller may see it.',
      {
        list: 'The vehicles assigned to the contact.',
      },
    ),
    assignedToId: unexposed(rules.uuid),
    assignedTo: link('assignedToId', 'The user the vehicle is assigned to.', {
      written: true,
      list: 'The vehicles assigned to the user.',
    }),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the vehicle belongs to.', {
      list: 'The vehicles of the workspace.',
    }),
    isArchived: exposed(rules.flag(false)),
    modified: exposed(),
    created: exposedInGraphql(),
    customFields: withCustomFields,
  },
  filter: {
    term: {
      in: ['name', 'vin', 'licensePlate', 'make', 'model'],
      plates: ['licensePlate'],
      custom: true,
      description:
        'Part of the name, VIN, licence plate, make or model, ignoring case. A licence plate is found however it is divided.',
    },
    termInCustomFields,
    isArchived: 'If true, only archived vehicles. If false, only those not archived.',
    teamId: 'Vehicles in this workspace.',
    locationId: 'Vehicles at this location.',
    assignedToContactId: 'Vehicles assigned to this contact.',
    assignedToId: 'Vehicles assigned to this user.',
    importId: importedIn('Vehicles'),
  },
  ranges: ['year', 'msrp', 'primaryMeterReading'],
  hasNone: { NOTES: noNotes('vehicle') },
  retired: { field: 'isArchived', when: true },
  uniqueBy: ['vin'],
  indexed: ['name', 'modified'],
  indexedBy: { teamId: ['name'] },
  searchPlace: 3,
  title: (vehicle) => vehicle.name ?? vehicle.licensePlate ?? vehicle.vin,
  rest: {
    tag: 'Vehicles',
    about: 'Vehicles, whose papers expire.',
    model: 'VehicleModel',
    records: { '/v1/vehicles': { kind: 'vehicle', name: 'Truck 101', deleted: 'Pickup 300' } },
    term: 'truck',
    routes: {
      'GET /v1/vehicles': { origin: 'contract', isTermExact: true },
      'POST /v1/vehicles': {
        origin: 'contract',
        example: { name: 'Van 12', license_plate: 'AB 1234', make: 'Ford', model: 'Transit', year: 2024 },
      },
      'GET /v1/vehicles/{id}': {
        origin: 'addition',
      },
      'PUT /v1/vehicles/{id}': {
        origin: 'contract',
        example: {
          name: 'Van 12',
          license_plate: 'AB 1234',
          make: 'Ford',
          model: 'Transit',
          year: 2024,
          color: 'white',
        },
      },
      'PATCH /v1/vehicles/{id}': {
        origin: 'contract',
        example: [{ op: 'replace', path: '/color', value: 'blue' }],
      },
      'DELETE /v1/vehicles/{id}': {
        origin: 'addition',
      },
    },
  },
});
