import { deliveryStates } from '../../reminders/shown/deliveries.js';
import type { Heading, Route } from '../route.js';

const tag = 'Deliveries';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: { [tag]: 'What was sent to people, or could not be.' },
  records: {
    '/v1/deliveries': { kind: 'delivery', name: 'Registration Truck 101' },
    '/v1/deliveries/{id}/retry': { kind: 'delivery', name: 'Trailer 501 rental insurance' },
  },
  terms: { deliveries: 'mapleridge' },
};

/** Rows of /v1 about deliveries. */
export const rows: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/deliveries',
    origin: 'addition',
    field: 'deliveries',
    model: 'DeliveryModel',
    list: 'deliveries',
    parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
    states: deliveryStates,
    order: { field: 'created', direction: 'desc' },
    errors: ['BAD_REQUEST'],
    tag,
    summary: 'Lists deliveries, the one queued last first.',
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/deliveries/{id}',
    origin: 'addition',
    field: 'delivery',
    model: 'DeliveryModel',
    errors: ['NOT_FOUND'],
    tag,
    summary: 'Reads a delivery.',
  },
  {
    kind: 'act',
    method: 'POST',
    path: '/v1/deliveries/{id}/retry',
    origin: 'addition',
    field: 'retryDelivery',
    model: 'DeliveryModel',
    errors: ['NOT_FOUND', 'CONFLICT'],
    tag,
    summary: 'Has a delivery that was given up tried again, for a day from now on.',
  },
];
