import { type Command, Option } from 'commander';
import { roles } from '../domain/roles.js';
import { parseRole } from './arguments.js';
import type { GlobalOptions } from './terminal/io.js';

/** Returns the options of a command and those of the program. */
export const all = <T extends GlobalOptions>(command: Command): T => command.optsWithGlobals<T>();

/** The option for one line of JSON. */
export const asJson = ['--json', 'print one line of JSON'] as const;

/** Creates the option of lists for plain lines. */
export const plain = () =>
  new Option('--plain', 'separate the columns with tabs, even at a terminal').conflicts('json');

/** Creates an option that takes a role. */
export const roleOption = (description: string) =>
  new Option('--role <role>', description)
    .choices(roles.map((role) => role.toLowerCase()))
    .argParser(parseRole);

/** The option that names an organization. */
export const inOrganization = ['--organization <id or name>', 'required if there are several'] as const;
