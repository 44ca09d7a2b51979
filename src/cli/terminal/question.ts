import { createInterface } from 'node:readline/promises';
import { GatewayError } from '../../domain/errors.js';
import type { Io } from './io.js';

/** A question to whoever sits at the terminal. */
interface Question {
  readonly text: string;
  /** Instructions for when nobody can be asked. */
  readonly otherwise: string;
}

/**
 * Asks a question at the terminal, and returns the answer.
 * @throws {GatewayError} BAD_REQUEST without a terminal
 */
export async function askQuestion(
  { stdin = process.stdin, stderr }: Io,
  { text, otherwise }: Question,
  signal?: AbortSignal,
): Promise<string> {
  if (!stdin.isTTY) throw new GatewayError('BAD_REQUEST', `Nobody can be asked here. ${otherwise}`);
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return await lines.question(text, { ...(signal && { signal }) });
  } finally {
    lines.close();
  }
}
