import type { Readable } from 'node:stream';
import { GatewayError } from '../../domain/errors.js';
import type { Io } from './io.js';

/**
 * Returns the input stream of a command.
 * @throws {GatewayError} BAD_REQUEST at a terminal, where it would wait for somebody to type
 */
export function input({ stdin = process.stdin }: Io): Readable {
  if (!stdin.isTTY) return stdin;
  throw new GatewayError(
    'BAD_REQUEST',
    '- reads stdin, which is a terminal: pipe or redirect something into it.',
  );
}
