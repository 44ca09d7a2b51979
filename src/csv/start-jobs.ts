import type { GraphQLSchema } from 'graphql';
import { onlyWhen, startLoop } from '../db/queue/loop.js';
import {
  type Attempt,
  type Claim,
  postponeJob,
  type QueueWorkerSettings,
  Stopped,
  startQueueWorker,
} from '../db/queue/queue.js';
import { refreshStatistics } from '../db/sql/statistics.js';
import { type ClaimedExport, claimExports, failExport, forgetExports } from '../exports/exports.js';
import { wholeWorkspace } from '../imports/options.js';
import { type ClaimedImport, claimImports, forgetImports, settleFailure } from '../imports/queue.js';
import { CsvExporter } from './export.js';
import { type ImportOutcome, type ImportWork, processImport } from './import/process.js';
import { undoList } from './import/undo.js';
import { type ExportOutcome, maxJobAttempts, processExport } from './workspace/export-team.js';
import { importTeam } from './workspace/import-team.js';

/** Milliseconds until a job is tried again after a failure. */
const retryMs = 5_000;

interface JobOptions extends QueueWorkerSettings {
  /** Loads the schema, which only the first job needs. */
  readonly loadSchema: () => Promise<GraphQLSchema>;
  /** Milliseconds between two deletions of old jobs, if not the usual ones. */
  readonly forgetMs?: number;
}

/** Imports or exports, which are tried several times. */
interface RetriedJobs<Job extends Attempt, Outcome> {
  readonly table: 'imports' | 'team_exports';
  /** Words of the log. */
  readonly words: { readonly job: string; readonly again: string; readonly old: string };
  readonly claim: (claim: Claim) => Promise<Job[]>;
  readonly run: (job: Job, signal: AbortSignal) => Promise<Outcome>;
  /** Stores why a job is not tried again. */
  readonly giveUp: (job: Job, reason: string) => Promise<unknown>;
  /** Deletes old jobs. */
  readonly forget: () => Promise<unknown>;
  readonly forgetMs: number;
}

/**
 * Starts doing jobs, which are tried again after a failure, and deleting old ones.
 * @returns a function that stops it
 */
function startJobs<Job extends Attempt, Outcome>(
  options: JobOptions,
  { table, words, claim, run, giveUp, forget, forgetMs }: RetriedJobs<Job, Outcome>,
): () => Promise<void> {
  const { database, clock, log } = options;
  const { job: noun, again, old } = words;
  const processing = startQueueWorker<Job, Outcome | 'failed' | 'retried'>({
    concurrency: 2,
    ...options,
    ...{ table, jobs: `${noun}s`, unstored: 'retried', claim },
    async work(job, signal, keep) {
      try {
        return await run(job, signal);
      } catch (error) {
        if (error instanceof Stopped) {
          await keep(() => postponeJob(database, table, job, clock()));
        } else if (job.attempts >= maxJobAttempts) {
          log.error({ err: error, id: job.id }, `an ${noun} was given up`);
          const why = 'Something went wrong in the service; the details are in its log.';
          await keep(() => giveUp(job, why));
          return 'failed';
        } else {
          log.warn({ err: error, id: job.id }, `an ${noun} is ${again} later`);
          await keep(() => postponeJob(database, table, job, new Date(clock().getTime() + retryMs)));
        }
        return 'retried';
      }
    },
  });
  const forgetting = startLoop(onlyWhen(options.isSure, forget), options.forgetMs ?? forgetMs, (error) =>
    log.warn({ reason: error.message }, `${old} ${noun}s cannot be deleted`),
  );
  return async () => {
    await processing.stop();
    await forgetting.stop();
  };
}

/** Previews an import, writes it, or takes it back. */
function runImport(work: ImportWork, claimed: ClaimedImport, signal: AbortSignal): Promise<ImportOutcome> {
  const { kind } = claimed;
  if (kind === wholeWorkspace) return importTeam(work, claimed, signal);
  if (claimed.state === 'UNDOING') return undoList(work, { ...claimed, kind }, signal);
  return processImport(work, claimed, signal);
}

/**
 * Starts processing imports. Any number of workers can do so: each import has one at a time, and continues
 * with the next batch if it dies.
 * @returns a function that stops it
 */
export function startImports(options: JobOptions): () => Promise<void> {
  const { database, clock, log, loadSchema } = options;
  return startJobs<ClaimedImport, ImportOutcome>(options, {
    table: 'imports',
    words: { job: 'import', again: 'continued', old: 'old' },
    claim: (claim) => claimImports(database, claim),
    async run(claimed, signal) {
      const processing = { database, clock, schema: await loadSchema() };
      const outcome = await runImport(processing, claimed, signal);
      if (claimed.state !== 'READING')
        await refreshStatistics(database, signal).catch(({ message }: Error) =>
          log.warn({ reason: message }, 'statistics are not collected after an import'),
        );
      return outcome;
    },
    giveUp: (claimed, reason) => settleFailure(database, claimed, reason),
    forget: () => forgetImports(database, clock()),
    forgetMs: 3_600_000,
  });
}

/**
 * Starts exporting workspaces. Any number of workers can do so: each export has one at a time, and another
 * one begins it anew if that one dies.
 * @returns a function that stops it
 */
export function startTeamExports(options: JobOptions): () => Promise<void> {
  const { database, clock, loadSchema } = options;
  let exporter: CsvExporter | undefined;
  return startJobs<ClaimedExport, ExportOutcome>(options, {
    table: 'team_exports',
    words: { job: 'export', again: 'made anew', old: 'expired' },
    claim: (claim) => claimExports(database, claim),
    async run(claimed, signal) {
      exporter ??= new CsvExporter(await loadSchema());
      return processExport({ database, clock, exporter }, claimed, signal);
    },
    giveUp: (claimed, reason) => failExport(database, claimed, reason, clock()),
    forget: () => forgetExports(database, clock()),
    forgetMs: 600_000,
  });
}
