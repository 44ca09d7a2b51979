import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';

type Loaded = typeof import('./camera');

interface TakePictureProps {
  /** The item to attach pictures to; none for the inbox. There, files are chosen here as well. */
  readonly itemId?: string;
  readonly onSent: () => unknown;
}

/** Renders the buttons for pictures and files. Documents that wait to be sent follow. */
export function TakePicture({ itemId, onSent }: TakePictureProps) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLInputElement>(null);
  const [loaded, setLoaded] = useState<Loaded>();
  const [taken, setTaken] = useState<ComponentProps<Loaded['Camera']>['first']>();
  useEffect(() => {
    // It is loaded before it is needed, because the connection may be gone by then.
    import('./camera')
      .then(async (camera) => {
        await camera.findTaken();
        setLoaded(camera);
      })
      .catch(() => {});
  }, []);
  const kept = loaded?.pagesFor(itemId).length ?? 0;
  return (
    <div class="stack">
      <div class="line">
        {loaded && kept > 0 ? (
          <Button
            icon="camera"
            onClick={async () => {
              // Another tab may have sent them.
              await loaded.findTaken();
              if (loaded.pagesFor(itemId).length > 0) setTaken([]);
            }}
          >
            {t('camera.continue', { n: kept })}
          </Button>
        ) : (
          <Button icon="camera" disabled={!loaded} onClick={() => input.current?.click()}>
            {t('camera.take')}
          </Button>
        )}
        {itemId === undefined && (
          <Button icon="upload" disabled={!loaded} onClick={() => chosen.current?.click()}>
            {t('camera.choose')}
          </Button>
        )}
        {itemId === undefined && <span class="soft small ifmouse">{t('camera.drop_here')}</span>}
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) setTaken(files);
        }}
      />
      {itemId === undefined && (
        <input
          ref={chosen}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            // Emptying the field empties its list, too.
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            void loaded?.handFiles(files);
          }}
        />
      )}
      {loaded && <loaded.WaitingDocuments onSent={onSent} />}
      {loaded && taken && <loaded.Camera itemId={itemId} first={taken} onClose={() => setTaken(undefined)} />}
    </div>
  );
}
