import { EventEmitter } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { runCommandLine } from '../../src/cli/run.js';

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
  /** The bytes on stdout so far. */
  bytes(): Buffer;
  readonly outcome: Promise<Outcome>;
}

/** What a command's streams are, where they are not the ends of pipes. */
export interface Streams {
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** Cells of a line of the terminal that stdout and stderr are. */
  readonly columns?: number;
}

function collector(columns: number | undefined) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const terminal = columns !== undefined && {
    isTTY: true,
    columns,
    hasColors: WriteStream.prototype.hasColors,
  };
  if (terminal) Object.assign(stream, terminal, { getColorDepth: WriteStream.prototype.getColorDepth });
  const bytes = () => Buffer.concat(chunks);
  return { stream, bytes, text: () => bytes().toString() };
}

/** Starts a command line in this process. */
export function start(env: NodeJS.ProcessEnv, ...argv: string[]): Running {
  return startWith({}, env, ...argv);
}

/** Starts a command line in this process, with streams of its own. */
export function startWith({ stdin, columns }: Streams, env: NodeJS.ProcessEnv, ...argv: string[]): Running {
  const [stdout, stderr] = [collector(columns), collector(columns)];
  const signals = new EventEmitter();
  const io = { env, stdout: stdout.stream, stderr: stderr.stream, signals, ...(stdin && { stdin }) };
  const outcome = runCommandLine(argv, io).then((exitCode) => ({
    exitCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
  }));
  return { signals, stdout: stdout.text, stderr: stderr.text, bytes: stdout.bytes, outcome };
}

/** Runs a command line in this process to its end. */
export function execute(env: NodeJS.ProcessEnv, ...argv: string[]): Promise<Outcome> {
  return start(env, ...argv).outcome;
}

/** Returns the one line of JSON that a command printed. */
export function jsonOf({ stdout }: Outcome) {
  const [line, ...rest] = stdout.split('\n');
  if (rest.join('') !== '' || line === undefined) throw new Error(`This is not one line: ${stdout}`);
  return JSON.parse(line);
}

/** Returns the lines of JSON that a command printed. */
export const linesOf = ({ stdout }: Outcome) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
