import { unknownSettings } from '../config/parse.js';
import type { Log } from '../domain/log.js';

/** Warns about environment variables that look like misspelt settings. */
export function warnOfUnknown(env: NodeJS.ProcessEnv, log: Log): void {
  for (const { name, meant } of unknownSettings(env)) {
    log.warn({ setting: name, meant }, `${name} is not a setting and has no effect; did you mean ${meant}?`);
  }
}
