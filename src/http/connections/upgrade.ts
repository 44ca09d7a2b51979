import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';

/** Another protocol that can take over connections. */
export interface OtherProtocol {
  /** Returns whether a request asks for this protocol with a valid head. */
  wants(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Creates server options that ignore an `Upgrade` to any other protocol (RFC 9110 §7.8). Java's HTTP client
 * and `curl --http2` ask for `h2c` with every first request, and Node would pass all of them to the upgrade
 * listener. Node before 22.21 and 24.9 lacks this option; see `handleUpgrades`.
 */
export function upgradeOptions({ wants }: Pick<OtherProtocol, 'wants'>): ServerOptions {
  const options: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
    shouldUpgradeCallback: wants,
  };
  return options;
}

/**
 * Hands connections over to the other protocol when they ask for it. On an older Node, it returns all other
 * requests to HTTP.
 * @param inTurn runs a callback once the connection's earlier requests are answered
 */
export function handleUpgrades(
  server: Server,
  { wants, take }: OtherProtocol,
  inTurn: (socket: Duplex, run: () => void) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    inTurn(socket, () => {
      if (socket.destroyed) return;
      if (wants(request)) return take(request, socket, head);
      socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
      server.emit('connection', socket);
    }),
  );
}

const ofUpgrades = /^(upgrade|http2-settings)$/i;

/** Rebuilds a request's head without its `Upgrade` header. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (ofUpgrades.test(name)) continue;
    const options = value.split(',').filter((option) => !ofUpgrades.test(option.trim()));
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? options.join(',') : value}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
