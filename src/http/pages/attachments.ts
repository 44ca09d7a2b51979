import { paths } from '../../domain/doors/paths.js';
import { notFound } from '../../domain/errors.js';
import { findFile, readFileRange } from '../../items/files.js';
import { answerStoredFile } from '../answers/stored-file.js';
import { noSession } from '../auth/auth.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';

/**
 * Creates the endpoint `/attachments/{id}`, which answers with a file or a range of it. A link may replace
 * the token (`downloadUrl(expiresIn:)`).
 */
export function attachmentEndpoint(): Endpoint {
  const handle: Handle = async (request, { session = noSession(), headOnly }) => {
    const id = request.id ?? '';
    const file = await findFile(session, id);
    if (!file) throw notFound('attachment', id);
    const read = (first: number, length: number) => readFileRange(session, file.id, first, length);
    return answerStoredFile(request, { ...file, read }, headOnly);
  };
  return {
    path: paths.attachment,
    door: 'attachment',
    methods: {
      GET: {
        access: 'read',
        linked: ({ id = '' }) => ({ kind: 'attachment', id: id.toLowerCase() }),
        handle,
      },
    },
  };
}
