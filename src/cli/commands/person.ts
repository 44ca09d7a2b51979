import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Database } from '../../db/connection/database.js';
import { GatewayError } from '../../domain/errors.js';
import { erasePerson, type PersonalData, type PersonalWork } from '../../personal-data/erase.js';
import { exportPerson } from '../../personal-data/export.js';
import { findPerson, type Person } from '../../personal-data/person.js';
import { findOrganization, operatorOf } from '../../setup/accounts.js';
import { withDatabase } from '../database.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { askQuestion, type Io, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { type Column, printTable } from '../terminal/table.js';

interface PersonOptions extends ReportOptions {
  readonly organization?: string;
}

interface ExportPersonOptions extends PersonOptions {
  /** True to replace an existing file. */
  readonly force?: boolean;
}

interface ErasePersonOptions extends PersonOptions {
  /** True to do it without a question. */
  readonly yes?: boolean;
}

/** Finds a person in an organization, with the caller for the work on it. */
async function workOn(database: Database, idOrEmail: string, { organization }: PersonOptions) {
  const { id } = await findOrganization(database, organization);
  const person = await findPerson(database, id, idOrEmail);
  const work: PersonalWork = { database, caller: await operatorOf(database, id), now: new Date() };
  return { work, person };
}

/** Writes everything of a person to a ZIP file. */
export async function exportPersonCommand(
  io: Io,
  idOrEmail: string,
  file: string,
  options: ExportPersonOptions,
): Promise<void> {
  const config = readSettings(io.env, 'person export');
  const toStdout = file === '-';
  if (toStdout && io.stdout.isTTY)
    throw new GatewayError(
      'BAD_REQUEST',
      '- writes a ZIP file to stdout, which is a terminal: name a file, or redirect it.',
    );
  await withAbort(io.signals ?? process, 'no file was written', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database }) => {
      const { work, person } = await workOn(database, idOrEmail, options);
      const pipe = new PassThrough();
      const target = toStdout
        ? io.stdout
        : createWriteStream(file, { flags: options.force ? 'w' : 'wx', mode: 0o600 });
      const written = pipeline(pipe, target, { end: !toStdout, signal });
      const making = exportPerson(work, person, pipe, signal).then(
        () => pipe.end(),
        (error: Error) => pipe.destroy(error),
      );
      try {
        await Promise.all([written, making]);
      } catch (error) {
        if (!toStdout && (error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true });
        throw error;
      }
      const told = toStdout ? { env: io.env, stdout: io.stderr, stderr: io.stderr } : io;
      await report(
        told,
        options,
        { file, ...idsOf(person) },
        `Exported everything of the person to ${toStdout ? 'stdout' : file}.`,
      );
    }),
  );
}

const idsOf = ({ contact, userId }: Person) => ({ contactId: contact?.id ?? null, userId: userId ?? null });

/** Erases a person, and lists what somebody has to decide about. */
export async function erasePersonCommand(
  io: Io,
  idOrEmail: string,
  options: ErasePersonOptions,
): Promise<void> {
  const config = readSettings(io.env, 'person erase');
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const { work, person } = await workOn(database, idOrEmail, options);
    await confirm(io, options, person);
    const erased = await erasePerson(work, person);
    if (options.json) return print(io.stdout, JSON.stringify(erased));
    await report(io, options, erased, textOf(erased));
    if (erased.mentions.length > 0 && !options.quiet)
      await printTable(io, options, { rows: erased.mentions, columns, empty: '' });
  });
}

function textOf({ erased, mentions, hasMore }: PersonalData): string {
  const rest =
    mentions.length === 0
      ? 'Nothing that people wrote mentions the person.'
      : 'Somebody has to decide about these:';
  return `Erased the person; ${erased} other rows were changed. ${rest}${hasMore ? ' There are more.' : ''}`;
}

const columns: Column<PersonalData['mentions'][number]>[] = [
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'ID', cell: ({ id }) => id, isKey: true },
  { title: 'FIELD', cell: ({ field }) => field },
  { title: 'TEXT', cell: ({ excerpt }) => excerpt ?? 'a document' },
];

/** Asks whether to go on. @throws GatewayError BAD_REQUEST unless the answer is yes */
async function confirm(
  io: Io,
  { yes }: ErasePersonOptions,
  { contact, userId, values }: Person,
): Promise<void> {
  if (yes) return;
  const who = [contact && 'contact', userId && 'user'].filter(Boolean).join(' and ') || 'deleted contact';
  const called = values.emails.join(', ') || values.ids.join(', ');
  const what = `This erases the ${who} ${called} permanently, in everything that the gateway writes.`;
  const answer = await askQuestion(io, {
    text: `${what}\nType yes to go on: `,
    otherwise: `${what} To do that, add --yes.`,
  });
  if (answer.trim().toLowerCase() !== 'yes')
    throw new GatewayError('BAD_REQUEST', 'That is not yes. Nothing was changed.');
}
