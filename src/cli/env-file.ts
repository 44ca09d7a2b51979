import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/**
 * Loads an env file, like `node --env-file-if-exists` does. Existing variables take precedence.
 * @param options whether a missing file is an error; otherwise it is ignored
 * @returns the names of the variables from the file
 * @throws {Error} if the file cannot be read
 */
export function loadEnvFile(
  env: NodeJS.ProcessEnv,
  path: string,
  { mustExist = false } = {},
): ReadonlySet<string> {
  const added = Object.entries(parseEnv(read(path, mustExist))).filter(([name]) => env[name] === undefined);
  for (const [name, value] of added) env[name] = value;
  return new Set(added.map(([name]) => name));
}

function read(path: string, mustExist: boolean): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !mustExist) return '';
    throw new Error(`The settings in ${path} cannot be read: ${message}`, { cause });
  }
}
