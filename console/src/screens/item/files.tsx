import { useRef, useState } from 'preact/hooks';
import { may } from '../../app/session';
import { TakePicture } from '../../camera/button';
import { request } from '../../data/client';
import { faultOf } from '../../data/fault';
import { toReadable } from '../../data/heic';
import { AddFile, RemoveFile } from '../../generated/operations/items';
import { formatBytes } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button, IconButton } from '../../ui/button';
import {
  FileDialog,
  FilePreview,
  fetchFile,
  isShown,
  isShownAtOnce,
  mostBytes,
  type StoredFile,
  saveFile,
} from '../../ui/files';
import { Card } from '../../ui/page';
import { Ago } from '../../ui/status';
import { Thumbnail } from '../../ui/thumbnail';
import { tell, tellFault } from '../../ui/toast';
import type { PartProps } from './fields';

/** Adds files to an item, one after the other, without reading dates in them. @returns how many were added */
export async function addFiles(itemId: string, files: readonly File[]): Promise<number> {
  let added = 0;
  for (const chosen of files) {
    const file = await toReadable(chosen);
    if (file.size > mostBytes) {
      tellFault(faultOf('invalid', t('item.file_too_large', { name: shownName(file.name) })));
      continue;
    }
    const outcome = await request(AddFile, { itemId, file });
    if (outcome.ok) added++;
    else tellFault(outcome.fault);
  }
  return added;
}

/** Renders the item's files. Chosen files are added; PDF and pictures are shown. */
export function Files({ item, onChanged }: PartProps) {
  const input = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<StoredFile>();
  const files = item.attachments.nodes;
  const mayAdd = may('WRITE');
  // Beside the dates that it is about; a phone has no room for it.
  const first = innerWidth >= 768 ? files.find(isShownAtOnce) : undefined;
  async function add(list: FileList | null) {
    const chosen = [...(list ?? [])];
    const { handFiles } = await import('../../camera/outbox');
    await handFiles(chosen, item.id);
  }
  async function remove(file: StoredFile) {
    // The gateway does not keep removed files, so undoing uploads the file again.
    const kept = file.contentUrl === null ? undefined : await fetchFile(file);
    const outcome = await request(RemoveFile, { id: file.id });
    if (!outcome.ok) return tellFault(outcome.fault);
    const undo = async () => {
      if (kept) await addFiles(item.id, [new File([kept], file.name ?? 'file', { type: kept.type })]);
      await onChanged();
    };
    tell(t('common.deleted', { name: shownName(file.name) }), kept && undo);
    await onChanged();
  }
  return (
    <>
      <Card
        title={t('item.files')}
        action={
          mayAdd && (
            <Button icon="upload" onClick={() => input.current?.click()}>
              {t('item.add_file')}
            </Button>
          )
        }
      >
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            void add(currentTarget.files).then(() => {
              currentTarget.value = '';
            });
          }}
        />
        {mayAdd && <TakePicture itemId={item.id} onSent={onChanged} />}
        {files.length === 0 && <p class="soft">{t(mayAdd ? 'item.files_none_add' : 'item.files_none')}</p>}
        <ul class="rows">
          {files.map((file) => (
            <li key={file.id} class="rowlink">
              <Thumbnail file={file} />
              <span class="clip grow">
                {isShown(file) ? (
                  <button type="button" class="plainlink clip" onClick={() => setShown(file)}>
                    {shownName(file.name)}
                  </button>
                ) : (
                  <span>{shownName(file.name)}</span>
                )}
                <span class="soft small block">
                  {formatBytes(Number(file.contentLength))} · <Ago moment={file.created} />
                </span>
              </span>
              {file.contentUrl && (
                <IconButton icon="download" label={t('item.download')} onClick={() => saveFile(file)} />
              )}
              {mayAdd && (
                <IconButton
                  icon="trash"
                  label={t('common.remove', { name: shownName(file.name) })}
                  onClick={() => remove(file)}
                />
              )}
            </li>
          ))}
        </ul>
        {first && (
          <div class="firstfile">
            <FilePreview file={first} isPlain />
          </div>
        )}
      </Card>
      {shown && <FileDialog file={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
