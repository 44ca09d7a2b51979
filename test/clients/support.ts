import { createItem } from '../rest/items.support.js';
import type { TestGateway } from '../support/gateway.js';

/** What a client needs to know of a gateway. */
export interface Address {
  readonly url: string;
  readonly headers: { readonly Authorization: string };
}

/** Where the GraphQL door is, and the admin's token unless told otherwise. */
export function addressOf({ url, admin }: TestGateway, token = admin): Address {
  return { url: `${url}/graphql`, headers: { Authorization: `Bearer ${token}` } };
}

/** Makes items with these names, each of which expires a month after the one before. */
export async function createItems(gateway: TestGateway, names: string): Promise<void> {
  for (const [index, name] of [...names].entries()) {
    const expirationDate = `2027-${String(index + 1).padStart(2, '0')}-01`;
    await createItem(gateway, { name, expirationDate });
  }
}

/** Makes two items of a document type whose field each fills in: two values, and the id is the type's. */
export async function createFilledIn(gateway: TestGateway, values: readonly [string, string]) {
  const { data } = await gateway.graphql(`mutation {
    createCategory(input: { name: "Insurance", customFields: [{ name: "Insurer" }] }) { id }
  }`);
  const made = [];
  for (const value of values) {
    const customFields = [{ name: 'Insurer', value }];
    made.push(await createItem(gateway, { name: value, category: data.createCategory, customFields }));
  }
  const ids: string[] = made.map(({ customFields }) => customFields[0].id);
  if (ids[0] !== ids[1]) throw new Error('The field has two ids.');
  return data.createCategory as { id: string };
}

/** The platform's fetch, with the methods of what it has sent. */
export function countingFetch() {
  const sent: string[] = [];
  const counting: typeof fetch = (input, init) => {
    sent.push(init?.method ?? 'GET');
    return fetch(input, init);
  };
  return { sent, fetch: counting };
}
