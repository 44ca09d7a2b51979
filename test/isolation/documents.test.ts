import { beforeAll, expect, test } from 'vitest';
import { createTenant, type Tenant, useGateway } from '../support/gateway.js';

const gateway = useGateway();
let tenants: readonly (Tenant & { readonly item: string })[];

const fields =
  'id category { name } assignedTo { email } contacts { email } locations { name } tags { name }';
const documents = {
  list: `{ found: expirationItems(first: 5) { nodes { ${fields} } } }`,
  search: `{ found: expirationItems(filter: {term: "Licence"}) { totalCount nodes { ${fields} } } }`,
  one: `query ($id: ID!) { found: expirationItem(id: $id) { ${fields} } }`,
} as const;

/** Creates an item with one of everything, each of the name that is given. */
async function createItem(tenant: Tenant, name: string): Promise<string> {
  const named = [{ name }];
  const input = {
    name: `Licence ${name}`,
    expirationDate: '2027-06-01',
    category: { name },
    locations: named,
  };
  const links = {
    contacts: [{ email: `${name}@example.com` }],
    tags: named,
    assignedTo: { id: tenant.userId },
  };
  const { data, errors } = await gateway.graphql(
    'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }',
    { input: { ...input, ...links } },
    tenant.admin,
  );
  expect(errors).toBeUndefined();
  return data.createExpirationItem.id;
}

beforeAll(async () => {
  const both = [gateway, await createTenant(gateway.database, 'Globex')];
  tenants = await Promise.all(
    both.map(async (tenant, at) => ({ ...tenant, item: await createItem(tenant, `own${at}`) })),
  );
});

// What is worked out for a document is kept for all who send it.
test.each(Object.entries(documents))(
  'a document that callers of all organizations and roles send shows each its own: %s',
  async (_, document) => {
    for (const role of ['admin', 'member', 'viewer', 'admin', 'member', 'viewer'] as const) {
      for (const [at, tenant] of tenants.entries()) {
        const { data, errors } = await gateway.graphql(document, { id: tenant.item }, tenant[role]);
        expect(errors).toBeUndefined();
        const named = { name: `own${at}` };
        const links = {
          category: named,
          contacts: [{ email: `${named.name}@example.com` }],
          locations: [named],
          tags: [named],
        };
        const assignedTo = { email: expect.any(String) };
        expect(data.found.nodes ?? [data.found]).toEqual([{ id: tenant.item, assignedTo, ...links }]);
      }
    }
  },
);
