import { useEffect, useRef, useState } from 'preact/hooks';
import { drawPage, findPage, wholePicture } from '../../../public/page-picture.js';
import { place } from '../app/router';
import { uniqueKey } from '../data/browser';
import { faultOf } from '../data/fault';
import { dayOf, formatDay, timeOf } from '../i18n/dates';
import { formatNumber, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button, IconButton } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { mostBytes } from '../ui/files';
import { Icon } from '../ui/icon';
import { FaultNote } from '../ui/state';
import { tell, tellFault } from '../ui/toast';
import { CornerEditor } from './corner-editor';
import {
  arrange,
  arrived,
  arrivedText,
  discard,
  hand,
  isAnyLosable,
  pagesFor,
  sendWaiting,
  waiting,
} from './outbox';
import { writePdf } from './pdf';
import { finishPage, type Page, turn } from './picture';
import { isLosable, ownerOf } from './store';
import './camera.css';

export { findTaken, handFiles, pagesFor } from './outbox';

/** Pixels of the longest side of a picture on the screen. */
const shownPixels = 480;

/** Renders a page as it will be in the PDF, but smaller. */
function Picture({ page, label }: { readonly page: Page; readonly label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isOver = false;
    drawPage(page, shownPixels).then((drawn) => {
      const shown = canvas.current;
      if (isOver || !shown) return;
      shown.width = drawn.width;
      shown.height = drawn.height;
      shown.getContext('2d')?.drawImage(drawn, 0, 0);
    });
    return () => {
      isOver = true;
    };
  }, [page]);
  return <canvas ref={canvas} class="shot" role="img" aria-label={label} />;
}

interface PageEditorProps {
  readonly page: Page;
  readonly at: number;
  readonly count: number;
  readonly onChange: (page: Page) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

/** Renders a page with what can be done about it. */
function PageEditor({ page, at, count, onChange, onMove, onRemove }: PageEditorProps) {
  const n = formatNumber(at + 1);
  const label = t('camera.page', { n });
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="stack shotpage">
      <Picture page={page} label={label} />
      <div class="line">
        <span class="small strong grow">{label}</span>
        <IconButton icon="renew" label={t('camera.turn', { n })} onClick={() => onChange(turn(page))} />
        <IconButton
          icon="up"
          label={t('camera.earlier', { n })}
          disabled={at === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="down"
          label={t('camera.later', { n })}
          disabled={at === count - 1}
          onClick={() => onMove(1)}
        />
        <IconButton icon="trash" label={t('camera.remove', { n })} onClick={onRemove} />
      </div>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{t('camera.crop')}</summary>
        {isOpen && (
          <CornerEditor page={page} label={label} onChange={(corners) => onChange({ ...page, corners })} />
        )}
        <Button
          weight="bare"
          disabled={page.corners === wholePicture}
          onClick={() => onChange({ ...page, corners: wholePicture })}
        >
          {t('camera.whole')}
        </Button>
      </details>
    </li>
  );
}

/**
 * Names a document by the local time at which it was photographed. The gateway recognizes such names, so that it takes
 * no expiration date from them.
 */
function nameAt(moment: Date): string {
  const time = timeOf(moment).replace(':', '.');
  return `${t('camera.name', { day: formatDay(dayOf(moment)), time })}.pdf`;
}

/** Returns a picture as a page, with its corners, if the browser can read it. */
async function pageOf(photo: File): Promise<Page | undefined> {
  try {
    (await createImageBitmap(photo)).close();
    return await findPage({ id: uniqueKey(), photo, turns: 0, corners: wholePicture });
  } catch {
    tellFault(faultOf('invalid', t('camera.unreadable', { name: photo.name })));
    return undefined;
  }
}

interface CameraProps {
  /** The item to attach the document to; none for the inbox. */
  readonly itemId: string | undefined;
  readonly first: readonly File[];
  readonly onClose: () => void;
}

/** Renders the photographed pages, to arrange them and to send them as one PDF. Closing it keeps them. */
export function Camera({ itemId, first, onClose }: CameraProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isSending, setSending] = useState(false);
  const pages = pagesFor(itemId);
  const set = (changed: readonly Page[]) => void arrange(itemId, changed);
  async function add(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const page = await pageOf(file);
      if (page) set([...pagesFor(itemId), page]);
    }
  }
  useEffect(() => void add(first), []);
  const move = (at: number, by: number) => {
    const moved = [...pages];
    moved.splice(at + by, 0, ...moved.splice(at, 1));
    set(moved);
  };
  async function makeDocument(): Promise<void> {
    const pictures = [];
    for (const page of pages) pictures.push(await finishPage(page));
    const pdf = writePdf(pictures);
    if (pdf.size > mostBytes) return tellFault(faultOf('invalid', t('camera.too_large')));
    const now = new Date();
    const name = nameAt(now);
    const document = { id: uniqueKey(), owner: ownerOf(), name, pdf, itemId, created: now.getTime() };
    // A picture that was still being read stays.
    await arrange(
      itemId,
      pagesFor(itemId).filter((page) => !pages.includes(page)),
      document,
    );
    hand(document);
    onClose();
  }
  const send = () => {
    setSending(true);
    return makeDocument().finally(() => setSending(false));
  };
  function discardAll(): void {
    const owner = ownerOf();
    set([]);
    onClose();
    tell(t('camera.discarded'), () => {
      // Somebody else may have signed in meanwhile.
      if (ownerOf() === owner) set([...pages, ...pagesFor(itemId)]);
    });
  }
  return (
    <Dialog title={t('camera.take')} onClose={isSending ? () => {} : onClose} isLarge>
      {isAnyLosable(pages) && (
        <p class="note near" role="status">
          {t('camera.losable')}
        </p>
      )}
      <ol class="shots" inert={isSending}>
        {pages.map((page, at) => (
          <PageEditor
            key={page.id}
            page={page}
            at={at}
            count={pages.length}
            onChange={(changed) => set(pages.map((one) => (one.id === page.id ? changed : one)))}
            onMove={(by) => move(at, by)}
            onRemove={() => set(pages.filter((one) => one.id !== page.id))}
          />
        ))}
      </ol>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget }) => {
          void add([...(currentTarget.files ?? [])]).then(() => {
            currentTarget.value = '';
          });
        }}
      />
      <div class="line" inert={isSending}>
        <Button icon="plus" onClick={() => input.current?.click()}>
          {t('camera.add')}
        </Button>
        <Button weight="first" icon="send" disabled={pages.length === 0} onClick={send}>
          {t('camera.send')}
        </Button>
        <Button weight="bare" icon="trash" disabled={pages.length === 0} onClick={discardAll}>
          {t('camera.discard')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Renders the documents that wait on this device, and sends them. Those that were sent from here say where they are. */
export function WaitingDocuments({ onSent }: { readonly onSent: () => unknown }) {
  const count = waiting.value.length;
  const before = useRef(count);
  useEffect(() => {
    void sendWaiting();
    return () => {
      arrived.value = [];
    };
  }, []);
  useEffect(() => {
    if (count < before.current) onSent();
    before.current = count;
  }, [count]);
  if (count + arrived.value.length === 0) return null;
  return (
    <ul class="rows" aria-live="polite">
      {waiting.value.map(({ document, progress, fault }) => (
        <li key={document.id} class="rowlink">
          <Icon name="file" />
          <span class="grow">
            {shownName(document.name)}
            <span class="soft small block">
              {t(isLosable('documents', [document.id]) ? 'camera.losable' : 'camera.kept')}
            </span>
            {fault ? (
              <>
                <FaultNote fault={fault} onRetry={sendWaiting} />
                <Button icon="trash" onClick={() => discard(document)}>
                  {t('camera.discard')}
                </Button>
              </>
            ) : (
              <span class="small num block">
                {t('camera.sending', { n: formatNumber(Math.floor(progress * 100)) })}
              </span>
            )}
          </span>
        </li>
      ))}
      {arrived.value.map((one) => (
        <li key={one.id} class="rowlink sentfile">
          <Icon name="check" />
          <span class="grow breaks">
            {arrivedText(one)} {one.href !== place.value.path && <a href={one.href}>{t('camera.look')}</a>}
          </span>
          <IconButton
            icon="close"
            label={t('common.close')}
            onClick={() => {
              arrived.value = arrived.value.filter(({ id }) => id !== one.id);
            }}
          />
        </li>
      ))}
    </ul>
  );
}
