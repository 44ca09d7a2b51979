import { describe, expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { createItem, put, readItem } from './items.support.js';
import { eventsOf } from './support.js';

const gateway = useGateway();

describe('PUT /v1/expirationitems/{id}: what belongs to an item', () => {
  test('nested records go in by id, by natural key in any letter case, or are made', async () => {
    const first = await createItem(gateway, {
      contacts: [{ email: 'Known@example.com' }],
      tags: [{ name: 'Known' }],
      locations: [{ name: 'Known hall' }],
    });
    const item = await createItem(gateway);
    const { json } = await put(gateway, item, {
      contacts: [
        { email: ' KNOWN@EXAMPLE.COM ' },
        { email: 'new@example.com' },
        { id: first.contacts[0].id },
      ],
      tags: [{ id: first.tags[0].id }, { name: 'brand new' }],
      locations: [{ name: 'known HALL' }],
    });
    expect(json.contacts.map(({ email }: { email: string }) => email)).toEqual([
      'Known@example.com',
      'new@example.com',
    ]);
    expect(json.contacts[0].id).toBe(first.contacts[0].id);
    expect(json.tags.map(({ name }: { name: string }) => name)).toEqual(['Known', 'brand new']);
    expect(json.locations[0].id).toBe(first.locations[0].id);
    expect(await eventsOf(gateway, json.contacts[1])).toMatchObject([{ typeId: 1, userId: gateway.userId }]);
    expect(await eventsOf(gateway, json.contacts[0])).toHaveLength(1);
  });

  test('a custom field that the document type defines takes the id of its definition', async () => {
    const { data } = await gateway.graphql(
      `mutation { createCategory(input: { name: "Permit", customFields: [{ name: "Number", internalName: "no" }] }) {
        id customFields { id } } }`,
    );
    const { id, customFields } = data.createCategory;
    const item = await createItem(gateway, { category: { id } });
    const custom_fields = [
      { name: 'Other', value: '1' },
      { name: 'Number', value: '2' },
    ];
    const { json } = await put(gateway, item, { custom_fields });
    expect(json.custom_fields[1]).toEqual({ id: customFields[0].id, name: 'Number', value: '2' });
    expect(json.custom_fields[0].id).not.toBe(customFields[0].id);
  });

  test('custom fields sent again without their ids stay the same', async () => {
    const item = await createItem(gateway);
    const body = {
      custom_fields: [
        { name: 'a', value: '1' },
        { name: 'a', value: '2' },
      ],
    };
    const first = (await put(gateway, item, body)).json;
    expect((await put(gateway, item, body)).json).toEqual(first);
  });

  test('an item whose id is sent in upper case keeps its parts', async () => {
    const input = { tags: [{ name: 'Kept' }], attachments: [{ name: 'a.txt', content: 'eA==' }] };
    const { id, tags, attachments } = await createItem(gateway, input);
    const capitals = { id: id.toUpperCase() };
    const same = [{ id: attachments[0].id, name: 'a.txt' }];
    const { json, status } = await put(gateway, capitals, { details: 'New.', attachments: same });
    expect([status, json]).toMatchObject([200, { id, details: 'New.', tags, attachments: same }]);
    const emptied = await put(gateway, capitals, { tags: [], attachments: [] });
    expect(emptied.json).toMatchObject({ tags: [], attachments: [] });
    expect(await readItem(gateway, { id })).toMatchObject({ tags: [], attachments: [] });
  });

  test('files, history and document type go along to another workspace', async () => {
    const item = await createItem(gateway, {
      attachments: [{ content: 'eA==' }],
      category: { name: 'Moving' },
    });
    await gateway.send('PUT', `/v1/expirationitems/${item.id}/renew`, {
      body: { expiration_date: '2029-01-01' },
    });
    await put(gateway, item, { team_id: gateway.otherTeamId });
    const { json } = await put(gateway, item, { team_id: gateway.teamId, details: 'back' });
    expect(json).toMatchObject({ category_name: 'Moving', category: { team_id: gateway.teamId } });
    const { data } = await gateway.graphql(
      'query ($id: ID!) { expirationItem(id: $id) { attachments { nodes { content } } renewals { nodes { expirationDate } } } }',
      { id: item.id },
      gateway.member,
    );
    expect(data.expirationItem).toEqual({
      attachments: { nodes: [{ content: 'eA==' }] },
      renewals: { nodes: [{ expirationDate: '2029-01-01' }] },
    });
  });

  test('days, ends of renewals and what was acknowledged go along to another workspace', async () => {
    const days = { noticeRule: { unit: 'MONTHS', count: 3 }, renewUntil: '2030-06-01', renewalsLeft: 2 };
    const item = await createItem(gateway, { ...days, teamId: gateway.otherTeamId });
    const typed = await createItem(gateway, { noticeDate: '2027-04-01', teamId: gateway.otherTeamId });
    const acknowledge = `mutation ($id: ID!, $input: AcknowledgementInput!) {
      setAcknowledgement(id: $id, input: $input) { note } }`;
    for (const { id } of [item, typed])
      for (const about of ['NOTICE', 'EXPIRATION']) {
        const { errors } = await gateway.graphql(acknowledge, { id, input: { about, note: about } });
        expect(errors).toBeUndefined();
      }
    const read = async ({ id }: { id: string }, token = gateway.admin) => {
      const { data } = await gateway.graphql(
        `query ($id: ID!) { expirationItem(id: $id) { noticeDate noticeRule { unit count before }
          renewUntil renewalsLeft acknowledgement { note } noticeAcknowledgement { note } } }`,
        { id },
        token,
      );
      return data.expirationItem;
    };
    const before = [await read(item), await read(typed)];
    const acknowledged = {
      acknowledgement: { note: 'EXPIRATION' },
      noticeAcknowledgement: { note: 'NOTICE' },
    };
    expect(before).toEqual([
      {
        ...days,
        noticeRule: { ...days.noticeRule, before: 'EXPIRATION' },
        noticeDate: '2027-03-01',
        ...acknowledged,
      },
      { noticeDate: '2027-04-01', noticeRule: null, renewUntil: null, renewalsLeft: null, ...acknowledged },
    ]);
    for (const one of [item, typed]) await put(gateway, one, { team_id: gateway.teamId });
    // Members of the new workspace alone see it, and it does not go with the former one.
    expect([await read(item, gateway.member), await read(typed, gateway.member)]).toEqual(before);
    const where = { itemId: { in: [item.id, typed.id] }, teamId: gateway.teamId };
    expect(await gateway.database.prisma.acknowledgement.count({ where })).toBe(4);
  });

  test('lists keep the order sent', async () => {
    const names = ['c', 'a', 'b'];
    const item = await createItem(gateway, { tags: names.map((name) => ({ name })) });
    expect(item.tags.map(({ name }: { name: string }) => name)).toEqual(names);
    const { json } = await put(gateway, item, { tags: [...item.tags].reverse() });
    expect(json.tags.map(({ name }: { name: string }) => name)).toEqual(['b', 'a', 'c']);
  });

  test('attachments: a known id is kept, content is added, missing ones are removed', async () => {
    const item = await createItem(gateway, {
      attachments: [
        { name: 'one', content: 'MQ==' },
        { name: 'two', content: 'Mg==' },
      ],
    });
    const [one, two] = item.attachments;
    const { json } = await put(gateway, item, {
      attachments: [
        { id: two.id, name: 'ignored', content: two.content },
        { name: 'three', content: 'M w\n==' },
      ],
    });
    expect(json.attachments).toMatchObject([
      { id: two.id, name: 'two', content: 'Mg==', content_legth: 1 },
      { name: 'three', content: 'Mw==', content_legth: 1 },
    ]);
    const { prisma } = gateway.database;
    expect(await prisma.attachmentContent.findUnique({ where: { attachmentId: one.id } })).toBeNull();
    const bare = await put(gateway, item, {}, {}, '?includeFileContent=false');
    expect(bare.json.attachments.map(({ content }: { content: unknown }) => content)).toEqual([null, null]);
    expect(bare.json.attachments[0].content_legth).toBe(1);
  });

  test('a file may be larger than other bodies', async () => {
    const item = await createItem(gateway);
    const content = Buffer.alloc(3 * 1024 * 1024, 'x').toString('base64');
    const { status, json } = await put(gateway, item, { attachments: [{ name: 'big', content }] });
    expect([status, json.attachments[0].content_legth]).toEqual([200, 3 * 1024 * 1024]);
    expect(json.attachments[0].content).toBe(content);
    const [event] = (await eventsOf(gateway, item)).slice(-1);
    expect(event?.details?.length).toBeLessThan(1_000);
  });
});
