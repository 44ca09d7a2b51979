import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { saveBlob } from '../data/browser';
import { asSender } from '../data/client';
import { faultOf } from '../data/fault';
import { formatBytes } from '../i18n/dates';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button } from './button';
import { Dialog } from './dialog';
import { Bones, FaultNote } from './state';
import { tellFault } from './toast';

/** A file that is stored at the gateway. */
export interface StoredFile {
  readonly id: string;
  readonly name: string | null;
  readonly contentType: string | null;
  readonly contentLength: string;
  readonly contentUrl: string | null;
}

/** Bytes that a file may have at the gateway. */
export const mostBytes = 16 * 1024 * 1024;

/** Size up to which a file is shown without a click, in bytes. */
const mostShownAtOnce = 2_000_000;

const pictures = /^image\/(png|jpeg|gif|webp|avif)$/;

/** Returns whether a browser can show files of a type without running anything in them. */
export const isShown = ({ contentType, contentUrl }: StoredFile): boolean =>
  contentUrl !== null && (contentType === 'application/pdf' || pictures.test(contentType ?? ''));

/** Returns whether a file is shown without a click. It is small, and no browser would download it. */
export const isShownAtOnce = (file: StoredFile): boolean =>
  isShown(file) &&
  Number(file.contentLength) <= mostShownAtOnce &&
  (navigator.pdfViewerEnabled || file.contentType !== 'application/pdf');

/**
 * Returns the address of a file at the origin of this page. The gateway names the one that `PUBLIC_URL` has, where
 * the person may not be signed in.
 */
export function addressHere({ contentUrl }: Pick<StoredFile, 'contentUrl'>): URL {
  const { pathname, search } = new URL(contentUrl ?? '', location.href);
  return new URL(pathname + search, location.href);
}

/** Fetches a file with the rights of the caller. */
export async function fetchFile(file: StoredFile): Promise<Blob | undefined> {
  try {
    const response = await fetch(addressHere(file), asSender());
    const type = file.contentType ?? '';
    return response.ok ? new Blob([await response.arrayBuffer()], { type }) : undefined;
  } catch {
    return undefined;
  }
}

/** Downloads a file for the person. */
export async function saveFile(file: StoredFile): Promise<void> {
  const blob = await fetchFile(file);
  if (!blob) return tellFault(faultOf('offline'));
  saveBlob(file.name ?? 'file', blob);
}

/** Renders the content of a file: a PDF in the browser's viewer, or a picture. */
export function FilePreview({
  file,
  isPlain = false,
  children,
}: {
  readonly file: StoredFile;
  /** Leaves out the viewer's own buttons. */
  readonly isPlain?: boolean;
  /** Elements that lie on a picture. */
  readonly children?: ComponentChildren;
}) {
  const [address, setAddress] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made: string | undefined;
    let isOver = false;
    fetchFile(file).then((blob) => {
      if (isOver) return;
      if (!blob) return setFailed(true);
      made = URL.createObjectURL(blob);
      setAddress(made);
    });
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [file.id]);
  if (failed) return <FaultNote fault={faultOf('offline')} />;
  if (!address) return <Bones rows={6} />;
  return pictures.test(file.contentType ?? '') ? (
    <div class="framed">
      <img class="preview" src={address} alt={shownName(file.name)} />
      {children}
    </div>
  ) : (
    <iframe
      class="preview pdf"
      src={`${address}#navpanes=0${isPlain ? '&toolbar=0&view=FitH' : ''}`}
      title={shownName(file.name)}
    />
  );
}

/** Renders a file above the screen. */
export function FileDialog({ file, onClose }: { readonly file: StoredFile; readonly onClose: () => void }) {
  return (
    <Dialog title={file.name ?? ''} onClose={onClose} isLarge>
      <FilePreview file={file} />
      <div class="end line">
        <span class="soft small">{formatBytes(Number(file.contentLength))}</span>
        <Button icon="download" onClick={() => saveFile(file)}>
          {t('item.download')}
        </Button>
      </div>
    </Dialog>
  );
}
