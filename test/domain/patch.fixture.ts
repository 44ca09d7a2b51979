import { GatewayError } from '../../src/domain/errors.js';
import { applyPatch, type DocumentShape, parsePatch } from '../../src/domain/patch/patch.js';
import { type JsonObject, jsonEqual } from '../../src/domain/text/json.js';

const scalar: DocumentShape = { kind: 'scalar' };
/** A model with one member of every sort. */
export const shape: DocumentShape = {
  kind: 'object',
  members: {
    id: { kind: 'scalar', readOnly: true },
    modified: { kind: 'scalar', readOnly: true },
    name: scalar,
    license_plate: scalar,
    is_active: { kind: 'scalar', default: true },
    assigned_to: {
      kind: 'object',
      members: { id: scalar, name: scalar, company: { kind: 'object', members: { id: scalar } } },
    },
    tags: { kind: 'list', element: { kind: 'object', members: { id: scalar, name: scalar } } },
    codes: { kind: 'list', element: scalar },
    sizes: { kind: 'list', element: scalar, readOnly: true },
    extra: { kind: 'any' },
  },
};

/** A document of that model. */
export const vehicle: JsonObject = {
  id: 'v1',
  modified: '2026-11-20T09:30:00.000Z',
  name: 'Truck',
  license_plate: null,
  is_active: false,
  assigned_to: null,
  tags: [
    { id: 't1', name: 'red' },
    { id: 't2', name: 'blue' },
  ],
  codes: [1, 2, 3],
  sizes: [7],
  extra: null,
};

/** Returns the vehicle after the operations. */
export const patched = (...operations: unknown[]) => applyPatch(vehicle, parsePatch(operations), shape);
/** Returns the members in which the patched vehicle differs from the vehicle. */
export const changed = (...operations: unknown[]) => {
  const result = patched(...operations);
  return Object.fromEntries(
    Object.entries(result).filter(([name, value]) => !jsonEqual(value, vehicle[name])),
  );
};

/** Returns the error with which the work is refused; anything else that it does fails the test. */
export function refusal(work: () => unknown): GatewayError {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
}
