import { camelCase, snakeCase } from '../domain/text/names.js';

/** The names that the contract spells in a way of its own (section 2). */
const oddNames: Record<string, string> = { contentLength: 'content_legth', uploadTags: 'upload_Tags' };
const oddFields = new Map(Object.entries(oddNames).map(([field, member]) => [member, field]));

/** Returns the contract's name of a field of the gateway. One that is the contract's already stays. */
export function memberName(field: string): string {
  return oddNames[field] ?? (oddFields.has(field) ? field : snakeCase(field));
}

/** Returns the gateway's field of a contract's name. */
export function fieldName(member: string): string {
  return oddFields.get(member) ?? camelCase(member);
}
