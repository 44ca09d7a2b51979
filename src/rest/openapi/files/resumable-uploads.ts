import type { ErrorCode } from '../../../domain/errors.js';
import type { Components, OpenApiNode } from '../components.js';
import { uuid } from '../leaves.js';
import { moment, object, textOrNull } from '../objects.js';
import { describeAnswers, type HeaderName } from '../responses.js';

/** The most bytes of a piece. A test compares it with the limit. */
const mostBytes = 8 * 1024 * 1024;

/**
 * A number of bytes in a header. It is described as a text, because headers are texts in some generated
 * clients.
 */
const bytesInHeader = { type: 'string', maxLength: 15, pattern: '^\\d+$' };

const bytes = { type: 'integer', format: 'int64', minimum: 0, maximum: 999_999_999_999_999 };

/** An upload as REST shows it. */
const uploadModel = object('A file that comes in pieces. Only the person who created it sees it.', {
  id: ["The upload's id.", uuid],
  team_id: ["The workspace's id.", uuid],
  file_name: ["The file's name.", textOrNull],
  content_type: ["The file's media type.", textOrNull],
  length: ['Size of the whole file in bytes.', bytes],
  offset: ['The number of bytes that have come.', bytes],
  created: ['When it was created.', moment],
  expires_at: ['When it is deleted, if nobody has used it until then.', moment],
});

const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The upload's id. Anything but a UUID matches none.",
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
};

const header = (name: string, description: string, example: unknown, schema: OpenApiNode) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { ...schema, examples: [example] },
});

const version = header('Tus-Resumable', 'The version of the protocol.', '1.0.0', {
  type: 'string',
  enum: ['1.0.0'],
});

const metadata = {
  ...header(
    'Upload-Metadata',
    'What is known about the file: keys with values in base64. `filename`, `filetype` and `team_id` have a meaning; others are only returned.',
    'filename bGljZW5jZS5wZGY=,filetype YXBwbGljYXRpb24vcGRm',
    { type: 'string', maxLength: 4_096 },
  ),
  required: false,
};

/** Describes the paths of uploads in pieces. */
export function describeResumableUploads(components: Components): OpenApiNode {
  const model = components.ref('schemas', 'ResumableUploadModel', () => uploadModel);
  const operation = (operationId: string, summary: string, rest: OpenApiNode) => ({
    operationId,
    'x-origin': 'addition',
    tags: ['Resumable uploads'],
    summary,
    ...rest,
  });
  const content = { 'application/json': { schema: model } };
  const told: readonly HeaderName[] = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'];
  const shown: readonly HeaderName[] = [...told, 'Upload-Length', 'Upload-Metadata'];
  const answers = (
    status: number,
    description: string,
    names: readonly HeaderName[],
    ...codes: readonly ErrorCode[]
  ) =>
    describeAnswers(
      components,
      status,
      { description, names, ...(names.includes('Upload-Length') && { content }) },
      codes,
    );
  return {
    '/v1/resumable-uploads': {
      post: operation('createResumableUpload', 'Begins an upload of a file in pieces.', {
        description:
          'It follows tus 1.0.0, so that its clients can be used. It is kept for a day. `POST /v1/uploads` takes its id once all pieces have come.',
        parameters: [
          version,
          header('Upload-Length', 'Size of the whole file in bytes.', '13', bytesInHeader),
          metadata,
        ],
        responses: answers(
          201,
          'The upload.',
          ['Location', ...shown],
          ...(['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'PRECONDITION_FAILED'] as const),
        ),
      }),
    },
    '/v1/resumable-uploads/{id}': {
      get: operation('resumableUpload', 'Tells how far an upload in pieces has come.', {
        description: 'HEAD, which clients of tus send, returns the same headers.',
        parameters: [id],
        responses: answers(200, 'The upload.', shown, 'NOT_FOUND'),
      }),
      patch: operation('appendToResumableUpload', 'Appends a piece to an upload.', {
        description: `A piece has at most ${mostBytes} bytes, and is stored once it has come. Of two pieces for the same place, one is stored.`,
        parameters: [
          id,
          version,
          header('Upload-Offset', 'The number of bytes that have come before.', '0', bytesInHeader),
        ],
        requestBody: {
          required: true,
          content: {
            'application/offset+octet-stream': {
              schema: { type: 'string', format: 'binary', maxLength: mostBytes },
            },
          },
        },
        responses: answers(
          204,
          'The piece is stored.',
          told,
          ...([
            'NOT_FOUND',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'PRECONDITION_FAILED',
          ] as const),
        ),
      }),
      delete: operation('deleteResumableUpload', 'Deletes an upload in pieces.', {
        description: 'Its bytes are deleted with it.',
        parameters: [id, version],
        responses: answers(204, 'It is deleted.', ['Tus-Resumable'], 'NOT_FOUND', 'PRECONDITION_FAILED'),
      }),
    },
  };
}
