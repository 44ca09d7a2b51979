import { teamExportPath } from '../../../domain/doors/exports.js';
import type { ErrorCode } from '../../../domain/errors.js';
import type { Components, OpenApiNode } from '../components.js';
import { uuid } from '../leaves.js';
import { count, list, moment, object, textOrNull, word } from '../objects.js';
import { query } from '../parameters.js';
import { describeAnswers } from '../responses.js';

/** An export as REST shows it. */
const exportModel = object('A workspace as a ZIP file. Only the person who created it sees it, for a day.', {
  id: ["The export's id.", uuid],
  team_id: ["The workspace's id.", uuid],
  state: ['How far it has come.', word('running', 'done', 'failed')],
  error: ['Why it failed.', textOrNull],
  progress: ['How much of it is written, in percent.', { ...count, maximum: 100 }],
  file_count: ['The number of attached files that it contains, once it is known.', count],
  size: [
    'Its size in bytes; while it is being made, of what is written.',
    { type: 'integer', format: 'int64', minimum: 0 },
  ],
  download_url: [
    'The address of the ZIP file. It needs no access token and works for an hour. Null until the export can be downloaded.',
    textOrNull,
  ],
  created: ['When it was created.', moment],
  modified: ['When it last changed.', moment],
  expires_at: ['When it is deleted.', moment],
});

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The export's id. Anything but a UUID matches none.",
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
};

const teamId = {
  ...query('team_id', "The workspace's id.", '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b41', uuid),
  required: true,
};

/** Describes the paths of exports of workspaces. */
export function describeTeamExports(components: Components): OpenApiNode {
  const model = components.ref('schemas', 'TeamExportModel', () => exportModel);
  const operation = (operationId: string, summary: string, rest: OpenApiNode) => ({
    operationId,
    'x-origin': 'addition',
    tags: ['Exports'],
    summary,
    ...rest,
  });
  const json = (schema: OpenApiNode) => ({ 'application/json': { schema } });
  const of = (status: number, description: string, ...codes: readonly ErrorCode[]) =>
    describeAnswers(components, status, { description, content: json(model) }, codes);
  const all = object("The caller's exports.", { exports: ['The newest first.', list(model, 100)] });
  return {
    '/v1/exports': {
      get: operation('listTeamExports', "Lists the caller's exports of workspaces.", {
        description: 'They are deleted after a day.',
        responses: describeAnswers(components, 200, { description: 'The exports.', content: json(all) }),
      }),
      post: operation('createTeamExport', 'Exports a workspace as a ZIP file.', {
        description:
          'A worker makes it: read the export until its state is `done`. While one is being made, this returns it; a new one replaces the last one.',
        parameters: [teamId],
        responses: of(201, 'The export.', 'NOT_FOUND'),
      }),
    },
    '/v1/exports/{id}': {
      get: operation('teamExport', 'Reads an export of a workspace.', {
        description: 'It tells its state and progress, and where it can be downloaded.',
        parameters: [id],
        responses: of(200, 'The export.', 'NOT_FOUND'),
      }),
      delete: operation('deleteTeamExport', 'Deletes an export of a workspace.', {
        description: 'If it is being made, that ends.',
        parameters: [id],
        responses: describeAnswers(components, 204, { description: 'It is deleted.' }, ['NOT_FOUND']),
      }),
    },
    [teamExportPath('{id}')]: {
      get: operation('downloadTeamExport', 'Downloads an exported workspace.', {
        description: 'Ranges are supported, so that a download can be continued.',
        parameters: [id],
        responses: describeAnswers(
          components,
          200,
          { description: 'The ZIP file.', content: { 'application/zip': {} } },
          ['NOT_FOUND', 'CONFLICT', 'NOT_MODIFIED', 'PRECONDITION_FAILED'],
        ),
      }),
    },
  };
}
