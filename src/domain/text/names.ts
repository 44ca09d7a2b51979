/** Converts camel case to snake case, for REST and the database: `licensePlate` → `license_plate`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts snake case to camel case: `license_plate` → `licensePlate`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Spelling of the schema's field names in an API. */
export type Naming = (field: string) => string;
