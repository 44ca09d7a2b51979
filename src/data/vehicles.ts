import * as z from 'zod';
import type { Order, Window } from '../domain/paging.js';
import { check, rules } from '../domain/rules.js';
import type { Prisma, Vehicle } from '../generated/prisma/client.js';
import { containing, givenOf, listQuery, type Page, pageOf } from './list.js';
import { defineResource, type RulesFor } from './resource.js';
import { dbOf, type Session } from './scope.js';

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

/** Vehicles: their rules, and how they are read and written. */
export const vehicles = defineResource(z.object(vehicleRules), {
  kind: 'vehicle',
  table: 'vehicles',
  references: [
    { field: 'locationId', to: 'location', path: ['locationId'] },
    { field: 'assignedToContactId', to: 'contact', path: ['assignedToContactId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
  ],
  retired: { field: 'isArchived', when: true },
  title: (vehicle: Vehicle) => vehicle.name ?? vehicle.licensePlate ?? vehicle.vin,
  find: (db, id) => db.vehicle.findUnique({ where: { id } }),
  insert: (db, data) => db.vehicle.create({ data }),
  update: (db, id, data) => db.vehicle.update({ where: { id }, data }),
  remove: (db, id) => db.vehicle.delete({ where: { id } }),
});

const filterRules = z.object({
  term: rules.line,
  isArchived: rules.choice,
  teamId: rules.uuid,
  locationId: rules.uuid,
  assignedToContactId: rules.uuid,
  assignedToId: rules.uuid,
});

/** What a list of vehicles can be narrowed to; `term` is part of the name, VIN, licence plate, make or model. */
export type VehicleFilter = z.input<typeof filterRules>;

function where(filter: VehicleFilter): Prisma.VehicleWhereInput {
  const { term, ...equal } = check(filterRules, filter, ['filter']);
  const conditions: Prisma.VehicleWhereInput = givenOf(equal);
  if (term) {
    const text = containing(term);
    conditions.OR = [{ name: text }, { vin: text }, { licensePlate: text }, { make: text }, { model: text }];
  }
  return conditions;
}

/** Reads a window of the vehicles that match a filter. */
export async function listVehicles(
  session: Session,
  filter: VehicleFilter,
  order: Order,
  window: Window,
): Promise<Page<Vehicle>> {
  const query = listQuery(vehicles, where(filter), order, window);
  return pageOf(await dbOf(session).vehicle.findMany(query), window);
}

/** Counts the vehicles that match a filter. */
export function countVehicles(session: Session, filter: VehicleFilter): Promise<number> {
  return dbOf(session).vehicle.count({ where: where(filter) });
}
