// Builds gateways that lack one of their own parts: copies of the sources with a simple stand-in for it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../../scripts/compile.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Replaces a text that occurs once in a file. */
const replacing = (from, to) => (text) => {
  if (text.split(from).length !== 2) throw new Error(`The sources do not have ${from} once.`);
  return text.replace(from, to);
};

const instead = (code) => () => code;

/** The parts that can be left out: their stand-ins, by the path below `src`. */
export const parts = {
  executor: {
    title: "graphql-js' executor in place of plans; without a plan there are no joins",
    edits: {
      'graphql/execution/execute.ts': instead(`
        import { execute as run, type ExecutionArgs } from 'graphql';
        export const execute = (args: ExecutionArgs) => run(args);
      `),
    },
  },
  tree: {
    title: 'a statement for each kind of linked records in place of one for all',
    edits: { 'graphql/execution/selection.ts': replacing('const maxJoins = 20;', 'const maxJoins = 0;') },
  },
  pipelining: {
    title: 'a packet and a wait for each statement',
    edits: {
      'db/connection/pipeline.ts': instead(`
        export type Send = (query: any) => Promise<any>;
        export function packTogether(_client: unknown): void {}
        export const createPipeline = (pool: any): Send => (query) => pool.query(query);
      `),
    },
  },
  'rare-terms': {
    title: 'searches by conditions alone',
    edits: {
      'db/sql/rare-terms.ts': instead(`
        export const narrowByRareTerm = async (_session: unknown, _model: unknown, where: any) => where;
      `),
    },
  },
  batches: {
    title: 'tokens looked up, and uploads stored, one by one',
    edits: {
      'domain/collections.ts': instead(`
        export const inBatches = (_largest: number, work: any, ..._how: unknown[]) =>
          async (item: unknown): Promise<any> => (await work([item]))[0];
      `),
    },
  },
};

/**
 * Builds a gateway without a part.
 * @returns the program, and how to remove it
 */
export async function buildWithout(part) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-without-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const name of ['node_modules', 'package.json', 'prisma', 'public', 'schema']) {
      symlinkSync(join(root, name), join(folder, name));
    }
    for (const [path, edit] of Object.entries(parts[part].edits)) {
      const file = join(folder, 'src', path);
      writeFileSync(file, edit(readFileSync(file, 'utf8')));
    }
    mkdirSync(join(folder, 'dist'));
    await compile(join(folder, 'src'), join(folder, 'dist'));
    return { program: join(folder, 'dist', 'main.js'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
