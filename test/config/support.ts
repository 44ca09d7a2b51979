import { readConfig } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/parse.js';

/** Returns the problems of settings; empty if they are valid. */
export function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
