import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../db/secrets/secrets.js';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import { jsonType } from '../../web/response.js';
import type { Endpoint } from '../routing/endpoint.js';

/** A request that `doctor` sent to the public address, as it arrived. */
export interface ArrivedRequest {
  /** The origin that it was sent to, as links in answers have it. */
  readonly origin: string;
  /** Number of addresses in `X-Forwarded-For`. */
  readonly forwarded: number;
  /** Number of proxies that the gateway trusts (`TRUST_PROXY`). */
  readonly trusted: number;
}

/** The gateway's key, if it has one. */
type Keys = Pick<Secrets, 'hasKey' | 'keyFor'>;

/** Milliseconds for which a signature is taken. Clocks of two machines may differ by as much. */
const validForMs = 300_000;

const signatureOf = async (keys: Keys, time: string) =>
  createHmac('sha256', await keys.keyFor('check of the route'))
    .update(time)
    .digest();

/**
 * Signs the query of a request to `/health/route`. Only gateways with the same key answer it.
 * @returns undefined without a key; none is created for this
 */
export async function signRouteCheck(keys: Keys, now: Date): Promise<string | undefined> {
  if (!(await keys.hasKey())) return undefined;
  const time = String(now.getTime());
  return `at=${time}&by=${(await signatureOf(keys, time)).toString('base64url')}`;
}

/**
 * Creates the endpoint that tells `doctor` how its request arrived through the proxies. It is a 404 for everybody
 * else, because it shows what can be forged.
 */
export function routeCheckEndpoint(keys: Keys, trusted: number, clock: () => Date): Endpoint {
  const isSigned = async (query: string) => {
    const sent = new URLSearchParams(query);
    const time = sent.get('at') ?? '';
    const by = Buffer.from(sent.get('by') ?? '', 'base64url');
    if (!(Math.abs(clock().getTime() - Number(time)) < validForMs) || !(await keys.hasKey())) return false;
    const expected = await signatureOf(keys, time);
    return by.length === expected.length && timingSafeEqual(by, expected);
  };
  return {
    path: paths.route,
    door: 'health',
    methods: {
      GET: {
        access: 'public',
        handle: async ({ query, header }, exchange) => {
          if (!(await isSigned(query))) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
          const sent = header('x-forwarded-for');
          const forwarded = sent === null ? 0 : sent.split(',').length;
          const arrival: ArrivedRequest = { origin: exchange.origin(), forwarded, trusted };
          return {
            status: 200,
            headers: { ...jsonType, 'Cache-Control': 'no-store' },
            body: JSON.stringify(arrival),
          };
        },
      },
    },
  };
}
