import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { senderOf } from './address.js';

/** How many connections may be open at once in a process. */
export interface ConnectionLimits {
  readonly maxConnections: number;
  /** Of an address, as addresses are counted (address.ts); Infinity: any number. */
  readonly connectionsPerAddress: number;
}

/** Milliseconds in which connections that are too many are logged once. */
const logged = 10_000;

/** Logs the first of some that come one after the other. */
function sparsely(log: (details: object) => void): (details: object) => void {
  let until = 0;
  return (details) => {
    if (Date.now() < until) return;
    until = Date.now() + logged;
    log(details);
  };
}

/** Closes connections that are too many, before anything is read of them. */
export function limitConnections(
  server: Server,
  { maxConnections, connectionsPerAddress }: ConnectionLimits,
  log: Logger,
): void {
  const tooMany = sparsely((details) =>
    log.warn(details, 'Connections are refused: there are as many as MAX_CONNECTIONS allows'),
  );
  server.maxConnections = maxConnections;
  server.on('drop', () => tooMany({ connections: maxConnections }));
  if (connectionsPerAddress < maxConnections) limitAddresses(server, connectionsPerAddress, log);
}

function limitAddresses(server: Server, most: number, log: Logger): void {
  const open = new Map<string, number>();
  /** A connection that asked for another protocol in vain is told of again (upgrade.ts). */
  const counted = new WeakSet<Socket>();
  const tooMany = sparsely((details) =>
    log.warn(details, 'Connections are refused: an address has as many as CONNECTIONS_PER_ADDRESS allows'),
  );
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || counted.has(socket)) return;
    const address = senderOf(remoteAddress);
    const others = open.get(address) ?? 0;
    if (others >= most) {
      tooMany({ address, connections: most });
      socket.destroy();
      return;
    }
    counted.add(socket);
    open.set(address, others + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
