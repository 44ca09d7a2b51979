import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes a connection over for another protocol, or answers false. */
export type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Offers the connections that ask for another protocol. Where the offer is not taken, the request is answered as if
 * it had not asked (RFC 9110 §7.8): Java's HTTP client and `curl --http2` ask for `h2c` with every first request,
 * and Node, once there is a listener for upgrades, leaves all of them to it.
 */
export function handleUpgrades(server: Server, takeOver: TakeOver): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (takeOver(request, socket, head)) return;
    socket.unshift(Buffer.concat([Buffer.from(plainHead(request), 'latin1'), head]));
    server.emit('connection', socket);
  });
}

const ofUpgrades = /^(upgrade|http2-settings)$/i;

/** The head of a request, as it was sent but for the wish of another protocol. */
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
