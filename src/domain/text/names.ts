/** `licensePlate` → `license_plate`: a GraphQL name as the REST contract and the database write it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `license_plate` → `licensePlate`: the way back. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** How a door spells the name of a field of the GraphQL schema. */
export type Naming = (field: string) => string;
