import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startImporter } from '../support/imports.js';

let gateway: TestGateway;
let importer: ReturnType<typeof startImporter>;
beforeAll(async () => {
  gateway = await startGateway();
  importer = startImporter(gateway);
  for (const [name, email] of Object.entries({
    Berta: 'berta@x.test',
    Twin: 'one@x.test',
    'twin ': 'two@x.test',
  }))
    await gateway.send('POST', '/v1/contacts', { body: { name, email } });
});
afterAll(async () => {
  await importer.stop();
  await gateway.close();
});

/** Returns what an imported item says of its people. */
async function itemNamed(name: string) {
  const { data } = await gateway.graphql(
    `{ expirationItems(first: 100) { nodes { name assignedTo { id } category { name }
      contacts { name email } } } }`,
  );
  return data.expirationItems.nodes.find((item: { name: string }) => item.name === name);
}

test('cells name users and contacts, and what is not known is one question', async () => {
  const { data } = await gateway.graphql('{ me { id name email } }');
  const { id, name, email } = data.me;
  const text = [
    'name;expires;responsible;contacts',
    `Paper 1;2027-01-01;${name.toUpperCase()};Berta; ${email}`.replace('; ', '|'),
    `Paper 2;2027-01-01;Nobody;new@x.test`,
    `Paper 3;2027-01-01; nobody ;Stranger`,
    `Paper 4;2027-01-01;;Twin`,
  ]
    .join('\n')
    .replace(/(Berta)\|(.*)/, '"$1; $2"');
  const seen = await importer.create(text);
  expect(seen.preview).toMatchObject({
    ...{ created: 1, failed: 3 },
    people: [
      { header: 'responsible', value: 'Nobody', rows: 2 },
      { header: 'contacts', value: 'Stranger', rows: 1 },
      { header: 'contacts', value: 'Twin', rows: 1 },
    ],
    errors: [
      { row: 3, column: 'responsible', value: 'Nobody', message: 'names nobody who is known: Nobody' },
      { row: 4, column: 'contacts', value: 'Stranger', message: 'names nobody who is known: Stranger' },
      { row: 5, column: 'contacts', value: 'Twin', message: 'names several people: Twin' },
    ],
  });
  const people = [
    { value: 'nobody', email },
    { value: 'STRANGER', email: 'stranger@x.test' },
    { value: 'twin', email: null },
  ];
  const again = await importer.change(seen.id, { people });
  expect(again.preview).toMatchObject({ created: 4, failed: 0, people: [] });
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE' });
  expect(await itemNamed('Paper 1')).toMatchObject({
    assignedTo: { id },
    contacts: [{ name: 'Berta', email: 'berta@x.test' }, { email }],
  });
  expect(await itemNamed('Paper 3')).toMatchObject({
    assignedTo: { id },
    contacts: [{ email: 'stranger@x.test' }],
  });
  expect(await itemNamed('Paper 4')).toMatchObject({ assignedTo: null, contacts: [] });
});

test('a name is a new contact of this name, which is made once', async () => {
  const { data } = await gateway.graphql('{ me { id name email } }');
  const text = `name,expires,main contact,contacts
New 1,2027-01-01,Vera New,Kurt Known
New 2,2027-01-01,vera new,
New 3,2027-01-01,Kurt Known,Vera New
Own,2027-01-01,${data.me.name},
`;
  const people = [
    { value: 'Vera New', email: 'vera@x.test' },
    { value: 'Kurt Known', email: 'Kurt@x.test' },
  ];
  const seen = await importer.create(text, { people });
  expect(seen.error).toBeNull();
  expect(seen.preview).toMatchObject({ created: 4, failed: 0, people: [] });
  const contacts = () =>
    gateway.database.prisma.contact.findMany({
      where: { name: { in: ['Vera New', 'Kurt Known', data.me.name] } },
    });
  expect((await contacts()).map(({ name }) => name)).toEqual([data.me.name]);
  expect(await importer.run(seen.id)).toMatchObject({ state: 'DONE' });
  const made = await contacts();
  expect(made.map(({ name, email }) => [name, email?.toLowerCase() ?? null]).sort()).toEqual(
    [
      ['Vera New', 'vera@x.test'],
      ['Kurt Known', 'kurt@x.test'],
      [data.me.name, data.me.email],
    ].sort(),
  );
  const idOf = Object.fromEntries(made.map(({ id, name }) => [name, id]));
  const { data: found } = await gateway.graphql(
    '{ expirationItems(filter: { term: "New" }) { nodes { name contactId contacts { name } } } }',
  );
  const byName = Object.fromEntries(
    found.expirationItems.nodes.map((one: { name: string }) => [one.name, one]),
  );
  expect(byName['New 1']).toMatchObject({
    contactId: idOf['Vera New'],
    contacts: [{ name: 'Vera New' }, { name: 'Kurt Known' }],
  });
  expect(byName['New 2']).toMatchObject({ contactId: idOf['Vera New'] });
  expect(byName['New 3']).toMatchObject({ contactId: idOf['Kurt Known'] });
  // The same names are known now.
  const again = await importer.create(text, { mode: 'UPSERT', people, again: true });
  expect(again.preview).toMatchObject({ created: 0, failed: 0 });
  await importer.run(again.id);
  expect(await contacts()).toHaveLength(3);
});

test('a column of main contacts changes the main contact of an item that exists', async () => {
  const made = await importer.create('name,expires,contacts\nMain,2027-01-01,berta@x.test; one@x.test\n');
  await importer.run(made.id);
  const item = async () => {
    const { data } = await gateway.graphql(
      '{ expirationItems(filter: { term: "Main" }) { nodes { id contact { email } contacts { email } } } }',
    );
    return data.expirationItems.nodes[0];
  };
  const { id } = await item();
  const change = async (email: string) => {
    const seen = await importer.create(`id,main contact\n${id},${email}\n`, {
      mode: 'UPDATE_ONLY',
      again: true,
    });
    await importer.run(seen.id);
    return [seen.preview.updated, await item()];
  };
  expect(await change('berta@x.test')).toMatchObject([0, { contact: null }]);
  expect(await change('two@x.test')).toMatchObject([
    1,
    {
      contact: { email: 'two@x.test' },
      contacts: [{ email: 'two@x.test' }, { email: 'berta@x.test' }, { email: 'one@x.test' }],
    },
  ]);
  expect(await change('two@x.test')).toMatchObject([0, {}]);
});

test('an answer that names nobody stays a question', async () => {
  const seen = await importer.create('name,expires,responsible\nA,2027-01-01,Nobody\n', {
    people: [{ value: 'Nobody', email: 'gone@x.test' }],
  });
  expect(seen.preview).toMatchObject({ failed: 1, people: [{ value: 'Nobody', rows: 1 }] });
});

test('a column can have two meanings, and all rows one value', async () => {
  const options = {
    mapping: [
      { header: 'Paper', column: 'name' },
      { header: 'Paper', column: 'custom:Kind' },
    ],
    constants: [
      { column: 'category_name', value: 'Inspection' },
      { column: 'expiration_date', value: '31.12.2027' },
    ],
  };
  const seen = await importer.create('Paper;Type;Expires\nTwice;Other;nonsense\n', options);
  expect(seen.preview).toMatchObject({ created: 1, failed: 0 });
  await importer.run(seen.id);
  expect(await itemNamed('Twice')).toMatchObject({ category: { name: 'Inspection' } });
  for (const wrong of [
    { constants: [{ column: 'nothing', value: 'x' }] },
    {
      mapping: [
        ...options.mapping,
        { header: 'Type', column: 'custom:Kind' },
        { header: 'Type', column: 'custom:Kind' },
      ],
    },
  ])
    expect(await importer.create('Paper;Type\nx;y\n', wrong)).toMatchObject({ state: 'FAILED' });
});

test('REST takes the same answers as JSON', async () => {
  const query = new URLSearchParams({
    kind: 'items',
    mapping: JSON.stringify({ Paper: ['name', 'custom:Kind'] }),
    people: JSON.stringify({ Nobody: null, Strange: 'strange@x.test' }),
    constants: JSON.stringify({ expiration_date: '2027-01-01' }),
  });
  const send = (path: string) =>
    gateway.send('POST', path, {
      ...{
        raw: 'Paper,responsible,contacts\nREST,Nobody,Strange\n',
        headers: { 'Content-Type': 'text/csv' },
      },
    });
  const { status, json } = await send(`/v1/imports?${query}`);
  expect(status).toBe(201);
  expect(await importer.settled(json.id)).toMatchObject({
    error: null,
    preview: { created: 1, failed: 0, people: [] },
  });
  expect((await send('/v1/imports?kind=items&people=[]')).status).toBe(400);
});

test('a column mapped to the main contact makes it that, over REST as well', async () => {
  const mapping = encodeURIComponent(JSON.stringify({ 'Whom to call': 'contact_email' }));
  const body = 'name,expires,Whom to call,contacts\nDerrick,2031-01-01,berta@x.test,one@x.test\n';
  const sent = await gateway.send('POST', `/v1/imports?kind=items&file_name=a.csv&mapping=${mapping}`, {
    headers: { 'Content-Type': 'text/csv' },
    raw: body,
  });
  expect(sent.status).toBe(201);
  const { id } = sent.json;
  const state = async () => (await gateway.send('GET', `/v1/imports/${id}`)).json.state;
  await expect.poll(state, { timeout: 30_000 }).toMatch(/ready/i);
  expect((await gateway.send('POST', `/v1/imports/${id}/run`)).status).toBe(200);
  await expect.poll(state, { timeout: 30_000 }).toMatch(/done/i);
  const { data } = await gateway.graphql(
    '{ expirationItems(filter: { term: "Derrick" }) { nodes { contact { name } contacts { name } } } }',
  );
  const [main, other] = [{ name: 'Berta' }, { name: 'Twin' }];
  expect(data.expirationItems.nodes).toEqual([{ contact: main, contacts: [main, other] }]);
});
