import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { execute as executeByGraphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimeSlices } from '../../src/db/connection/bounds.js';
import { untimed } from '../../src/domain/doors/stages.js';
import { GatewayError } from '../../src/domain/errors.js';
import { schema } from '../../src/graphql/schema.js';
import { withFileContents } from '../../src/http/embedded-files.js';
import { createRest, type RestHandler } from '../../src/rest/handler.js';
import { largestContents } from '../../src/rest/lists/list.js';
import { configureRest, contractPath } from '../../src/rest/sofa.js';
import { errorResponse } from '../../src/web/errors.js';
import { readParameters } from '../../src/web/parameters.js';
import { sessionOf } from '../support/both-executors.js';
import { ShortSlices } from '../support/short-slices.js';
import { Unhandled } from '../support/unhandled.js';
import { expectAlive } from './answers.js';
import { createAwkward } from './awkward-records.js';
import { contract } from './bodies.js';
import { linkRecords } from './links.js';
import { queryFor } from './queries.js';
import { patience, seed, settings } from './runs.js';
import { createWorld, type World } from './world.js';

let world: World;
let unhandled: Unhandled;
beforeAll(async () => {
  world = await createWorld();
  await linkRecords(world.gateway);
  await createAwkward(world.gateway);
  unhandled = new Unhandled();
});
afterAll(async () => {
  await unhandled.close();
  await world.gateway.close();
});

const config = configureRest(schema);
const reading = Object.values(config.routes).filter(({ method }) => method === 'GET');
const readers = ['admin', 'member', 'viewer'] as const;

/** A request for one of the routes that read. */
interface Asked {
  readonly route: (typeof reading)[number];
  readonly id: string;
  /** The query string, with its question mark. */
  readonly search: string;
  readonly reader: (typeof readers)[number];
}

/** What a client sees of an answer: its status, what makes it cacheable and pageable, and its bytes. */
interface Seen {
  readonly status: number;
  readonly tag?: string | undefined;
  readonly link?: string | undefined;
  readonly text: string;
}

const asked: fc.Arbitrary<Asked> = fc.constantFrom(...reading).chain((route) =>
  fc.record({
    route: fc.constant(route),
    id: fc
      .gen()
      .map((draw) => draw(() => fc.constantFrom(...world.ids(contractPath(route).split('/{id}')[0] ?? '')))),
    search: fc.gen().map((draw) => draw(() => queryFor(contract.paths[contractPath(route)].get, world))),
    reader: fc.constantFrom(...readers),
  }),
);

const pathOf = ({ route, id }: Asked) => route.path.replace(':id', id);

/** Asks a handler, as the server does behind its checks of the caller. */
async function seenBy(answer: RestHandler, asked: Asked, slices?: TimeSlices): Promise<Seen> {
  const { route, id, search, reader } = asked;
  const session = await sessionOf(world.gateway, world.gateway[reader], slices);
  try {
    const request = {
      ...{ method: 'GET', path: pathOf(asked), query: readParameters(search), id },
      ...{ header: () => null, body: new Uint8Array(), stages: untimed },
      memory: { take: () => {}, release: () => {} },
    };
    const plain = await answer(route, request, session);
    const most = route.declared.kind === 'list' ? largestContents : Number.POSITIVE_INFINITY;
    const { status, headers, body } = await withFileContents(session, plain, { most });
    const text = body instanceof Readable ? await readText(body) : String(body);
    return { status, tag: headers.ETag, link: headers.Link, text };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, body } = errorResponse(error);
    return { status, text: String(body) };
  }
}

/** Asks over HTTP, where answers are compressed and large ones are streamed. */
async function seenOverHttp(asked: Asked): Promise<Seen> {
  const headers = { 'Accept-Encoding': 'gzip' };
  const token = world.gateway[asked.reader];
  const answer = await world.gateway.send('GET', pathOf(asked) + asked.search, { token, headers });
  const { status, text } = answer;
  const head = {
    tag: answer.headers.get('etag') ?? undefined,
    link: answer.headers.get('link') ?? undefined,
  };
  return { status, text, ...(status < 400 && head) };
}

const byPlan = createRest(schema, config);
const byGraphql = createRest(schema, { ...config, execute: executeByGraphql });

/** The ways in which our plans are executed. */
const ways: readonly ((asked: Asked) => Promise<Seen>)[] = [
  (asked) => seenBy(byPlan, asked),
  (asked) => seenBy(byPlan, asked, new ShortSlices()),
  seenOverHttp,
];

describe(`records and lists over REST, seed ${seed}`, () => {
  test(
    'are byte for byte those of graphql-js',
    async () => {
      const met = new Map<string, Set<number>>();
      await fc.assert(
        fc.asyncProperty(asked, fc.constantFrom(...ways), async (asked, way) => {
          const ours = await way(asked);
          const theirs = await seenBy(byGraphql, asked);
          const text = `${pathOf(asked)}${asked.search} of ${asked.reader}`;
          expect(ours, text).toEqual(theirs);
          await unhandled.expectNone(text);
          const { path } = asked.route;
          met.set(path, (met.get(path) ?? new Set()).add(ours.status));
        }),
        settings(400),
      );
      // Nothing would be found if all were refused.
      const answered = [...met.values()].filter((statuses) => statuses.has(200));
      expect(answered.length).toBeGreaterThan(reading.length / 2);
      await expectAlive(world.gateway);
    },
    patience,
  );
});
