import type { ListRoute } from '../../domain/doors/route.js';
import type { Direction, Order } from '../../domain/paging.js';
import { fieldName } from '../../web/names.js';
import { modelOf } from '../models.js';
import { badParameter, readParameter } from './parameters.js';

function directionIn(query: URLSearchParams): Direction | undefined {
  const text = readParameter(query, 'sortDirection');
  const direction = text?.toLowerCase();
  if (direction !== undefined && direction !== 'asc' && direction !== 'desc') {
    throw badParameter('sortDirection', `must be asc or desc, not ${JSON.stringify(text?.slice(0, 32))}`);
  }
  return direction;
}

/**
 * Applies the requested direction to the default order. Newest-first orders stay: generated clients send
 * every declared default, so `sortDirection=asc` without a `sort` means nothing (docs/rest.md).
 */
function withDirection(order: Order, direction: Direction | undefined): Order {
  return order.direction === 'desc' ? order : { ...order, direction: direction ?? order.direction };
}

/**
 * Reads the order of a list: `sort` and `sortDirection`.
 * @param sortable the fields that the list can be ordered by
 */
export function readOrder(query: URLSearchParams, route: ListRoute, sortable: readonly string[]): Order {
  const direction = directionIn(query);
  const sort = readParameter(query, 'sort');
  if (sort === undefined) return withDirection(route.order, direction);
  const members = modelOf(route.model).members.filter((member) => sortable.includes(fieldName(member)));
  const member = members.find((name) => name === sort.toLowerCase());
  if (!member) {
    throw badParameter(
      'sort',
      `must be one of ${members.join(', ')}, not ${JSON.stringify(sort.slice(0, 64))}`,
    );
  }
  return { field: fieldName(member), direction: direction ?? 'asc' };
}
