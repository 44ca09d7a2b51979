import { asSender, credentials } from './client';
import { type Fault, type FaultKind, faultOf } from './fault';

/** Kinds of faults by status. The gateway's own message says more about the others. */
const kinds: Readonly<Record<number, FaultKind>> = {
  401: 'signed-out',
  403: 'forbidden',
  404: 'gone',
  410: 'gone',
  429: 'busy',
  503: 'busy',
};

async function faultFor(response: Response): Promise<Fault> {
  const { status } = response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  return faultOf(kinds[status] ?? (status < 500 ? 'invalid' : 'failed'), message ?? `HTTP ${status}`);
}

/** Returns whether what was to be sent can still be read. A file may have changed since a person chose it. */
async function isReadable(body: unknown): Promise<boolean> {
  if (!(body instanceof Blob)) return true;
  return body
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

/** Sends a request to REST, which takes and returns whole files. An expired token is refreshed once. */
export async function askRest(path: string, init: RequestInit = {}): Promise<Response | Fault> {
  const send = () => {
    const { headers, credentials: cookies } = asSender();
    const all = { ...headers, ...init.headers };
    return fetch(path, { ...init, headers: all, credentials: cookies, cache: 'no-store' });
  };
  try {
    let response = await send();
    if (response.status === 401 && (await credentials.renew?.())) response = await send();
    if (response.ok) return response;
    const fault = await faultFor(response);
    if (fault.kind === 'signed-out') credentials.onRefused(fault);
    return fault;
  } catch {
    return faultOf((await isReadable(init.body)) ? 'offline' : 'unreadable');
  }
}
