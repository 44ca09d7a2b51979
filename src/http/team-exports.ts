import { partsReader, readArchive } from '../db/files/archive-parts.js';
import { teamExportPath } from '../domain/doors/exports.js';
import { GatewayError } from '../domain/errors.js';
import { FileError } from '../domain/files.js';
import {
  createTeamExport,
  deleteTeamExport,
  exportLink,
  findTeamExport,
  listTeamExports,
  type ShownExport,
} from '../exports/team-exports.js';
import { badParameter, readParameter } from '../rest/lists/parameters.js';
import { type Answer, jsonType } from '../web/answer.js';
import { memberName, percentDecoded, readParameters } from '../web/parameters.js';
import { answerStoredFile } from './answers/stored-file.js';
import { noSession } from './auth/auth.js';
import type { Endpoint, Handle, Incoming } from './routing/endpoint.js';
import type { Exchange } from './routing/exchange.js';

const idIn = ({ id = '' }: Incoming) => percentDecoded(id) ?? '';

/** Returns an export in the names of REST. */
async function shownByRest(shown: ShownExport, { session = noSession(), origin }: Exchange): Promise<object> {
  const downloadUrl = await exportLink(session, shown, origin());
  const members = Object.entries({ ...shown, state: shown.state.toLowerCase(), downloadUrl }).map(
    ([name, value]) => [
      memberName(name),
      value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value,
    ],
  );
  return Object.fromEntries(members);
}

const answerWith = (body: object, status = 200, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { ...jsonType, 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
});

const create: Handle = async (request, exchange) => {
  const teamId = readParameter(readParameters(request.query), 'team_id');
  if (teamId === undefined) throw badParameter('team_id', 'is required');
  const made = await createTeamExport(exchange.session ?? noSession(), teamId);
  return answerWith(await shownByRest(made, exchange), 201, { Location: `/v1/exports/${made.id}` });
};

const list: Handle = async (_request, exchange) => {
  const found = await listTeamExports(exchange.session ?? noSession());
  return answerWith({ exports: await Promise.all(found.map((shown) => shownByRest(shown, exchange))) });
};

const read: Handle = async (request, exchange) => {
  const shown = await findTeamExport(exchange.session ?? noSession(), idIn(request));
  return answerWith(await shownByRest(shown, exchange));
};

const remove: Handle = async (request, { session = noSession() }) => {
  await deleteTeamExport(session, idIn(request));
  return { status: 204, headers: {}, body: null };
};

const download: Handle = async (request, { session = noSession(), headOnly }) => {
  const { id, state, size, created } = await findTeamExport(session, idIn(request));
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
  return answerStoredFile(request, file, headOnly);
};

/** Creates the endpoints of exports of workspaces. */
export function teamExportEndpoints(): Endpoint[] {
  const door = 'rest';
  return [
    {
      path: '/v1/exports',
      door,
      methods: { GET: { access: 'read', handle: list }, POST: { access: 'read', handle: create } },
    },
    {
      path: '/v1/exports/{id}',
      door,
      methods: { GET: { access: 'read', handle: read }, DELETE: { access: 'read', handle: remove } },
    },
    {
      path: teamExportPath('{id}'),
      door,
      methods: {
        GET: {
          access: 'read',
          linked: ({ id = '' }) => ({ kind: 'export', id: id.toLowerCase() }),
          handle: download,
        },
      },
    },
  ];
}
