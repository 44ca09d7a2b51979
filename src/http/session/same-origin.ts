import { GatewayError } from '../../domain/errors.js';
import type { Asked } from '../request/request.js';

/** The 403 for a request with a cookie that another site sent. Its visitor did not, so it does not count. */
export class ForeignRequest extends GatewayError {
  constructor() {
    super('FORBIDDEN', "Requests with a session are accepted only from the gateway's own pages.");
  }
}

/**
 * Checks that one of the gateway's own pages sent a request. Browsers also send cookies with the requests of
 * other pages. They tell them apart in `Sec-Fetch-Site`. Old ones do not, and none does without https:
 * then the origin must be ours, and there must be a header that no other page can send.
 * @param origin of the gateway, as browsers see it
 * @param isDownload true where a person may open the address itself
 * @throws ForeignRequest
 */
export function checkSameOrigin(
  { method, header, isUpgrade = false }: Asked,
  origin: string,
  isDownload = false,
): void {
  const isRead = method === 'GET' || method === 'HEAD';
  const site = header('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin' || (site === 'none' && isDownload && isRead)) return;
    throw new ForeignRequest();
  }
  const sender = header('origin');
  // Browsers add no header of a page to the request for a WebSocket, and always the page's origin.
  if (isUpgrade && sender === origin) return;
  // Reads of the same origin have no `Origin`.
  const isOwn = sender === origin || (sender === null && isRead);
  if (isUpgrade || !isOwn || header('x-requested-with') === null) throw new ForeignRequest();
}
