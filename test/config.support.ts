import { readConfig } from '../src/config/config.js';
import { ConfigError } from '../src/config/parse.js';

/** What is wrong with settings, in words; nothing when they can be read. */
export function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
