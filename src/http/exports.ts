import { listTarget } from '../access/file-links.js';
import { CsvExporter } from '../csv/export.js';
import { partsReader, readArchive } from '../db/files/file-parts.js';
import type { Caller } from '../domain/caller.js';
import { type ExportKind, exportKinds, exportPath } from '../domain/doors/paths.js';
import { GatewayError } from '../domain/errors.js';
import { contentDisposition, FileError } from '../domain/files.js';
import { findTeamExport } from '../exports/exports.js';
import { schema } from '../graphql/schema.js';
import { exportedList, isExportParameter } from '../rest/routes.js';
import { refuseUnknownParameters, takenParameters } from '../rest/strict.js';
import { percentDecoded, readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { sendStoredFile } from './downloads.js';
import { endpointsOfAdditions } from './rest.js';
import type { Endpoint, Handle } from './routing/endpoint.js';

/** Exports that run at once in a process: of one user and of one organization. */
const maxExports = { ofUser: 2, ofOrganization: 4 } as const;

/** Seconds after which a refused export should be tried again. */
const retrySeconds = '10';

/** Bytes of memory that an export holds. */
const exportBytes = 8 * 1024 * 1024;

/** Parameters of all files, besides those of their lists. */
const ofFiles = ['raw', 'excel', 'filter', 'order_by', 'link'];

/** The exports that run in this process. Each has a connection to the database. */
class RunningExports {
  readonly #most: number;
  readonly #callers = new Set<{ readonly caller: Caller }>();

  /** @param poolSize of the database; most of its connections are left to others */
  constructor(poolSize: number) {
    this.#most = Math.max(1, Math.floor(poolSize / 3));
  }

  /**
   * Admits an export.
   * @returns a function that ends it
   * @throws GatewayError TOO_MANY_REQUESTS or UNAVAILABLE
   */
  begin(caller: Caller): () => void {
    const headers = { 'Retry-After': retrySeconds };
    const running = [...this.#callers].map((entry) => entry.caller);
    const ofOrganization = running.filter(({ organizationId }) => organizationId === caller.organizationId);
    const ofUser = ofOrganization.filter(({ user }) => user.id === caller.user.id);
    if (ofUser.length >= maxExports.ofUser || ofOrganization.length >= maxExports.ofOrganization) {
      const message = 'Too many exports are running: wait until one of them has ended.';
      throw new GatewayError('TOO_MANY_REQUESTS', message, { headers });
    }
    if (running.length >= this.#most)
      throw new GatewayError('UNAVAILABLE', 'Too many exports are running; try again.', { headers });
    const entry = { caller };
    this.#callers.add(entry);
    return () => void this.#callers.delete(entry);
  }
}

/**
 * Creates the endpoints `/v1/export/{kind}.csv`, which answer with a complete list as a file.
 * @param poolSize connections to the database
 */
export function exportEndpoints(poolSize: number): Endpoint[] {
  const exporter = new CsvExporter(schema);
  const running = new RunningExports(poolSize);
  const handle =
    (kind: ExportKind): Handle =>
    async (request, { session = noSession(), memory }) => {
      const query = readParameters(request.query);
      refuseUnknownParameters(query, [
        ...takenParameters(exportedList(kind)).filter(isExportParameter),
        ...ofFiles,
      ]);
      const end = running.begin(session.caller);
      try {
        if (!memory.tryGrow(exportBytes, 'stream')) throw memory.refusal();
        const body = await exporter.start(session, { kind, query });
        body.once('close', end);
        const day = session.now.toISOString().slice(0, 10);
        return {
          status: 200,
          headers: {
            'Content-Type': 'text/csv; charset=utf-8; header=present',
            'Content-Disposition': contentDisposition(`${kind}-${day}.csv`),
            'Cache-Control': 'no-store',
            // A link is a secret, which nothing in the file may pass on.
            'Referrer-Policy': 'no-referrer',
          },
          body,
        };
      } catch (error) {
        end();
        throw error;
      }
    };
  return exportKinds.map((kind) => ({
    path: exportPath(kind),
    door: 'rest',
    methods: {
      GET: {
        access: exportedList(kind).right ?? 'read',
        linked: ({ query }) => listTarget(`${kind}.csv`, readParameters(query)),
        handle: handle(kind),
      },
    },
  }));
}

const download: Handle = async (request, { session = noSession(), headOnly }) => {
  const { id, state, size, created } = await findTeamExport(session, percentDecoded(request.id ?? '') ?? '');
  if (state !== 'DONE')
    throw new GatewayError('CONFLICT', `The export cannot be downloaded: it is ${state.toLowerCase()}.`);
  const file = {
    id,
    name: `workspace-${created.toISOString().slice(0, 10)}.zip`,
    contentType: 'application/zip',
    size: Number(size),
    read: async (first: number, length: number) => {
      const bytes = await readArchive(partsReader(session.database), { id }, first, length);
      if (!bytes) throw new FileError('missing');
      return bytes;
    },
  };
  return sendStoredFile(request, file, headOnly);
};

/** Creates the endpoints of exports of workspaces. */
export const teamExportEndpoints = (): Endpoint[] =>
  endpointsOfAdditions('Exports', {
    downloadTeamExport: {
      linked: ({ id = '' }) => ({ kind: 'export', id: id.toLowerCase() }),
      handle: download,
    },
  });
