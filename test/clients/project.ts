import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const rootModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const clientModules = fileURLToPath(new URL('node_modules', import.meta.url));

/** As in a front end's project; what a tool generates may leave the endings of imported files out. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/** The compiler's complaint about a line, counted from 0. */
export interface Complaint {
  readonly line: number | undefined;
  readonly message: string;
}

/** A client's project, in a folder of its own, with the dependencies that this package has. */
export interface Project {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Compiles files, and what they import, for `complaints`. */
  compile(names: readonly string[]): void;
  complaints(name: string): Complaint[];
  /** Runs a file; what it exports. */
  // biome-ignore lint/suspicious/noExplicitAny: the project's own compiler knows the types, this one does not.
  run(name: string): Promise<any>;
  remove(): Promise<void>;
}

/** Returns a source beside these tests, which only a client's project can compile. */
export function source(name: string): Promise<string> {
  return readFile(new URL(`${name}.ts.txt`, import.meta.url), 'utf8');
}

/**
 * Creates a project.
 * @param modules the folder with its packages, if not those of these tests and of the gateway
 */
export async function createProject(modules = clientModules): Promise<Project> {
  const outer = await mkdtemp(join(tmpdir(), 'client-'));
  const folder = join(outer, 'project');
  await mkdir(folder);
  if (modules === clientModules) await symlink(rootModules, join(outer, 'node_modules'), 'junction');
  await symlink(modules, join(folder, 'node_modules'), 'junction');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  let compiled: ts.Program | undefined;
  return {
    folder,
    write: async (files) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    compile: (names) => {
      compiled = ts.createProgram(
        names.map((name) => join(folder, name)),
        options,
      );
    },
    complaints: (name) => {
      const file = compiled?.getSourceFile(join(folder, name));
      if (!compiled || !file) throw new Error(`${name} is not compiled.`);
      return ts.getPreEmitDiagnostics(compiled, file).map(({ file, start = 0, messageText }) => ({
        line: file?.getLineAndCharacterOfPosition(start).line,
        message: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }));
    },
    run: (name) => import(join(folder, name)),
    remove: () => rm(outer, { recursive: true, force: true }),
  };
}
