import { fileVariable } from './secret-files.js';
import { type Setting, table } from './table.js';

/** A setting with its current value. */
export interface SettingInForce {
  readonly name: string;
  /** Its value; in words if it is missing; never a secret. */
  readonly value: string;
  readonly source: 'environment' | '.env' | 'file' | 'default';
}

const hidden = '(set, not shown)';

/**
 * Lists all settings with their current values, in the order to show them.
 * @param fromFile names of the settings that come from a file
 */
export function settingsInForce(env: NodeJS.ProcessEnv, fromFile: ReadonlySet<string>): SettingInForce[] {
  return Object.entries(table as Record<string, Setting<unknown>>).map(([name, setting]) => {
    const text = env[name]?.trim();
    if (!text && setting.secret && env[fileVariable(name)]?.trim())
      return { name, value: hidden, source: 'file' };
    if (!text) return { name, value: setting.default ?? setting.otherwise ?? '', source: 'default' };
    const value = setting.secret ? hidden : text;
    return { name, value, source: fromFile.has(name) ? '.env' : 'environment' };
  });
}

/** Wraps a text into comment lines. */
function comment(text: string): string {
  return text.replace(/(.{1,108})(?: +|$)/g, '# $1\n').trimEnd();
}

/** Generates `.env.example`: every setting with its meaning and default, all commented out. */
export function envExample(): string {
  const head = comment(
    'Settings, read from the file .env in the working directory. Environment variables take precedence. ' +
      'To change a setting, remove the # before its name. A secret may also be in a file, which the name with _FILE ' +
      'at its end names.',
  );
  const parts = Object.entries(table as Record<string, Setting<unknown>>).map(([name, setting]) => {
    const standard = setting.default === undefined ? `\n# Default: ${setting.otherwise}.` : '';
    return `${comment(setting.description)}${standard}\n#${name}=${setting.default ?? ''}`;
  });
  return `${[head, ...parts].join('\n\n')}\n`;
}
