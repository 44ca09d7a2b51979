import { GatewayError } from '../domain/errors.js';
import { largestFile } from '../domain/files.js';
import { shownResumable } from '../rest/additions.js';
import {
  appendPiece,
  createResumable,
  deleteResumable,
  findResumable,
  type ResumableUpload,
  resumableLimits,
} from '../uploads/resumable.js';
import { percentDecoded } from '../web/parameters.js';
import { type HttpResponse, jsonType } from '../web/response.js';
import { noSession } from './auth/auth.js';
import type { Asked } from './request/request.js';
import { endpointsOfAdditions } from './rest.js';
import type { Endpoint, Handle, Incoming } from './routing/endpoint.js';

/** The version of the protocol (https://tus.io/protocols/resumable-upload). */
const version = '1.0.0';

/** The path of uploads in pieces. */
const path = '/v1/resumable-uploads';

/** The media type of a piece. */
const pieceType = 'application/offset+octet-stream';

/** Checks the version of the protocol. @throws GatewayError PRECONDITION_FAILED */
function checkVersion({ header }: Asked): void {
  if (header('tus-resumable') === version) return;
  throw new GatewayError('PRECONDITION_FAILED', `Tus-Resumable must be ${version}.`, {
    headers: { 'Tus-Version': version },
  });
}

/** Checks that a body is a piece. @throws GatewayError UNSUPPORTED_MEDIA_TYPE */
function checkPieceType({ header }: Asked): void {
  if (header('content-type')?.trim().toLowerCase() === pieceType) return;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `The body must be a piece, as ${pieceType}.`);
}

/** Reads a header that is a number of bytes. @throws GatewayError BAD_REQUEST */
function bytesIn({ header }: Asked, name: string): number {
  const text = header(name.toLowerCase());
  // Digits beyond what a number holds are more bytes than any limit.
  if (text !== null && /^\d{1,100}$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  throw new GatewayError('BAD_REQUEST', `${name} must be a number of bytes.`);
}

const idIn = ({ id = '' }: Incoming) => percentDecoded(id) ?? '';

/** Returns the headers that tell how far an upload has come. */
const progressOf = ({ offset, length, expiresAt }: ResumableUpload): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'Upload-Offset': String(offset),
  ...(offset < length && { 'Upload-Expires': expiresAt.toUTCString() }),
});

/** Answers with an upload, in headers for tus and as JSON. */
function answerWith(
  upload: ResumableUpload,
  status: number,
  headers: Record<string, string> = {},
): HttpResponse {
  const { length, metadata } = upload;
  return {
    status,
    headers: {
      ...jsonType,
      ...progressOf(upload),
      'Upload-Length': String(length),
      ...(metadata !== null && { 'Upload-Metadata': metadata }),
      ...headers,
    },
    body: JSON.stringify(shownResumable(upload)),
  };
}

const read: Handle = async (request, { session = noSession(), headOnly }) => {
  // Clients of the protocol send HEAD. GET is for others, and need not name the version.
  const isOfProtocol = headOnly || request.header('tus-resumable') !== null;
  if (isOfProtocol) checkVersion(request);
  return answerWith(await findResumable(session, idIn(request)), 200);
};

const append: Handle = async (request, { session = noSession(), body }) => {
  const offset = bytesIn(request, 'Upload-Offset');
  const upload = await appendPiece(session, idIn(request), offset, body as Uint8Array<ArrayBuffer>);
  return { status: 204, headers: progressOf(upload), body: null };
};

const remove: Handle = async (request, { session = noSession() }) => {
  checkVersion(request);
  await deleteResumable(session, idIn(request));
  return { status: 204, headers: {}, body: null };
};

/**
 * Creates the endpoints of uploads in pieces, as tus 1.0.0 has them. A piece is a whole request of limited
 * size, so that none is streamed.
 * @param space bytes that all unfinished uploads of a workspace may have together
 */
export function resumableUploadEndpoints(space: number): Endpoint[] {
  const create: Handle = async (request, { session = noSession() }) => {
    checkVersion(request);
    if (request.header('upload-defer-length') !== null)
      throw new GatewayError('BAD_REQUEST', 'Upload-Length must be sent when the upload is created.');
    const length = bytesIn(request, 'Upload-Length');
    const metadata = request.header('upload-metadata') || null;
    const upload = await createResumable(session, { length, metadata }, space);
    return answerWith(upload, 201, { Location: `${path}/${upload.id}` });
  };
  const shared = {
    headers: { 'Tus-Resumable': version },
    options: {
      'Tus-Version': version,
      'Tus-Extension': 'creation,expiration,termination',
      'Tus-Max-Size': String(largestFile),
    },
  } as const;
  const body = {
    limit: () => resumableLimits.piece,
    check: (request: Asked) => {
      checkVersion(request);
      checkPieceType(request);
    },
  };
  const endpoints = endpointsOfAdditions('Resumable uploads', {
    createResumableUpload: { keyedHeaders: ['upload-length', 'upload-metadata'], handle: create },
    resumableUpload: { handle: read },
    appendToResumableUpload: { body, keyedHeaders: ['upload-offset'], handle: append },
    deleteResumableUpload: { handle: remove },
  });
  return endpoints.map((endpoint) => ({
    ...endpoint,
    ...shared,
    ...(endpoint.acceptPatch && { acceptPatch: pieceType, allowsOverride: true as const }),
  }));
}
