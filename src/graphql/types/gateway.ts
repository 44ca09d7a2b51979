import type { LastBackup } from '../../db/backup/last-backup.js';
import type { Session } from '../../db/connection/session.js';
import { endSilence } from '../../db/queue/loop.js';
import { type DatabaseHealth, type DiskSpace, readDatabaseHealth } from '../../db/server/health.js';
import type { WorkersState } from '../../domain/reminders/reasons.js';
import { logEvent } from '../../records/event-logs.js';
import { readWorkers } from '../../reminders/health.js';
import { checkRunsGateway } from '../../reminders/mail-server.js';
import { maxUploadsCounted, type QueueState, readUploadHealth } from '../../uploads/queue.js';
import { version } from '../../version.js';
import { builder } from '../builder.js';
import { healthOf, ReminderHealthType } from './reminders.js';

const WorkerHealthType = builder.objectRef<WorkersState>('WorkerHealth').implement({
  description: 'The state of the workers, which file uploads and send reminders.',
  fields: (t) => ({
    running: t.exposeInt('running', {
      description: 'The number of workers that reported within the last minute.',
    }),
    seenAt: t.expose('seenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a worker last reported that it is running. Null if none is known.',
    }),
  }),
});

const counted = `The count stops at ${maxUploadsCounted.toLocaleString('en')}.`;

const UploadHealthType = builder.objectRef<QueueState>('UploadHealth').implement({
  description: 'The state of uploads in the workspaces that the caller may see.',
  fields: (t) => ({
    waiting: t.exposeInt('queued', {
      description: `The number of uploads that are waiting to be filed or are being filed. ${counted}`,
    }),
    oldestAt: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: { formerName: 'oldest' },
      resolve: ({ oldest }) => oldest,
      description: 'When the oldest of these was received.',
    }),
    failed: t.exposeInt('failed', {
      description: `The number of uploads that could not be filed and need a person. ${counted}`,
    }),
  }),
});

const DiskSpaceType = builder.objectRef<DiskSpace>('DiskSpace').implement({
  description: 'The space of a disk, in bytes.',
  fields: (t) => ({
    free: t.expose('free', { type: 'BigInt', description: 'Free space.' }),
    total: t.expose('total', { type: 'BigInt', description: 'Total space.' }),
  }),
});

const DatabaseHealthType = builder.objectRef<DatabaseHealth>('DatabaseHealth').implement({
  description: 'The state of the database.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'The version of PostgreSQL.' }),
    latencyMs: t.exposeFloat('latencyMs', {
      description: 'The current response time of the database, in milliseconds.',
    }),
    size: t.expose('size', { type: 'BigInt', description: 'The size of the database on disk, in bytes.' }),
    disk: t.expose('disk', {
      type: DiskSpaceType,
      nullable: true,
      description:
        "Space on the database's disk. Null if the database runs on another machine or the gateway may not read it.",
    }),
  }),
});

const BackupType = builder.objectRef<LastBackup>('Backup').implement({
  description: 'A backup made by the command `backup`.',
  fields: (t) => ({
    finishedAt: t.expose('finishedAt', { type: 'DateTime', description: 'When it was finished.' }),
    size: t.expose('bytes', { type: 'BigInt', description: 'Its size in bytes.' }),
  }),
});

interface GatewayHealth {
  readonly workers: WorkersState;
  readonly uploads: QueueState;
  readonly database: DatabaseHealth;
}

const GatewayHealthType = builder.objectRef<GatewayHealth>('GatewayHealth').implement({
  description: 'The state of the gateway. See `reminderHealth` for reminders and mail.',
  fields: (t) => ({
    version: t.string({ description: 'The version of the gateway.', resolve: () => version }),
    workers: t.expose('workers', { type: WorkerHealthType, description: 'The state of the workers.' }),
    uploads: t.expose('uploads', {
      type: UploadHealthType,
      description: 'The state of the queue of uploads.',
    }),
    database: t.expose('database', { type: DatabaseHealthType, description: 'The state of the database.' }),
    lastBackup: t.field({
      type: BackupType,
      nullable: true,
      description:
        'The last backup made by the command `backup`, or null if there is none. The gateway does not know about backups made with other tools.',
      resolve: ({ database }) => database.lastBackup,
    }),
  }),
});

builder.queryField('gatewayHealth', (t) =>
  t.field({
    type: GatewayHealthType,
    nullable: true,
    description: 'Returns the state of the gateway, its workers and its database.',
    authScopes: { administer: true },
    resolve: async (_root, _args, { session }) => {
      const { database, now } = session;
      const [workers, uploads, health] = await Promise.all([
        readWorkers(database, now),
        readUploadHealth(session),
        readDatabaseHealth(database),
      ]);
      return { workers, uploads, database: health };
    },
  }),
);

/** Ends the silence for an administrator, with the event, if the database was silent. */
async function goLive(session: Session): Promise<void> {
  const { database, caller, now } = session;
  await checkRunsGateway(session, 'That decision');
  // Not in the caller's transaction: with row-level security, callers do not see the table.
  if (!(await endSilence(database))) return;
  const description = 'The restored database went live: what waited is sent';
  const about = { teamId: caller.user.teamId, entities: [], details: {} };
  await session.inTransaction((tx) =>
    logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about }),
  );
}

builder.mutationField('goLive', (t) =>
  t.field({
    type: ReminderHealthType,
    nullable: true,
    description:
      'Says that a database that was restored from a backup is the real one, and not a copy. From then on, the gateway sends what has been waiting. Otherwise it changes nothing. Only for the organization that set up the gateway.',
    authScopes: { administer: true },
    resolve: async (_root, _args, context) => {
      await goLive(context.session);
      return healthOf(context);
    },
  }),
);
