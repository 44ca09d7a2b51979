import { once } from 'node:events';
import { createServer } from 'node:net';

/** An address to listen on, and the setting of its port. */
export interface ListeningAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly setting: 'PORT' | 'METRICS_PORT';
}

/** Explains an error of listening by the setting to change. Other errors stay as they are. */
export function explainListening(error: unknown, { host, port, setting }: ListeningAddress): unknown {
  const sentences: Record<string, string> = {
    EADDRINUSE: `${setting} ${port} is taken on ${host}: set ${setting} to another port, or stop what listens there.`,
    EACCES: `This user may not use ${setting} ${port}: set ${setting} to 1024 or more.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: set HOST to one, or to 0.0.0.0 for all.`,
    ENOTFOUND: `This machine cannot resolve HOST ${host}: set HOST to an address.`,
    EAI_AGAIN: `This machine cannot resolve HOST ${host}: set HOST to an address.`,
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  const sentence = sentences[code];
  return sentence ? new Error(`${sentence} (${code})`, { cause: error }) : error;
}

/**
 * Checks that a port is free, before anything is started for it.
 * @throws {Error} naming the setting, with instructions
 */
export async function checkListening(place: ListeningAddress): Promise<void> {
  if (place.port === 0) return;
  const server = createServer((socket) => socket.destroy());
  server.listen({ host: place.host, port: place.port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw explainListening(error, place);
  }
  server.close();
  await once(server, 'close');
}
