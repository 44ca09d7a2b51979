// Writes the next migration: npm run migration -- <name>
import { relative } from 'node:path';
import { MIGRATIONS_FOLDER, MODELS_FOLDER } from './migrations.js';
import { writeMigration } from './schema-diff.js';

const name = process.argv[2] ?? '';
if (/^[a-z][a-z0-9_]{0,59}$/.test(name)) await write();
else finish(2, 'Name the migration in lower snake case, like this: npm run migration -- add_vehicle_color');

async function write(): Promise<void> {
  try {
    const folders = { models: MODELS_FOLDER, migrations: MIGRATIONS_FOLDER };
    const script = await writeMigration(name, { ...folders, now: new Date() });
    if (!script) return finish(0, 'Nothing changed in the models since the last migration.');
    finish(0, `Wrote ${relative(process.cwd(), script)}`);
    finish(0, "Review it: it may lose data, and it lacks what Prisma's language cannot say.");
  } catch (error) {
    finish(1, (error as Error).message);
  }
}

function finish(exitCode: number, text: string): void {
  process.exitCode = exitCode;
  (exitCode ? process.stderr : process.stdout).write(`${text}\n`);
}
