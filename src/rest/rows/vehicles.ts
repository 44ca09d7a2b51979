import type { Heading, Route } from '../route.js';

const vehicle = { name: 'Van 12', license_plate: 'AB 1234', make: 'Ford', model: 'Transit', year: 2024 };

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { Vehicles: 'Vehicles, whose papers expire.' },
  records: { '/v1/vehicles': { kind: 'vehicle', name: 'Truck 101', deleted: 'Pickup 300' } },
  terms: { vehicles: 'truck' },
};

/** Rows of /v1 about vehicles. */
export const rows: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/vehicles',
    origin: 'contract',
    field: 'vehicles',
    model: 'VehicleModel',
    list: 'vehicles',
    parameters: ['term', 'page', 'sort', 'sortDirection'],
    order: { field: 'name', direction: 'asc' },
    errors: ['BAD_REQUEST'],
    tag: 'Vehicles',
    summary: 'Lists vehicles.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/vehicles',
    origin: 'contract',
    field: 'createVehicle',
    model: 'VehicleModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Vehicles',
    summary: 'Creates a vehicle.',
    example: vehicle,
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/vehicles/{id}',
    origin: 'addition',
    field: 'vehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND'],
    tag: 'Vehicles',
    summary: 'Reads a vehicle.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/vehicles/{id}',
    origin: 'contract',
    field: 'replaceVehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND'],
    tag: 'Vehicles',
    summary: 'Replaces a vehicle: a field left out returns to its default.',
    example: { ...vehicle, color: 'white' },
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/vehicles/{id}',
    origin: 'contract',
    field: 'patchVehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag: 'Vehicles',
    summary: 'Patches a vehicle.',
    example: [{ op: 'replace', path: '/color', value: 'blue' }],
  },
  {
    kind: 'delete',
    method: 'DELETE',
    path: '/v1/vehicles/{id}',
    origin: 'addition',
    field: 'deleteVehicle',
    model: 'VehicleModel',
    errors: ['NOT_FOUND'],
    tag: 'Vehicles',
    summary: 'Deletes a vehicle, and answers it as it was.',
  },
];
