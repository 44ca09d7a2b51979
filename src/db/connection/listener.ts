import pg from 'pg';
import { channel } from './announcer.js';

/** A connection on which announcements are heard. */
export interface Listener {
  /** Resolves when the connection is alive. Nothing else tells of a network that lets packets vanish. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that the server may take to answer. */
const patience = 3_000;

/**
 * Connects, and listens.
 * @param onPayload told of each notification
 * @param onLost told once when the connection ends without having been closed
 * @throws {Error} when there is no connection to be had
 */
export async function openListener(
  url: string,
  onPayload: (payload: string) => void,
  onLost: (error: Error) => void,
): Promise<Listener> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'expiration-gateway-live',
    connectionTimeoutMillis: 5_000,
    query_timeout: patience,
    keepAlive: true,
  });
  let open = false;
  const lose = (error: Error) => {
    if (!open) return;
    open = false;
    onLost(error);
  };
  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection that listens has ended.')));
  client.on('notification', ({ payload = '' }) => onPayload(payload));
  const end = async () => {
    open = false;
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    open = true;
  } catch (error) {
    await end();
    throw error;
  }
  return { check: async () => void (await client.query('SELECT 1')), close: end };
}
