import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { paths } from '../../domain/doors/paths.js';
import { GatewayError, unauthorized } from '../../domain/errors.js';
import { bearerToken } from '../auth/auth.js';
import type { ReadHeader } from '../request/request.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';
import { expositionType } from './exposition.js';

/** Headers that proxies add to forwarded requests. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * Returns whether a request comes from this machine, as far as can be told. It must come from a loopback
 * address, without a proxy, and name a loopback host. Another host name may be a DNS rebinding attack by a
 * web page.
 */
export function isLocal(peer: string, headers: IncomingHttpHeaders): boolean {
  const { hostname } = new URL(`http://${headers.host ?? 'none'}`);
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    isLoopback(peer) &&
    (host === 'localhost' || isLoopback(host)) &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

function checkCaller(request: IncomingMessage, header: ReadHeader, token: string | undefined): void {
  if (token !== undefined) {
    const sent = bearerToken(header('authorization'));
    if (timingSafeEqual(sha256(sent), sha256(token))) return;
    throw unauthorized('The token is not that of METRICS_TOKEN.', 'invalid_token');
  }
  if (isLocal(request.socket.remoteAddress ?? '', request.headers)) return;
  throw new GatewayError('FORBIDDEN', 'Without METRICS_TOKEN, metrics can be read only from this machine.');
}

/**
 * Creates the endpoint `/metrics`, which Prometheus reads.
 * @param token allows reading from anywhere; without one, only this machine may
 * @param read returns the text
 */
export function metricsEndpoint(token: string | undefined, read: () => Promise<string>): Endpoint {
  const handle: Handle = async ({ header }, _exchange, { req }) => {
    checkCaller(req, header, token);
    const headers = { 'Content-Type': expositionType, 'Cache-Control': 'no-store' };
    return { status: 200, headers, body: await read() };
  };
  return {
    path: paths.metrics,
    door: 'metrics',
    methods: { GET: { access: 'public', work: 'unhindered', handle } },
  };
}
