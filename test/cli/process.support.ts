import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Lines } from '../support/lines.js';

/** A gateway in processes of its own. */
export interface ServeProcess {
  readonly child: ChildProcess;
  /** Everything on stdout so far, the log included. */
  stdout(): string;
  stderr(): string;
  /** Lines of the log so far. */
  log(): Record<string, unknown>[];
  /** Waits for a line with this message, at this place among those that have it. */
  line(msg: string, at?: number): Promise<Record<string, unknown>>;
  /** Resolves with its exit status. */
  readonly exited: Promise<number | null>;
}

/** Starts `serve`, compiled, as a process. */
export function serveProcess(program: string, env: Record<string, string>): ServeProcess {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, PORT: '0', DEMO_DATA: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors] = [new Lines(), new Lines()];
  child.stdout.pipe(out);
  child.stderr.pipe(errors);
  const log = () =>
    out.text
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const exited = once(child, 'exit').then(([status]) => status as number | null);
  return {
    child,
    stdout: () => out.text,
    stderr: () => errors.text,
    log,
    exited,
    async line(msg, at = 0) {
      const find = () => log().filter((line) => line.msg === msg)[at];
      while (!find()) {
        const ended = await Promise.race([exited.then(() => true), once(out, 'line').then(() => false)]);
        if (ended && !find()) throw new Error(`It ended without "${msg}": ${out.text}${errors.text}`);
      }
      return find();
    },
  };
}

/** Returns a request on a connection of its own, which is another worker's than the one before. */
export function call(
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    };
    const sent = request(url, options, resolve);
    sent.on('error', reject).end(body);
  });
}

/** Returns the text of an answer. */
export async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) text += part;
  return text;
}
