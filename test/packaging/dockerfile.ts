import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from '../support/folders.js';
import { environment, project } from './support.js';

/** One instruction of a Dockerfile. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage that was built: its file system below a folder, and what it says of a container. */
export interface Image {
  readonly root: string;
  readonly workdir: string;
  readonly env: Record<string, string>;
  readonly said: Record<string, string>;
}

/** Called after each step with the folder that it worked in. */
type OnStep = (text: string, folder: string) => Promise<void>;

/** Reads the instructions: comments left out, continued lines joined. */
export function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.replace(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return lines.split('\n').flatMap((line) => {
    const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, text }];
  });
}

/** Splits the instructions by stages: the name of each, what it begins with, and its steps. */
function stagesOf(instructions: Instruction[]) {
  const stages = new Map<string, { base: string; steps: Instruction[] }>();
  let steps: Instruction[] = [];
  for (const instruction of instructions) {
    const [, base = '', stage = ''] = /^(\S+) AS (\S+)$/.exec(instruction.text) ?? [];
    if (instruction.name !== 'FROM') steps.push(instruction);
    else {
      steps = [];
      stages.set(stage, { base, steps });
    }
  }
  return stages;
}

/**
 * Replays a Dockerfile's steps in folders, without a container engine: with this Node.js, as this user.
 * @param context the folder that COPY takes files from
 * @returns builds a stage by its name, and those that it needs, each once
 */
export function replay(
  dockerfile: string,
  context: string,
  onStep: OnStep,
): (stage: string) => Promise<Image> {
  const stages = stagesOf(instructionsOf(dockerfile));
  const built = new Map<string, Promise<Image>>();
  const build = (name: string): Promise<Image> => {
    const image = built.get(name) ?? buildStage(name);
    built.set(name, image);
    return image;
  };

  async function buildStage(name: string): Promise<Image> {
    const { base = '', steps = [] } = stages.get(name) ?? {};
    const before = stages.has(base) ? await build(base) : undefined;
    const root = await tempFolder(0o755);
    if (before) await cp(before.root, root, { recursive: true, verbatimSymlinks: true });
    let image: Image = { workdir: '/', env: {}, said: {}, ...before, root };
    for (const step of steps) {
      image = await take(image, step);
      await onStep(`${name}: ${step.name} ${step.text}`, join(image.root, image.workdir));
    }
    return image;
  }

  async function take(image: Image, { name, text }: Instruction): Promise<Image> {
    const { root, workdir, env, said } = image;
    if (name === 'WORKDIR') {
      await mkdir(join(root, text), { recursive: true });
      return { ...image, workdir: text };
    }
    if (name === 'COPY') await copy(image, text.split(' '));
    if (name === 'RUN') await runStep(image, text);
    if (name !== 'ENV') return { ...image, said: { ...said, [name]: text } };
    const settings = text.split(' ').map((setting) => setting.split('='));
    return { ...image, workdir, env: { ...env, ...Object.fromEntries(settings) } };
  }

  async function copy({ root, workdir }: Image, words: string[]): Promise<void> {
    const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
    const target = words.pop() ?? '';
    // Another image's files are there in an image alone.
    if (from !== undefined && stages.get(from)?.steps.length === 0) return;
    const source = from === undefined ? context : (await build(from)).root;
    for (const path of words) {
      const into = target.endsWith('/') && path !== '.' ? join(target, basename(path)) : target;
      if (!existsSync(join(source, path))) throw new Error(`COPY finds no ${path}`);
      await cp(join(source, path), join(root, workdir, into), { recursive: true, verbatimSymlinks: true });
    }
  }

  /** Its absolute paths are below the stage's folder; the image's user is this one. */
  async function runStep({ root, workdir, env }: Image, command: string): Promise<void> {
    // All packages are there already: these tests run on them.
    if (command === 'npm ci')
      return symlink(join(project, 'node_modules'), join(root, workdir, 'node_modules'));
    // Debian's packages are installed in an image alone.
    if (/\bapt-get\b/.test(command)) return;
    const here = command
      .replaceAll(' /data', ` ${root}/data`)
      .replaceAll('node:node', `${process.getuid?.()}`);
    const options = { cwd: join(root, workdir), env: { ...environment, ...env }, maxBuffer: 1e8 };
    await promisify(execFile)('sh', ['-c', here], options);
  }

  return build;
}
