import { asSender, credentials } from '../../data/client';
import { type Fault, faultOf } from '../../data/fault';
import { saveFile } from '../../data/save-file';
import type { ImportKind } from '../../generated/operations';
import { tellFault } from '../../ui/toast';

/** Sends a request with the person's rights to REST, which takes and returns whole files. */
async function ask(path: string, init: RequestInit = {}): Promise<Response | Fault> {
  const { headers, credentials: cookies } = asSender();
  try {
    const response = await fetch(path, {
      ...init,
      headers: { ...headers, ...init.headers },
      credentials: cookies,
      cache: 'no-store',
    });
    if (response.ok) return response;
    if (response.status === 401) {
      const fault = faultOf('signed-out');
      credentials.onRefused(fault);
      return fault;
    }
    if (response.status === 429 || response.status === 503) return faultOf('busy');
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    return faultOf(response.status === 403 ? 'forbidden' : 'invalid', message);
  } catch {
    return faultOf('offline');
  }
}

/** Uploads a file, of which the gateway makes a preview. @returns the id of its import */
export async function upload(kind: ImportKind, file: File): Promise<{ id: string } | Fault> {
  const query = new URLSearchParams({ kind: kind.toLowerCase(), file_name: file.name, again: 'true' });
  const answer = await ask(`/v1/imports?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: file,
  });
  return answer instanceof Response ? ((await answer.json()) as { id: string }) : answer;
}

/** Saves the file with the outcome of each row. */
export async function saveResult(id: string, fileName: string | null): Promise<void> {
  const answer = await ask(`/v1/imports/${id}/result.csv`);
  if (!(answer instanceof Response)) return tellFault(answer);
  const name = (fileName ?? 'import.csv').replace(/(\.csv)?$/i, '-result.csv');
  saveFile(name, 'text/csv', [await answer.text()]);
}
