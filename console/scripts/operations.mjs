import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../operations/', import.meta.url);
const documents = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
const manifest = documents.map((text) => [createHash('sha256').update(text).digest('hex'), text]);
writeFileSync(
  new URL('../../dist/console/operations.json', import.meta.url),
  JSON.stringify(Object.fromEntries(manifest)),
);
