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

/** Bytes of each piece of a large file. */
const pieceBytes = 4 * 1024 * 1024;

/** Milliseconds until a lost piece is sent again. */
const againMs = 2_000;

/** Attempts at each piece. */
const mostAttempts = 10;

/** Sends a file in pieces (tus 1.0.0), and goes on after a lost connection. @returns the id of the upload */
async function sendPieces(file: File, onSent: (bytes: number) => void): Promise<{ id: string } | Fault> {
  const tus = { 'Tus-Resumable': '1.0.0' };
  const begun = await ask('/v1/resumable-uploads', {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(file.size) },
  });
  if (!(begun instanceof Response)) return begun;
  const { id } = (await begun.json()) as { id: string };
  const path = `/v1/resumable-uploads/${id}`;
  let attempts = 0;
  for (let offset = 0; offset < file.size; ) {
    const sent = await ask(path, {
      method: 'PATCH',
      headers: {
        ...tus,
        'Upload-Offset': String(offset),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: file.slice(offset, offset + pieceBytes),
    });
    if (sent instanceof Response) attempts = 0;
    else if (++attempts === mostAttempts || sent.kind === 'forbidden') return sent;
    else await new Promise((resolve) => setTimeout(resolve, againMs));
    const told = sent instanceof Response ? sent : await ask(path);
    if (told instanceof Response) offset = Number(told.headers.get('Upload-Offset'));
    onSent(offset);
  }
  return { id };
}

/** Uploads the ZIP file of a workspace. @returns the id of its import */
export async function uploadWorkspace(
  file: File,
  teamId: string,
  onSent: (bytes: number) => void,
): Promise<{ id: string } | Fault> {
  const sent = await sendPieces(file, onSent);
  if (!('id' in sent)) return sent;
  const query = new URLSearchParams({
    ...{ kind: 'workspace', team_id: teamId, file_name: file.name, again: 'true' },
    resumable_upload_id: sent.id,
  });
  const answer = await ask(`/v1/imports?${query}`, { method: 'POST' });
  return answer instanceof Response ? ((await answer.json()) as { id: string }) : answer;
}

/** Saves the file with the outcome of each row. */
export async function saveResult(id: string, fileName: string | null): Promise<void> {
  const answer = await ask(`/v1/imports/${id}/result.csv`);
  if (!(answer instanceof Response)) return tellFault(answer);
  const name = (fileName ?? 'import.csv').replace(/(\.csv|\.zip)?$/i, '-result.csv');
  saveFile(name, 'text/csv', [await answer.text()]);
}
