import { saveBlob, saveText } from '../../data/browser';
import type { Fault } from '../../data/fault';
import { sendPieces } from '../../data/pieces';
import { askRest } from '../../data/rest';
import type { ImportKind } from '../../generated/types';
import { language } from '../../i18n/i18n';
import { tellFault } from '../../ui/toast';

/** Uploads a file, of which the gateway makes a preview. @returns the id of its import */
export async function upload(kind: ImportKind, file: File): Promise<{ id: string } | Fault> {
  const query = new URLSearchParams({ kind: kind.toLowerCase(), file_name: file.name, again: 'true' });
  const answer = await askRest(`/v1/imports?${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: file,
  });
  return answer instanceof Response ? ((await answer.json()) as { id: string }) : answer;
}

/**
 * Uploads the ZIP file of a workspace, and goes on after a lost connection.
 * @returns the id of its import; undefined if the signal stopped it
 */
export async function uploadWorkspace(
  file: File,
  teamId: string,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ id: string } | Fault | undefined> {
  const sent = await sendPieces(file, { pieceBytes: 4 * 1024 * 1024, attempts: 10, onSent, signal });
  if (typeof sent !== 'string') return sent;
  const query = new URLSearchParams({
    ...{ kind: 'workspace', team_id: teamId, file_name: file.name, again: 'true' },
    resumable_upload_id: sent,
  });
  const answer = await askRest(`/v1/imports?${query}`, { method: 'POST' });
  return answer instanceof Response ? ((await answer.json()) as { id: string }) : answer;
}

/** Saves the file with the outcome of each row. */
export async function saveResult(id: string, fileName: string | null): Promise<void> {
  const answer = await askRest(`/v1/imports/${id}/result.csv`);
  if (!(answer instanceof Response)) return tellFault(answer);
  const name = (fileName ?? 'import.csv').replace(/(\.(csv|tsv|txt|zip|xlsx|xlsm|ods))?$/i, '-result.csv');
  saveText(name, 'text/csv', [await answer.text()]);
}

/** Saves a workbook to fill in. Its headers are in the person's language. */
export async function saveTemplate(kind: ImportKind): Promise<void> {
  const query = new URLSearchParams({ kind: kind.toLowerCase(), language: language.value });
  const answer = await askRest(`/v1/imports/template.xlsx?${query}`);
  if (!(answer instanceof Response)) return tellFault(answer);
  saveBlob(`${kind.toLowerCase()}.xlsx`, await answer.blob());
}
