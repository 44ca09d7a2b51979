import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asSender } from '../../data/client';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { addressHere, FilePreview, type StoredFile } from '../../ui/files';
import { Bones } from '../../ui/state';

interface DrawnPage {
  readonly page: number;
  readonly address: string;
  readonly count: number;
}

/** Fetches the picture of a page. It is undefined if the gateway cannot draw it. */
async function fetchPage(file: StoredFile, page: number): Promise<DrawnPage | undefined> {
  try {
    const url = addressHere(file);
    url.searchParams.set('page', String(page));
    const response = await fetch(url, asSender());
    if (!response.ok) return undefined;
    const address = URL.createObjectURL(await response.blob());
    return { page, address, count: Number(response.headers.get('X-Page-Count') ?? 1) };
  } catch {
    return undefined;
  }
}

interface PagePictureProps {
  readonly file: StoredFile;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Elements that lie on the picture. */
  readonly children: ComponentChildren;
}

/** Renders a page of a PDF as a picture, with buttons for its other pages. If that fails, it shows the file. */
export function PagePicture({ file, page, onPage, children }: PagePictureProps) {
  const [drawn, setDrawn] = useState<DrawnPage>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let made: DrawnPage | undefined;
    let isOver = false;
    fetchPage(file, page).then((fetched) => {
      made = fetched;
      if (isOver) return fetched && URL.revokeObjectURL(fetched.address);
      if (fetched) setDrawn(fetched);
      else setFailed(true);
    });
    return () => {
      isOver = true;
      if (made) URL.revokeObjectURL(made.address);
    };
  }, [file.id, page]);
  if (failed) return <FilePreview file={file} />;
  if (!drawn) return <Bones rows={6} />;
  const { count } = drawn;
  const at = t('inbox.page_of', { n: formatNumber(page), count: formatNumber(count) });
  return (
    <div class="stack">
      <div class="framed" aria-busy={drawn.page !== page}>
        <img class="preview" src={drawn.address} alt={`${shownName(file.name)}, ${at}`} />
        {drawn.page === page && children}
      </div>
      {count > 1 && (
        <nav class="line" aria-label={t('inbox.pages')}>
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            {t('inbox.page_before')}
          </Button>
          <span class="soft small num" aria-live="polite">
            {at}
          </span>
          <Button disabled={page >= count} onClick={() => onPage(page + 1)}>
            {t('inbox.page_after')}
          </Button>
        </nav>
      )}
    </div>
  );
}
