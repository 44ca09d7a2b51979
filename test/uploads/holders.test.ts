import { beforeAll, describe, expect, test } from 'vitest';
import { findSuggestion } from '../../src/uploads/worker/worker.js';
import { ask } from '../graphql/support.js';
import { testTime, useGateway } from '../support/gateway.js';
import { receiveTagged, settled, withWorker } from './support.js';

const gateway = useGateway();

const read = `query ($id: ID!) {
  uploadNotification(id: $id) {
    id state reasonCode error
    suggestions { field value name confidence words reason }
    expirationItem {
      name contacts { email }
      holders { nodes { ... on Vehicle { id } ... on Contact { id } ... on Company { id } ... on Location { id } } }
    }
  }
}`;

const options = { ocr: 'off', ocrCommand: '', today: testTime } as const;

/** Files an upload with tags, whose document has a text. */
async function file(tags: object, text?: string, token?: string) {
  const bytes = new TextEncoder().encode(text);
  const document = { bytes, contentType: 'text/plain', filename: 'scan.txt' };
  const findFile = async () => (text === undefined ? {} : findSuggestion(document, options));
  const id = await receiveTagged(gateway, tags, token);
  await withWorker(gateway, { findFile }, () => settled(gateway, id));
  return readUpload(id);
}

const readUpload = async (id: string) => (await ask(gateway, read, { id })).uploadNotification;

interface FiledUpload {
  readonly expirationItem: {
    readonly holders: { readonly nodes: readonly { readonly id: string }[] };
  } | null;
}

const heldBy = ({ expirationItem }: FiledUpload) => expirationItem?.holders.nodes.map(({ id }) => id);

/** Creates a record over GraphQL, and returns its id. */
async function create(type: string, input: object): Promise<string> {
  const data = await ask(
    gateway,
    `mutation ($input: Create${type}Input!) { created: create${type}(input: $input) { id } }`,
    { input },
  );
  return data.created.id;
}

let [truck, van, ana, haulier, depot, hidden] = ['', '', '', '', '', ''];
beforeAll(async () => {
  truck = await create('Vehicle', { name: 'Truck 101', licensePlate: 'BT 1014', vin: 'WDB9634031L123456' });
  van = await create('Vehicle', { name: 'Van 7', licensePlate: 'B-AB 77' });
  ana = await create('Contact', { name: 'Ana Diaz', email: 'ana@example.com', contactId: 'E-10045' });
  haulier = await create('Company', { name: 'Haulier Ltd', taxId: 'DE 123' });
  depot = await create('Location', { name: 'Depot' });
  const { otherTeamId: teamId } = gateway;
  hidden = await create('Vehicle', { name: 'Hidden', licensePlate: 'HID 1', teamId });
  await create('Vehicle', { name: 'Twin', licensePlate: 'TWI 22' });
  await create('Vehicle', { name: 'Other twin', licensePlate: 'twi-22' });
});

describe('tags of an upload', () => {
  test.each([
    [{ License_Plate: 'bt-1014' }, () => [truck]],
    [{ vehicle_vin: ' wdb9634031l123456 ' }, () => [truck]],
    [{ vehicle_vin: 'WDB9634031L123456', license_plate: 'BT1014' }, () => [truck]],
    [{ holder_email: 'ANA@example.com', license_plate: 'BT 1014' }, () => [truck, ana]],
    [{ company_tax_id: 'de 123' }, () => [haulier]],
    [{ license_plate: '' }, () => []],
  ] as const)('name what the item is a paper of: %j', async (tags, holders) => {
    const upload = await file(tags);
    expect(upload.state).toBe('FILED');
    expect(heldBy(upload)).toEqual(holders());
    expect(upload.expirationItem.contacts).toEqual([]);
  });

  test('name it by ids of any kind', async () => {
    expect(heldBy(await file({ company_id: haulier, holder_id: depot }))).toEqual([depot, haulier]);
    for (const id of [truck, ana, haulier, depot])
      expect(heldBy(await file({ holder_id: id.toUpperCase() }))).toEqual([id]);
    expect(await file({ company_id: truck })).toMatchObject({
      ...{ state: 'FAILED', reasonCode: 'HOLDER_INVALID' },
      error: 'upload_Tags.company_id: names nothing that exists',
    });
  });

  test('that several records answer to are told with their ids, and a person decides', async () => {
    const upload = await file({ license_plate: 'TWI 22' });
    expect(upload).toMatchObject({ state: 'FAILED', reasonCode: 'HOLDER_INVALID', expirationItem: null });
    expect(upload.error).toMatch(
      /^upload_Tags\.license_plate: there are several vehicles with the licence plate "TWI 22": [-0-9a-f]{36}, [-0-9a-f]{36}\.$/,
    );
    const { status, json } = await gateway.send('POST', `/v1/uploads/${upload.id}/confirm`, {
      body: {
        holders: [
          { kind: 'vehicle', id: truck },
          { kind: 'contact', email: 'ana@example.com' },
        ],
      },
    });
    expect([status, json.state]).toEqual([200, 'filed']);
    expect(heldBy(await readUpload(upload.id))).toEqual([truck, ana]);
  });

  test('of a vehicle that the sender does not see name nothing', async () => {
    for (const token of [gateway.uploader, gateway.member]) {
      const upload = await file({ license_plate: 'HID 1' }, undefined, token);
      expect(upload.error).toBe(
        'upload_Tags.license_plate: there is no vehicle with the licence plate "HID 1".',
      );
      expect((await file({ holder_id: hidden }, undefined, token)).reasonCode).toBe('HOLDER_INVALID');
    }
    expect(heldBy(await file({ license_plate: 'HID 1' }, undefined, gateway.admin))).toEqual([hidden]);
  });
});

describe('a file that is sent itself', () => {
  const send = (fields: object) =>
    gateway.send('POST', '/v1/uploads', { body: { content: 'eA==', file_name: 'a.txt', ...fields } });

  test('names what it is a paper of', async () => {
    const { status, json } = await send({ license_plate: 'BT 1014', holder_email: 'ana@example.com' });
    expect(status).toBe(201);
    expect(heldBy(await readUpload(json.id))).toEqual([truck, ana]);
  });

  test.each([
    [{ license_plate: 'NO 1' }, 'license_plate', 'there is no vehicle with the licence plate "NO 1".'],
    [{ license_plate: 'twi 22' }, 'license_plate', 'there are several vehicles'],
    [{ vehicle_vin: 'NONE' }, 'vehicle_vin', 'there is no vehicle'],
    [{ holder_id: 'x' }, 'holder_id', 'must be a UUID'],
    [{ company_id: '00000000-0000-4000-8000-000000000000' }, 'company_id', 'names nothing that exists'],
  ])('is refused with %j, and nothing is stored', async (fields, name, message) => {
    const { prisma } = gateway.database;
    const before = await prisma.uploadNotification.count();
    const { status, text } = await send(fields);
    expect(status).toBe(400);
    expect(text).toContain(name);
    expect(JSON.parse(text).message ?? text).toContain(message);
    expect(await prisma.uploadNotification.count()).toBe(before);
  });
});

describe('a decision', () => {
  const confirm = `mutation ($id: ID!, $input: ConfirmUploadInput!) {
    confirmUpload(id: $id, input: $input) { id }
  }`;

  test('adds holders to the item of a filed upload', async () => {
    const { id } = await file({ license_plate: 'BT 1014' });
    await ask(gateway, confirm, { id, input: { holders: [{ kind: 'COMPANY', name: 'Haulier Ltd' }] } });
    await ask(gateway, confirm, { id, input: { holders: [{ kind: 'VEHICLE', id: truck }] } });
    expect(heldBy(await readUpload(id))).toEqual([truck, haulier]);
  });

  test('takes what the tags name if it names nothing itself, and nothing if its list is empty', async () => {
    const tags = { license_plate: 'BT 1014', contact_email: 'nobody' };
    const [first, second] = [await file(tags), await file(tags)];
    const input = { contactEmail: null };
    await ask(gateway, confirm, { id: first.id, input });
    await ask(gateway, confirm, { id: second.id, input: { ...input, holders: [] } });
    expect([heldBy(await readUpload(first.id)), heldBy(await readUpload(second.id))]).toEqual([[truck], []]);
  });

  test.each([
    [[{ kind: 'VEHICLE', licensePlate: 'NO 1' }], 'NOT_FOUND'],
    [[{ kind: 'VEHICLE', licensePlate: 'TWI 22' }], 'CONFLICT'],
    [[{ kind: 'VEHICLE' }], 'BAD_REQUEST'],
    [[{ kind: 'CONTACT', licensePlate: 'BT 1014' }], 'BAD_REQUEST'],
    [[{ kind: 'VEHICLE', id: '00000000-0000-4000-8000-000000000000' }], 'BAD_REQUEST'],
    [Array.from({ length: 101 }, () => ({ kind: 'VEHICLE', licensePlate: 'BT 1014' })), 'BAD_REQUEST'],
  ])('that names nothing clearly changes nothing: %.80j', async (holders, code) => {
    const filed = await file({ license_plate: 'BT 1014' });
    const waiting = await file({ license_plate: 'NO 1' });
    for (const { id } of [filed, waiting]) {
      const { errors } = await gateway.graphql(confirm, { id, input: { holders } });
      expect(errors?.[0]?.extensions.code).toBe(code);
    }
    expect(heldBy(await readUpload(filed.id))).toEqual([truck]);
    expect((await readUpload(waiting.id)).state).toBe('FAILED');
  });
});

describe('a document', () => {
  const suggested = async (text: string, ...fields: string[]) =>
    (await file({}, text)).suggestions
      .filter(({ field }: { field: string }) => fields.includes(field))
      .map(({ field, value, name, words }: Record<string, string>) => [field, value, name, words]);

  test.each([
    ['Registration of bt-1014, first page', 'bt-1014'],
    ['Kennzeichen: BT\t1014', 'BT 1014'],
    ['BT1014', 'BT1014'],
    ['VIN WDB9634031L123456 BT 1014', 'WDB9634031L123456'],
    ['FIN: WDB 9634031 L 123456', 'WDB 9634031 L 123456'],
  ])('suggests a vehicle by what it says: %s', async (text, words) => {
    expect(await suggested(text, 'VEHICLE')).toEqual([['VEHICLE', truck, 'Truck 101', words]]);
  });

  test('says why, and takes it only when somebody chooses it', async () => {
    const upload = await file({}, 'Insurance of BT 1014, driver ANA DIAZ, valid until 31 January 2033');
    const holders = upload.suggestions.filter(({ field }: { field: string }) =>
      ['VEHICLE', 'PERSON', 'CONTACT'].includes(field),
    );
    expect(holders).toEqual(
      expect.arrayContaining([
        {
          ...{ field: 'VEHICLE', value: truck, name: 'Truck 101', confidence: 90, words: 'BT 1014' },
          reason: 'Vehicle “Truck 101” has the licence plate “BT 1014”, which stands on page 1 as “BT 1014”.',
        },
        {
          ...{ field: 'PERSON', value: ana, name: 'Ana Diaz', confidence: 90, words: 'ANA DIAZ' },
          reason: 'Contact “Ana Diaz” stands on page 1 as “ANA DIAZ”.',
        },
        expect.objectContaining({ field: 'CONTACT', value: 'ana@example.com', name: null }),
      ]),
    );
    expect(heldBy(upload)).toEqual([]);
    const { json } = await gateway.send('GET', `/v1/uploads/${upload.id}`);
    expect(json.suggestions).toContainEqual(
      expect.objectContaining({ field: 'vehicle', value: truck, name: 'Truck 101' }),
    );
    await gateway.send('POST', `/v1/uploads/${upload.id}/confirm`, {
      body: { holders: [{ kind: 'vehicle', id: truck }] },
    });
    expect(heldBy(await readUpload(upload.id))).toEqual([truck]);
  });

  test('suggests a person by their own id, and both of two vehicles with one plate', async () => {
    expect(await suggested('Employee E10045', 'PERSON')).toEqual([['PERSON', ana, 'Ana Diaz', 'E10045']]);
    const twins = await suggested('Plate TWI 22', 'VEHICLE');
    expect(twins.map(([, , name]: string[]) => name).sort()).toEqual(['Other twin', 'Twin']);
  });

  test.each(['Valid in 1014', 'BT, 1014', 'ABT 1014', 'BT 10145', 'HID 1', 'B-AB 7'])(
    'suggests no vehicle for %.30s',
    async (text) => {
      expect(await suggested(text, 'VEHICLE')).toEqual([]);
    },
  );

  test('suggests no vehicle that is archived', async () => {
    expect(await suggested('B-AB 77', 'VEHICLE')).toEqual([['VEHICLE', van, 'Van 7', 'B-AB 77']]);
    await gateway.database.prisma.vehicle.update({ where: { id: van }, data: { isArchived: true } });
    expect(await suggested('B-AB 77', 'VEHICLE')).toEqual([]);
  });
});

describe('the item that a document renews', () => {
  const suggestedItems = async (text: string) =>
    (await file({}, text)).suggestions.filter(({ field }: { field: string }) => field === 'EXPIRATION_ITEM');

  test('is suggested by its holder and its type, by a number and by its name', async () => {
    const create = async (input: object) => {
      const data = await ask(
        gateway,
        'mutation ($input: CreateExpirationItemInput!) { created: createExpirationItem(input: $input) { id } }',
        { input: { expirationDate: '2030-01-31', ...input } },
      );
      return data.created.id as string;
    };
    const tractor = await ask(
      gateway,
      'mutation { created: createVehicle(input: { name: "Tractor 9", licensePlate: "TR 9009" }) { id } }',
    );
    const holders = [{ kind: 'VEHICLE', id: tractor.created.id }];
    const inspection = await create({ name: 'TÜV 101', category: { name: 'Roadworthiness' }, holders });
    const insurance = await create({ name: 'Police 101', category: { name: 'Liability cover' }, holders });
    const numbered = await create({
      name: 'Numbered',
      customFields: [{ name: 'Number', value: 'QX-778812' }],
    });
    const named = await create({ name: 'Harbour permit Rotterdam' });
    await create({ name: 'Archived 101', holders, isActive: false });
    const both = await suggestedItems('Roadworthiness test of TR-9009\nValid until 15.07.2031');
    expect(both.map(({ value }: { value: string }) => value)).toEqual([inspection, insurance]);
    expect(both[0]).toMatchObject({
      name: 'TÜV 101',
      words: 'TR-9009',
      reason:
        'Expiration item “TÜV 101” has the document type and holder “Roadworthiness, Tractor 9”, which stands on page 1 as “TR-9009”.',
    });
    expect(both[0].confidence).toBeGreaterThan(80);
    expect(both[1].confidence).toBeLessThan(60);
    expect((await suggestedItems('Number QX.778812'))[0]).toMatchObject({
      value: numbered,
      name: 'Numbered',
    });
    expect((await suggestedItems('The harbour permit Rotterdam'))[0]).toMatchObject({ value: named });
    expect(await suggestedItems('Nothing of ours')).toEqual([]);
  });
});
