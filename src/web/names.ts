import { camelCase, snakeCase } from '../domain/text/names.js';

/** Names that the contract spells irregularly (section 2). */
const oddNames: Record<string, string> = { contentLength: 'content_legth', uploadTags: 'upload_Tags' };
const oddFields = new Map(Object.entries(oddNames).map(([field, member]) => [member, field]));

/** Returns the contract's name of a gateway's field. A name that is already the contract's stays. */
export function memberName(field: string): string {
  return oddNames[field] ?? (oddFields.has(field) ? field : snakeCase(field));
}

/** Returns the gateway's field for a contract's name. */
export function fieldName(member: string): string {
  return oddFields.get(member) ?? camelCase(member);
}
