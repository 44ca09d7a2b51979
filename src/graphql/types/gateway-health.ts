import {
  type DatabaseHealth,
  type DiskSpace,
  type LastBackup,
  readDatabaseHealth,
} from '../../db/server/health.js';
import type { WorkersState } from '../../domain/reminders/obstacle.js';
import { readWorkers } from '../../reminders/workers.js';
import { readUploadHealth } from '../../uploads/health.js';
import { mostUploadsCounted, type QueueState } from '../../uploads/queue.js';
import { version } from '../../version.js';
import { builder } from '../builder.js';

const WorkerHealthType = builder.objectRef<WorkersState>('WorkerHealth').implement({
  description: 'State of the workers, which file uploads and send reminders.',
  fields: (t) => ({
    running: t.exposeInt('running', { description: 'Workers that have reported within the last minute.' }),
    seenAt: t.expose('seenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a worker last reported that it runs; null when none is known.',
    }),
  }),
});

const counted = `They are counted up to ${mostUploadsCounted.toLocaleString('en')}.`;

const UploadHealthType = builder.objectRef<QueueState>('UploadHealth').implement({
  description: 'State of the uploads in the workspaces that the caller sees.',
  fields: (t) => ({
    waiting: t.exposeInt('queued', {
      description: `Uploads that wait to be filed, or are being filed. ${counted}`,
    }),
    oldest: t.expose('oldest', {
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest of them was received.',
    }),
    failed: t.exposeInt('failed', {
      description: `Uploads that could not be filed, and wait for a person. ${counted}`,
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
  description: 'State of the database.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'The version of PostgreSQL.' }),
    latencyMs: t.exposeFloat('latencyMs', { description: 'Milliseconds that an answer took just now.' }),
    size: t.expose('size', { type: 'BigInt', description: 'Bytes that it takes on disk.' }),
    disk: t.expose('disk', {
      type: DiskSpaceType,
      nullable: true,
      description:
        'Space on its disk; null when the database is on another machine than the gateway, or the gateway may not see it.',
    }),
  }),
});

const BackupType = builder.objectRef<LastBackup>('Backup').implement({
  description: 'A backup that the command `backup` has made.',
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
  description: 'State of the gateway. That of reminders and mail is in `reminderHealth`.',
  fields: (t) => ({
    version: t.string({ description: 'The version of the gateway.', resolve: () => version }),
    workers: t.expose('workers', { type: WorkerHealthType, description: 'Its workers.' }),
    uploads: t.expose('uploads', { type: UploadHealthType, description: 'Its queue of uploads.' }),
    database: t.expose('database', { type: DatabaseHealthType, description: 'Its database.' }),
    lastBackup: t.field({
      type: BackupType,
      nullable: true,
      description:
        'The last backup made by the command `backup`; null when none is known. The gateway does not know of backups by other tools.',
      resolve: ({ database }) => database.lastBackup,
    }),
  }),
});

builder.queryField('gatewayHealth', (t) =>
  t.field({
    type: GatewayHealthType,
    nullable: true,
    description: 'State of the gateway, its workers and its database.',
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
