import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import { meterTypes, numberWithWord, ownerships } from '../domain/text/vehicle-words.js';
import type { Vehicle } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noPointer } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const vehicleRules = {
  name: rules.line,
  vin: rules.line,
  licensePlate: rules.line,
  year: rules.int,
  make: rules.line,
  model: rules.line,
  trim: rules.line,
  color: rules.line,
  bodyType: rules.line,
  registrationProvince: rules.line,
  msrp: rules.number,
  primaryMeterTypeId: rules.int,
  primaryMeterReading: rules.int,
  ownershipId: rules.int,
  statusId: rules.uuid,
  folderId: rules.uuid,
  locationId: rules.uuid,
  typeId: rules.uuid,
  vehicleFuelTypeId: rules.uuid,
  assignedToContactId: rules.uuid,
  assignedToId: rules.uuid,
  teamId: rules.uuid,
  isArchived: rules.flag(false),
  customFields: rules.customFields,
} satisfies RulesFor<Vehicle>;

const vehicleFilter = z.object({
  term: rules.line,
  isArchived: rules.choice,
  teamId: rules.uuid,
  locationId: rules.uuid,
  assignedToContactId: rules.uuid,
  assignedToId: rules.uuid,
});

export type VehicleFilter = z.input<typeof vehicleFilter>;

/** Vehicles: their rules, and how they are read and written. */
export const vehicles = defineResource(z.object(vehicleRules), {
  kind: 'vehicle',
  references: [
    { field: 'locationId', to: 'location', path: ['locationId'] },
    { field: 'assignedToContactId', to: 'contact', path: ['assignedToContactId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
  ],
  retired: { field: 'isArchived', when: true },
  uniqueBy: ['vin'],
  indexed: ['name', 'modified'],
  orderKeys: linkedNames({
    location: ['locationId', 'location'],
    assignedToContact: ['assignedToContactId', 'contact'],
    assignedTo: ['assignedToId', 'user'],
    team: ['teamId', 'team'],
  }),
  ranges: { year: 'Int', msrp: 'Float', primaryMeterReading: 'Int' },
  manyOf: {
    teamIds: inColumn('teamId'),
    locationIds: inColumn('locationId'),
    assignedToContactIds: inColumn('assignedToContactId'),
    assignedToIds: inColumn('assignedToId'),
  },
  links: {
    LOCATION: noPointer('locationId'),
    ASSIGNED_TO_CONTACT: noPointer('assignedToContactId'),
    ASSIGNED_TO: noPointer('assignedToId'),
    NOTES: noNotes('vehicle'),
  },
  customFields: true,
  where: (filter) => filterCondition(vehicleFilter, filter, ['name', 'vin', 'licensePlate', 'make', 'model']),
  title: (vehicle: Vehicle) => vehicle.name ?? vehicle.licensePlate ?? vehicle.vin,
  rows: defineRows('Vehicle'),
  nested: async (_tx, values) => ({
    ownership: numberWithWord(ownerships, values.ownershipId as number | null),
    primaryMeterType: numberWithWord(meterTypes, values.primaryMeterTypeId as number | null),
  }),
});
