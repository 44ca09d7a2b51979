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
    ],
    errors: [
      { row: 3, column: 'responsible', value: 'Nobody', message: 'names nobody who is known: Nobody' },
      { row: 4, column: 'responsible', message: 'names nobody who is known: nobody' },
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
    people: JSON.stringify({ Nobody: null }),
    constants: JSON.stringify({ expiration_date: '2027-01-01' }),
  });
  const send = (path: string) =>
    gateway.send('POST', path, {
      ...{ raw: 'Paper,responsible\nREST,Nobody\n', headers: { 'Content-Type': 'text/csv' } },
    });
  const { status, json } = await send(`/v1/imports?${query}`);
  expect(status).toBe(201);
  expect(await importer.settled(json.id)).toMatchObject({ preview: { created: 1, failed: 0, people: [] } });
  expect((await send('/v1/imports?kind=items&people=[]')).status).toBe(400);
});
