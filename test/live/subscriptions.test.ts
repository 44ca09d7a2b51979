import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { receive, withWorker } from '../uploads/support.js';
import {
  fileUpload,
  nextData,
  nextWith,
  post,
  quiet,
  type Results,
  startFurther,
  streams,
  subscribe,
  transports,
} from './support.js';

let gateway: TestGateway;
let further: Awaited<ReturnType<typeof startFurther>>;
const open: Results[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  further = await startFurther(gateway);
  await quiet(gateway);
});
afterEach(async () => {
  for (const results of open.splice(0)) await results.return?.();
  await streams(gateway, 0);
});
afterAll(async () => {
  await further.close();
  await gateway.close();
});

const createVehicle = 'mutation($name: String!) { record: createVehicle(input: {name: $name}) { id } }';
const createItem = `mutation($name: String!) {
  record: createExpirationItem(input: {name: $name, expirationDate: "2030-01-01"}) { id }
}`;

async function write(query: string, variables: object): Promise<string> {
  const { data, errors } = await gateway.graphql(query, variables);
  expect(errors).toBeUndefined();
  return data.record.id;
}

test('an event has the numbers of an upload to the last digit', async () => {
  const tags = '{"n":9007199254740993,"price":1.10}';
  const raw = `{"action": "fp.upload", "text": {"filename": "digits", "upload_Tags": ${tags}}}`;
  const headers = { 'Content-Type': 'application/json' };
  await gateway.send('POST', '/v1/bulkscan/receive', { raw, headers });
  const { uploads } = (await gateway.send('GET', '/v1/uploads?term=digits')).json;
  const gone = new AbortController();
  const query = 'subscription { uploadFiled { uploadTags } }';
  const answer = await post(gateway, { query }, { signal: gone.signal });
  await streams(gateway, 1);
  await fileUpload(gateway, uploads[0].id);
  let told = '';
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!told.includes('data')) told += (await reader?.read())?.value;
  gone.abort();
  expect(told).toContain(`data: {"data":{"uploadFiled":{"uploadTags":${tags}}}}\n`);
});

describe.each(Object.entries(transports))('over %s', (_name, over) => {
  async function follow(query: string, variables?: Record<string, unknown>): Promise<Results> {
    const results = await subscribe(gateway, { query, ...(variables && { variables }) }, over);
    open.push(results);
    return results;
  }

  test('the event log is streamed as it is written, and as it is read afterwards', async () => {
    const selection = '{ id type description details created user { name } relatedEntities { id typeId } }';
    const events = await follow(`subscription { eventLogged ${selection} }`);
    const id = await write(createVehicle, { name: 'Van' });
    const told = await nextData(events);
    expect(told).toMatchObject({
      eventLogged: {
        type: 'CREATED',
        description: 'Vehicle "Van" was created',
        user: { name: 'Ada Admin' },
        relatedEntities: [{ id, typeId: 3 }],
      },
    });
    const { eventLogged } = told as { eventLogged: { id: string } };
    const query = `query($id: ID!) { eventLogged: eventLog(id: $id) ${selection} }`;
    expect((await gateway.graphql(query, { id: eventLogged.id })).data).toEqual(told);
  });

  test('events come in the order in which they were written', async () => {
    const events = await follow('subscription { eventLogged { description } }');
    const names = Array.from({ length: 10 }, (_, index) => `Van ${index}`);
    for (const name of names) await write(createVehicle, { name });
    for (const name of names) {
      expect(await nextData(events)).toEqual({
        eventLogged: { description: `Vehicle "${name}" was created` },
      });
    }
  });

  test('events can be narrowed to kinds, and to a record', async () => {
    const id = await write(createVehicle, { name: 'Old' });
    const other = await write(createVehicle, { name: 'Other' });
    const deletions = await follow('subscription { eventLogged(typeIds: [4]) { description } }');
    const about = await follow(
      'subscription($id: ID) { eventLogged(entityId: $id, typeIds: [2, 4]) { description } }',
      { id: id.toUpperCase() },
    );
    const remove = 'mutation($id: ID!) { record: deleteVehicle(id: $id) { id } }';
    await write(createVehicle, { name: 'New' });
    await write(remove, { id: other });
    await write(remove, { id });
    const deleted = (name: string) => ({ eventLogged: { description: `Vehicle "${name}" was deleted` } });
    expect(await nextData(deletions)).toEqual(deleted('Other'));
    expect(await nextData(about)).toEqual(deleted('Old'));
  });

  test('an item is sent after each of its changes, and null ends it', async () => {
    const id = await write(createItem, { name: 'Licence' });
    const changes = await follow(
      'subscription($id: ID!) { expirationItemChanged(id: $id) { name status tags { name } } }',
      { id },
    );
    await write(createItem, { name: 'Another' });
    const relate = `mutation($id: ID!) {
      record: createNote(input: {name: "About it", relations: [{entityId: $id, entityType: 1}]}) { id }
    }`;
    await write(relate, { id });
    const update = `mutation($id: ID!, $input: UpdateExpirationItemInput!) {
      record: updateExpirationItem(id: $id, input: $input) { id }
    }`;
    await write(update, { id, input: { name: 'Renamed', tags: [{ name: 'yearly' }] } });
    expect(await nextData(changes)).toEqual({
      expirationItemChanged: { name: 'Renamed', status: 'CURRENT', tags: [{ name: 'yearly' }] },
    });
    await write(update, { id, input: { expirationDate: '2026-11-21', tags: [{ name: 'monthly' }] } });
    // Each time everything is read anew, the tags as well.
    expect(await nextData(changes)).toEqual({
      expirationItemChanged: { name: 'Renamed', status: 'NOTIFYING', tags: [{ name: 'monthly' }] },
    });
    await write('mutation($id: ID!) { record: deleteExpirationItem(id: $id) { id } }', { id });
    expect(await nextData(changes)).toEqual({ expirationItemChanged: null });
    expect((await changes.next()).done).toBe(true);
    await streams(gateway, 0);
  });

  test('an upload is sent when it is filed, and so is its item', async () => {
    const id = await write(createItem, { name: 'Scanned' });
    const uploads = await follow(
      'subscription { uploadFiled { filename state expirationItem { id } attachment { name } } }',
    );
    const changes = await follow(
      'subscription($id: ID!) { expirationItemChanged(id: $id) { attachments { nodes { name } } } }',
      { id },
    );
    await withWorker(gateway, {}, async () => {
      await receive(gateway, { filename: 'scan.pdf', upload_Tags: { expiration_item_id: id } });
      expect(await nextData(uploads)).toEqual({
        uploadFiled: {
          filename: 'scan.pdf',
          state: 'FILED',
          expirationItem: { id },
          attachment: { name: 'scan.pdf' },
        },
      });
      expect(await nextData(changes)).toEqual({
        expirationItemChanged: { attachments: { nodes: [{ name: 'scan.pdf' }] } },
      });
    });
  });

  test('an upload is an event as soon as it is received', async () => {
    const received = await follow(
      'subscription { eventLogged(typeIds: [10]) { description relatedEntities { id } } }',
    );
    const id = await receive(gateway, { filename: 'new.pdf' }, gateway.admin, 'fp.other');
    expect(await nextData(received)).toEqual({
      eventLogged: {
        description: 'Upload notification "new.pdf" was received',
        relatedEntities: [{ id }],
      },
    });
  });

  test('another gateway streams what one writes', async () => {
    const events = await subscribe(further, { query: 'subscription { eventLogged { description } }' }, over);
    await write(createVehicle, { name: 'Elsewhere' });
    // What this one wrote before comes to the other in its own time.
    expect(await nextWith(events, 'Elsewhere')).toEqual({
      eventLogged: { description: 'Vehicle "Elsewhere" was created' },
    });
    await events.return?.();
    await streams(further, 0);
  });

  test('writes through REST are streamed as well', async () => {
    const events = await follow('subscription { eventLogged { type description } }');
    await gateway.send('POST', '/v1/vehicles', { body: { name: 'REST' } });
    expect(await nextWith(events, 'REST')).toEqual({
      eventLogged: { type: 'CREATED', description: 'Vehicle "REST" was created' },
    });
  });
});
