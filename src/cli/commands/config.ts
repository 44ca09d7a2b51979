import { readConfig } from '../../config/config.js';
import { settingsInForce } from '../../config/in-force.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { warnOfUnknown } from '../unknown.js';

/**
 * Prints the current settings and their sources; secrets are hidden.
 * @throws {ConfigError} for invalid settings, after they are printed
 */
export async function configCommand(io: Io, options: ReportOptions): Promise<void> {
  const settings = settingsInForce(io.env, io.fromFile ?? new Set());
  const width = (key: 'name' | 'source') => Math.max(...settings.map((setting) => setting[key].length)) + 2;
  const [names, sources] = [width('name'), width('source')];
  const lines = settings.map(
    ({ name, value, source }) => `${name.padEnd(names)}${source.padEnd(sources)}${value}`,
  );
  // Print it even with --quiet, because it was asked for.
  await report(io, { ...options, quiet: false }, settings, lines.join('\n'));
  warnOfUnknown(io.env, quietLog(io, options));
  readConfig(io.env);
}
