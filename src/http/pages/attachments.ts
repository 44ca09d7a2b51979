import { paths } from '../../domain/doors/paths.js';
import { GatewayError, notFound } from '../../domain/errors.js';
import { fileSlices, findFile, readFileRange, readWholeFile } from '../../items/attachments/files.js';
import { readParameters } from '../../web/parameters.js';
import { PageDrawer, pageNumberIn } from '../answers/page-picture.js';
import { answerStoredFile } from '../answers/stored-file.js';
import { noSession } from '../auth/auth.js';
import type { Endpoint, Handle } from '../routing/endpoint.js';

/**
 * Creates the endpoint `/attachments/{id}`, which answers with a file or a range of it. A link may replace
 * the token (`downloadUrl(expiresIn:)`). With `page`, it answers with the picture of a page.
 */
export function attachmentEndpoint(): Endpoint {
  const drawer = new PageDrawer();
  const handle: Handle = async (request, { session = noSession(), headOnly, memory }) => {
    const id = request.id ?? '';
    const found = await findFile(session, id);
    if (!found) throw notFound('attachment', id);
    const read = (first: number, length: number) => readFileRange(session, found, first, length);
    const whole = (sliceBytes: number) => fileSlices(session, found, sliceBytes);
    const file = { ...found, id: found.version, read, whole };
    const wanted = readParameters(request.query).get('page');
    if (wanted === null) return answerStoredFile(request, file, headOnly);
    const page = pageNumberIn(wanted);
    if (page === null) throw new GatewayError('BAD_REQUEST', 'page: must be the number of a page, from 1');
    const takeMemory = () => {
      if (!memory.tryGrow(2 * file.size, 'stream')) throw memory.refusal();
    };
    return drawer.answer(
      request,
      { ...file, read: () => readWholeFile(session, found), takeMemory },
      page,
      session.caller,
      headOnly,
    );
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
