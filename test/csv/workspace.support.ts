import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import yauzl from 'yauzl';
import { startTeamExports } from '../../src/csv/start-jobs.js';
import { schema } from '../../src/graphql/schema.js';
import { eventually } from '../support/eventually.js';
import type { TestGateway } from '../support/gateway.js';

/** Starts a worker that exports workspaces. */
export const startExporting = ({ database, clock }: TestGateway, forgetMs = 20) =>
  startTeamExports({
    ...{ database, clock: () => clock.now, log: pino({ level: 'silent' }), pollMs: 20, forgetMs },
    loadSchema: async () => schema,
  });

/** Reads all files of a ZIP archive. */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const zip = await yauzl.fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks));
  }
  return files;
}

/** Reads the rows of a CSV file by their headers. */
export const rowsOf = (file: Buffer | undefined): Record<string, string>[] =>
  parse((file ?? Buffer.alloc(0)).toString(), { columns: true });

/** Hashes bytes as the manifest does. */
export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Waits until an export can be downloaded. */
export async function exported(gateway: TestGateway, id: string, token = gateway.admin) {
  return eventually(async () => {
    const { json } = await gateway.send('GET', `/v1/exports/${id}`, { token });
    if (json.state === 'running') throw new Error(`The export is ${json.state}.`);
    return json;
  });
}

/** Downloads an address without a token. */
export async function downloaded(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return { response, body: Buffer.from(await response.arrayBuffer()) };
}
