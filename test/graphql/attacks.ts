/** What an attacker sends to the GraphQL door. */
export interface Attack {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string;
}

/** `count` parts, each of its number. */
export function many(count: number, partOf: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => partOf(index)).join(' ');
}

/** Fragments of which each spreads the next `width` times: `width` to the power of `count` selections. */
export function chain(count: number, width: number, selection: string): string {
  const spread = (index: number) => `...F${index + 1} `.repeat(width);
  const fragments = many(count, (index) => `fragment F${index} on Query { ${spread(index)}}`);
  return `${fragments} fragment F${count} on Query { ${selection} }`;
}

/** Returns a mutation whose input is a literal. */
export const item = (input: string) => `mutation { createExpirationItem(input: ${input}) { id } }`;
