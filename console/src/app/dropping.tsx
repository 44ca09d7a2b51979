import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Icon } from '../ui/icon';
import { tell } from '../ui/toast';
import { recordKinds } from './addresses';
import { place } from './router';
import { may } from './session';

/** The place that dropped files go to: an item, or the inbox. */
interface Target {
  readonly itemId?: string;
  /** The item's name. */
  readonly name?: string;
}

const folder = `${recordKinds.EXPIRATION_ITEM.folder}/`;

/** Returns the id in the address of an item. */
function idIn(path: string): string | undefined {
  const id = path.startsWith(folder) ? path.slice(folder.length) : '';
  return id && id !== 'new' && !id.includes('/') ? decodeURIComponent(id) : undefined;
}

/** Finds the item of a row or a link, or else of the screen. */
function targetOf(under: EventTarget | null): Target {
  const row = under instanceof Element ? under.closest('a, tr, li') : null;
  const link = row?.matches('a') ? row : row?.querySelector(`a[href^="${folder}"]`);
  const rowId = link instanceof HTMLAnchorElement ? idIn(link.pathname) : undefined;
  if (rowId) return { itemId: rowId, name: link?.textContent?.trim() ?? '' };
  const itemId = idIn(place.peek().path);
  return itemId ? { itemId, name: document.querySelector('main h1')?.textContent?.trim() ?? '' } : {};
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Checks that a dialog is open. What is dropped there goes nowhere. */
const isCovered = () => document.querySelector('dialog:modal') !== null;

/**
 * Catches files that are dropped anywhere. They go to the item under them, to the item that is shown, or to the inbox.
 * Parts that take files themselves prevent the event's default. Without this, the browser would leave the page for the
 * file.
 */
export function DroppedFiles() {
  const [target, setTarget] = useState<Target>();
  useEffect(() => {
    const over = (event: DragEvent) => {
      const isOurs = hasFiles(event) && !event.defaultPrevented;
      if (isOurs) {
        event.preventDefault();
        const canTake = may('WRITE') && !isCovered();
        if (event.dataTransfer) event.dataTransfer.dropEffect = canTake ? 'copy' : 'none';
        const next = canTake ? targetOf(event.target) : undefined;
        setTarget((before) => (before && next && before.itemId === next.itemId ? before : next));
      } else setTarget(undefined);
    };
    // Leaving the window is the last of the events.
    const leave = (event: DragEvent) => event.relatedTarget === null && setTarget(undefined);
    const drop = (event: DragEvent) => {
      setTarget(undefined);
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (isCovered()) return;
      if (!may('WRITE')) return tell(t('camera.drop_not'));
      const files = [...(event.dataTransfer?.files ?? [])];
      const { itemId } = targetOf(event.target);
      void import('../camera/outbox').then(({ handFiles }) => handFiles(files, itemId));
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  if (!target) return null;
  return (
    <p class="droptold" role="status">
      <Icon name="upload" />
      <span class="breaks">
        {target.itemId ? t('camera.drop_item', { item: shownName(target.name) }) : t('camera.drop_inbox')}
      </span>
    </p>
  );
}
