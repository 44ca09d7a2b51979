import { expect, test } from 'vitest';
import { limits as lengths } from '../../src/domain/rules.js';
import { bytesPerUnit } from '../../src/graphql/limits/cost.js';
import { requestLimits } from '../../src/graphql/limits/limits.js';
import { records } from '../isolation/schema-walk.js';
import { useGateway } from '../support/gateway.js';
import { ask } from './support.js';

const gateway = useGateway();

const asking = { 'GraphQL-Cost': 'true' };
const send = async (query: string, headers?: Record<string, string>, variables?: object) =>
  (
    await gateway.send('POST', '/graphql', {
      token: gateway.admin,
      body: { query, variables },
      ...(headers && { headers }),
    })
  ).json;

test('callers who ask for the cost always get it', async () => {
  const query = '{ vehicles(first: 3) { totalCount nodes { id name } } }';
  const cost = { requested: 1 + 1 + 1 + 3 * (10 + 1 + 1 + 1), limit: requestLimits.cost };
  for (let time = 0; time < 3; time++) {
    const { extensions, errors } = await send(query, asking);
    expect(errors).toBeUndefined();
    expect(extensions.cost).toEqual(cost);
  }
  expect((await send(query)).extensions).toBeUndefined();
  expect((await send(query, { 'GraphQL-Cost': 'false' })).extensions).toBeUndefined();
  // Also beside errors of fields, and of a mutation.
  const { extensions, errors } = await send('mutation { deleteTag(id: "x") { id } }', asking);
  expect([errors.length, extensions.cost.requested]).toEqual([1, 2]);
});

test('a document that costs too much is rejected with its cost, requested or not', async () => {
  const rows = 'nodes { contacts { id name } }';
  const query = `{ ${['a', 'b', 'c', 'd', 'e']
    .map(
      (name) =>
        `${name}: expirationItems(first: 500) { nodes { contact { expirationItems(first: 500) { ${rows} } } } }`,
    )
    .join(' ')} }`;
  for (const headers of [undefined, asking]) {
    const { data, errors, extensions } = await send(query, headers);
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    expect(extensions.cost.limit).toBe(requestLimits.cost);
    expect(extensions.cost.requested).toBeGreaterThan(requestLimits.cost);
  }
});

test('a file costs by its bytes, once it is read', async () => {
  const item = await ask(
    gateway,
    'mutation { createExpirationItem(input: {name: "x", expirationDate: "2027-01-31"}) { id } }',
  );
  const { id } = item.createExpirationItem;
  const content = Buffer.alloc(bytesPerUnit * 30).toString('base64');
  await ask(
    gateway,
    'mutation ($id: ID!, $content: String!) { addAttachment(itemId: $id, input: {content: $content}) { id } }',
    { id, content },
  );
  const file = (names: string) =>
    send(`{ expirationItem(id: "${id}") { attachments(first: 5) { nodes { ${names} } } } }`, asking);
  const before = 1 + 1 + 1 + 5 * (10 + 1 + 500);
  expect((await file('content')).extensions.cost.requested).toBe(before + 40);
  expect((await file('id')).extensions.cost.requested).toBe(1 + 1 + 1 + 5 * (10 + 1 + 1));
});

test('what may be long weighs by how long it may be', () => {
  const long = 1 + lengths.text / bytesPerUnit;
  const costs = records.flatMap((type) =>
    Object.values(type.getFields()).map(
      (field) => [`${type.name}.${field.name}`, field.extensions.cost] as const,
    ),
  );
  const heavy = costs.filter(([, cost]) => cost !== undefined && cost > 1);
  expect(Object.fromEntries(heavy)).toEqual({
    'Attachment.content': 500,
    'Company.compliance': 20,
    'Contact.compliance': 20,
    'DocumentRequest.answer': long,
    'DocumentRequest.declinedReason': long,
    'DocumentRequest.message': long,
    'EventLog.details': long,
    'Exemption.reason': long,
    'ExpirationItem.details': long,
    'HolderCompliance.compliance': 20,
    'Location.compliance': 20,
    'MailText.logo': long,
    'Note.body': long,
    'Note.bodyText': long,
    'Renewal.details': long,
    'UploadNotification.suggestions': long,
    'UploadNotification.uploadTags': long,
    'UploadNotification.uploadTagsText': long,
    'Vehicle.compliance': 20,
    'WebhookMessage.body': long,
  });
});
