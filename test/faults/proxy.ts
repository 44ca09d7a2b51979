import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection of a gateway to its database, as the proxy sees it. */
export interface Link {
  /** Returns all that the gateway has sent over it so far, as text. */
  readonly sent: () => string;
  /** Ends it on both sides at once. */
  cut(): void;
}

/** What looks at each piece that comes over a link, and may keep it from going on. */
export interface Tap {
  /** Told of what the gateway sends; false: it goes no further. */
  readonly request?: (piece: string, link: Link) => boolean;
  /** Told of what the database answers; false: it goes no further; a text: that is passed on in its place. */
  readonly answer?: (piece: string, link: Link) => boolean | string;
}

/** Something between gateways and their database. */
export interface DatabaseProxy {
  /** The connection string by which gateways come through it. */
  readonly url: string;
  /** What looks at what comes through; nobody at first. */
  tap: Tap;
  close(): Promise<void>;
}

/**
 * What PostgreSQL says when a transaction is committed: the message CommandComplete (PostgreSQL's documentation,
 * section 55.7), its length included.
 */
export const committed = 'C\0\0\0\x0bCOMMIT\0';

/** What PostgreSQL says when it is ready for a statement outside a transaction: the message ReadyForQuery. */
export const ready = 'Z\0\0\0\x05I';

/** What PostgreSQL says when an administrator ends a session: the message ErrorResponse with SQLSTATE 57P01. */
export const sessionEnded = (() => {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  return `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`;
})();

/** Puts a proxy before a database. */
export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy: { tap: Tap } = { tap: {} };

  function join(near: Socket): void {
    const far = connect(Number(target.port), target.hostname);
    let sent = '';
    const link: Link = {
      sent: () => sent,
      cut: () => {
        near.destroy();
        far.destroy();
      },
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', link.cut);
      socket.on('close', () => {
        sockets.delete(socket);
        link.cut();
      });
    }
    near.on('data', (bytes) => {
      // Latin 1 has a character for each byte.
      const piece = bytes.toString('latin1');
      sent += piece;
      if (proxy.tap.request?.(piece, link) ?? true) far.write(bytes);
    });
    far.on('data', (bytes) => {
      const passed = proxy.tap.answer?.(bytes.toString('latin1'), link) ?? true;
      if (passed !== false) near.write(passed === true ? bytes : Buffer.from(passed, 'latin1'));
    });
  }

  const server = createServer(join);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return Object.assign(proxy, {
    url: url.href,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  });
}
