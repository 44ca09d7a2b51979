// A database with the measured data, and what peers need to know and have in it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ownerIn, seed } from './data.mjs';
import { startDatabase, startGateway } from './gateway.mjs';
import { persisted } from './requests.mjs';

const functions = new URL('../peers/postgraphile.sql', import.meta.url);

/**
 * Creates it; the gateway migrates it.
 * @param sizes numbers of records, if not the usual ones
 */
export async function prepare(sizes) {
  const database = await startDatabase();
  try {
    const gateway = await startGateway(database, { WORKER: 'off' });
    await gateway.close();
    const size = await seed(database.url, sizes);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const owner = await ownerIn(client);
    await client.query(readFileSync(functions, 'utf8'));
    await client.end();
    const operations = join(database.folder, 'operations');
    mkdirSync(operations);
    writeFileSync(join(operations, 'manifest.json'), JSON.stringify(persisted));
    return { ...database, owner, size };
  } catch (error) {
    await database.close();
    throw error;
  }
}
