import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { run } from '../../src/cli/run.js';

/** What a command line came to. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line at work. */
export interface Running {
  readonly signals: EventEmitter;
  /** What is on stdout so far. */
  stdout(): string;
  /** What is on stderr so far. */
  stderr(): string;
  readonly outcome: Promise<Outcome>;
}

function collector() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/** Starts a command line in this process. */
export function start(env: NodeJS.ProcessEnv, ...argv: string[]): Running {
  const [stdout, stderr] = [collector(), collector()];
  const signals = new EventEmitter();
  const outcome = run(argv, { env, stdout: stdout.stream, stderr: stderr.stream, signals }).then(
    (exitCode) => ({
      exitCode,
      stdout: stdout.text(),
      stderr: stderr.text(),
    }),
  );
  return { signals, stdout: stdout.text, stderr: stderr.text, outcome };
}

/** Runs a command line in this process to its end. */
export function execute(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Outcome> {
  return start(env, ...argv).outcome;
}

/** The one line of JSON that a command printed. */
export function jsonOf({ stdout }: Outcome) {
  const [line, ...rest] = stdout.split('\n');
  if (rest.join('') !== '' || line === undefined) throw new Error(`This is not one line: ${stdout}`);
  return JSON.parse(line);
}
