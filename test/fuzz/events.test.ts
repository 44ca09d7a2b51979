import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expirationItems } from '../../src/items/expiration-items.js';
import { findRecord } from '../../src/records/record.js';
import { eventLogs } from '../../src/resources/event-logs.js';
import { uploadNotifications } from '../../src/uploads/notifications.js';
import {
  fileUpload,
  quiet,
  type Results,
  sessionOf,
  streams,
  subscribe,
  transports,
} from '../live/support.js';
import { executeWithoutPlan } from '../support/both-executors.js';
import { Unhandled, unhandledErrors } from '../support/unhandled.js';
import { expectAlive } from './answers.js';
import { printed } from './documents.js';
import { linkRecords } from './links.js';
import { Operations, type ValidOperation } from './operations.js';
import { patience, seed, settings } from './runs.js';
import { type Answer, answerOf, expectSame } from './same.js';
import { selection } from './selections.js';
import { createWorld, idsOf, type World } from './world.js';

let world: World;
let unhandled: Unhandled;
beforeAll(async () => {
  world = await createWorld();
  await linkRecords(world.gateway);
  await quiet(world.gateway);
  unhandled = new Unhandled();
});
afterAll(async () => {
  expect(await unhandledErrors(world.gateway)).toBe(0);
  await unhandled.close();
  await world.gateway.close();
});

const item = idsOf('ExpirationItem')[0] ?? '';

/** Operations that follow something, each with whatever selection. */
const following = (field: string, type: string) =>
  new Operations(world, 'subscription', (draft) => {
    const of = printed.getType(type);
    return `{ ${draft.pick(['', 'told: ', '__proto__: '])}${field} ${selection(draft, of as never, 1)} }`;
  });

let count = 0;

/** Something that happens, and what subscribers are told of it. */
interface Happening {
  readonly field: string;
  readonly type: string;
  /** Makes it happen, and reads the event's value as the gateway does. */
  happen(): Promise<unknown>;
}

const newest = async () => {
  const session = await sessionOf(world.gateway, 'ADMIN');
  const { id } = await world.gateway.database.prisma.eventLog.findFirstOrThrow({ orderBy: { id: 'desc' } });
  return { session, value: await findRecord(session, eventLogs, id) };
};

const happenings: readonly Happening[] = [
  {
    field: `eventLogged(typeIds: [2], entityId: "${item}")`,
    type: 'EventLog',
    async happen() {
      await change();
      return newest();
    },
  },
  {
    field: `expirationItemChanged(id: "${item}")`,
    type: 'ExpirationItem',
    async happen() {
      await change();
      const session = await sessionOf(world.gateway, 'ADMIN');
      return { session, value: await findRecord(session, expirationItems, item) };
    },
  },
  {
    field: 'uploadFiled',
    type: 'UploadNotification',
    async happen() {
      const mutation = `mutation { receiveUpload(input: {id: "${++count}", action: "fp.upload"}) { id } }`;
      const { data, errors } = await world.gateway.graphql(mutation);
      expect(errors).toBeUndefined();
      await fileUpload(world.gateway, data.receiveUpload.id);
      const session = await sessionOf(world.gateway, 'ADMIN');
      return { session, value: await findRecord(session, uploadNotifications, data.receiveUpload.id) };
    },
  },
];

async function change(): Promise<void> {
  const { clock } = world.gateway;
  // Two changes of one version are told once.
  clock.now = new Date(clock.now.getTime() + 1_000);
  const mutation =
    'mutation ($id: ID!, $name: String) { updateExpirationItem(id: $id, input: {name: $name}) { id } }';
  const { errors } = await world.gateway.graphql(mutation, { id: item, name: `Changed ${count++}` });
  expect(errors).toBeUndefined();
}

/** Streams that wait for one event: each costs a connection or a subscription, and the event comes to all. */
const together = 20;

async function expectEvent(
  { happen }: Happening,
  operations: readonly ValidOperation[],
  over: keyof typeof transports,
) {
  const { gateway } = world;
  const open: Results[] = [];
  try {
    for (const { query, variables } of operations) {
      open.push(await subscribe(gateway, { query, variables }, transports[over]));
    }
    const rootValue = await happen();
    for (const [at, { query, document, variables }] of operations.entries()) {
      const { value } = (await open[at]?.next()) ?? {};
      await unhandled.expectNone(query);
      const theirs = answerOf(await executeWithoutPlan(gateway, { document, variables, rootValue }));
      const told = JSON.parse(JSON.stringify(theirs));
      expectSame(value as Answer, told, `${query} ${JSON.stringify(variables)}`);
    }
  } finally {
    for (const results of open) await results.return?.();
  }
  await streams(gateway, 0);
}

describe.each(['graphql-ws', 'plain server-sent events'] as const)(`events over %s, seed ${seed}`, (over) => {
  test.each([0, 1, 2])(
    'are reported as by graphql-js: %i',
    async (which) => {
      const happening = happenings[which] as Happening;
      const operations = following(happening.field, happening.type);
      const some = fc.array(operations, { minLength: together, maxLength: together });
      await fc.assert(
        fc.asyncProperty(some, (all) => expectEvent(happening, all, over)),
        settings(3),
      );
      expect(await unhandledErrors(world.gateway)).toBe(0);
      await expectAlive(world.gateway);
    },
    patience,
  );
});
