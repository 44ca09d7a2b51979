import { DatabaseClient } from '../hosts/client.js';
import { channel } from './announcer.js';

/** A connection that receives announcements. */
export interface Listener {
  /** Resolves if the connection is alive. Nothing else detects a network that silently drops packets. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that the server may take to answer. */
const checkTimeoutMs = 3_000;

/**
 * Connects and starts to listen.
 * @param onPayload is called with each notification
 * @param onLost is called once if the connection ends without having been closed
 * @throws {Error} if it cannot connect
 */
export async function openListener(
  url: string,
  onPayload: (payload: string) => void,
  onLost: (error: Error) => void,
): Promise<Listener> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'expiration-gateway-live',
    connectionTimeoutMillis: 5_000,
    query_timeout: checkTimeoutMs,
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
