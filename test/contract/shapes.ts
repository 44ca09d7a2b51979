import { formats, type ModelName, type Plain, type Shape, shapeOf, type Type } from './models.js';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isWhole = (value: unknown, bits: number) =>
  Number.isInteger(value) && Math.abs(Number(value)) < 2 ** (bits - 1);

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a value is of a type that has no members. */
const plain: Record<Plain, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  strings: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
  'string (uuid)': (value) => typeof value === 'string' && uuid.test(value),
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => isWhole(value, 54),
  'integer (int32)': (value) => isWhole(value, 32),
  'integer (int64)': (value) => isWhole(value, 64),
  'number (double)': (value) => Number.isFinite(value),
  object: isObject,
};

/** Returns whether a type has no members. */
export const isPlain = (type: Type): type is Plain => type in plain;

/** Returns what a list has as its elements; undefined for what is no list. */
export function elementOf(type: Type): ModelName | undefined {
  return type.endsWith('[]') ? type.slice(0, -2) : undefined;
}

/** Returns what is wrong with the members of an object, those of the objects in it included. */
function problemsWith(value: unknown, shape: Shape, whole: boolean, at: string): string[] {
  if (!isObject(value)) return [`${at || 'It'} is ${JSON.stringify(value)}, not an object`];
  const named = (member: string) => (at === '' ? member : `${at}.${member}`);
  const missing = Object.keys(shape).filter((member) => !(member in value));
  const unknown = Object.keys(value).filter((member) => !(member in shape));
  const present = Object.entries(shape).filter(([member]) => member in value);
  return [
    ...missing.map((member) => `${named(member)} is missing`),
    ...unknown.map((member) => `${named(member)} is not in the contract`),
    ...present.flatMap(([member, type]) => problemsIn(value[member], type, whole, named(member))),
  ];
}

function problemsIn(value: unknown, type: Type, whole: boolean, at: string): string[] {
  const element = elementOf(type);
  if (element) {
    if (!Array.isArray(value)) return [`${at} is ${JSON.stringify(value)}, not a list`];
    if (whole && value.length === 0) return [`${at} is empty`];
    return value.flatMap((entry, index) => problemsWith(entry, shapeOf(element), whole, `${at}[${index}]`));
  }
  if (value === null) return whole ? [`${at} is null`] : [];
  if (!isPlain(type)) return problemsWith(value, shapeOf(type), whole, at);
  const format = formats[at.replace(/^.*\./, '')];
  const fits = plain[type](value) && (!format || format.test(String(value)));
  return fits ? [] : [`${at} is ${JSON.stringify(value)}, not ${format ?? type}`];
}

/**
 * Returns what keeps a value from having exactly the members of a shape, at every depth, each of its type; a
 * list is always there.
 * @param whole whether every member must have a value and every list an element
 */
export function problemsOf(value: unknown, shape: ModelName | Shape, whole = false): string[] {
  return problemsWith(value, typeof shape === 'string' ? shapeOf(shape) : shape, whole, '');
}
