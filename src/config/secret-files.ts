import { readFileSync } from 'node:fs';
import { type Setting, table } from './table.js';

/** Secrets that may be in a file, which a variable with this ending names. */
export const secretNames: readonly string[] = Object.entries(
  table as Record<string, Setting<unknown>>,
).flatMap(([name, { secret }]) => (secret ? name : []));

/** Returns the variable that names the file of a secret, as containers' secrets are given. */
export const fileVariable = (name: string) => `${name}_FILE`;

/** The environment with secrets from files. */
interface WithSecrets {
  readonly env: NodeJS.ProcessEnv;
  /** One line for each file that gives no secret. */
  readonly problems: readonly string[];
}

/**
 * Reads the secrets whose variables name a file, such as `SECRET_KEY_FILE=/run/secrets/key`. White space around
 * a secret is not part of it.
 */
export function readSecretFiles(env: NodeJS.ProcessEnv): WithSecrets {
  const found: NodeJS.ProcessEnv = {};
  const problems: string[] = [];
  for (const name of secretNames) {
    const variable = fileVariable(name);
    const path = env[variable]?.trim();
    if (!path) continue;
    const problem = (expected: string) =>
      problems.push(`${variable} ${JSON.stringify(path)}: expected ${expected}`);
    if (env[name]?.trim()) {
      problem(`${name} not to be set as well`);
      continue;
    }
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (text) found[name] = text;
      else problem('a file with the secret, but it is empty');
    } catch (error) {
      problem(`a file that can be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { env: { ...env, ...found }, problems };
}
