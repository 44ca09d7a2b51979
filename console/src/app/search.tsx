import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { request } from '../data/client';
import { Search as SearchOperation } from '../generated/operations/app';
import { t } from '../i18n/i18n';
import { Icon } from '../ui/icon';
import { Countdown } from '../ui/status';
import { type Hit, hitOf, screenHits } from './hits';
import { follow } from './router';

/** Searches records while somebody types, once the text is long enough. */
function useHits(term: string): readonly Hit[] | undefined {
  const [hits, setHits] = useState<readonly Hit[]>();
  const isLong = /[\p{L}\p{N}]{3}/u.test(term);
  useEffect(() => {
    if (!isLong) return setHits(undefined);
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await request(SearchOperation, { term }, abort.signal);
      if (abort.signal.aborted) return;
      setHits(outcome.ok ? outcome.data.search.nodes.flatMap(hitOf) : []);
    }, 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term, isLong]);
  return isLong ? hits : [];
}

/** Renders the search over all records. Typing searches, arrows select, Enter opens. */
export function Search({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const term = typed.trim();
  const found = useHits(term);
  const hits = [...screenHits(term), ...(found ?? [])];
  // Before the next key press, so that everything typed after opening the search goes into it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at, list]);

  function open(hit: Hit | undefined) {
    if (!hit) return;
    onClose();
    follow(hit.href);
  }
  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) {
      event.preventDefault();
      setAt((at + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(hits[at]);
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      class="dialog finder"
      aria-label={t('common.search')}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="finderhead">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={hits[at] ? `${list}-${at}` : undefined}
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          autoComplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div class="options" id={list} role="listbox" aria-label={t('common.search')} tabIndex={-1}>
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's, which keeps the focus.
          <div
            key={hit.key}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => open(hit)}
          >
            <Icon name={hit.icon} />
            <span class="hit">
              <span class="clip">{hit.label}</span>
              <span class="soft small clip">{hit.where}</span>
              {hit.snippet && <span class="soft small clip">{hit.snippet}</span>}
            </span>
            {hit.date && (
              <span class="small push">
                <Countdown date={hit.date} timeZone={hit.timeZone} />
              </span>
            )}
          </div>
        ))}
      </div>
      <p class="finderhint soft small" role="status">
        {found === undefined && t('common.loading')}
        {found && term.length < 3 && t('common.search_hint')}
        {found && term.length >= 3 && hits.length === 0 && t('common.search_none', { term })}
      </p>
    </dialog>
  );
}
