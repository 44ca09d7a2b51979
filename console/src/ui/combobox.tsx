import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Field, type FieldProps } from './field';
import { Icon } from './icon';

/** A record that can be selected. */
export interface Option {
  readonly id: string;
  readonly label: string;
  /** A detail that distinguishes it from others of its name. */
  readonly detail?: string | undefined;
}

interface ComboboxProps extends FieldProps {
  readonly chosen: readonly Option[];
  readonly onChange: (chosen: readonly Option[]) => void;
  /** Finds records by a text; an empty one finds the first. */
  readonly find: (term: string, signal: AbortSignal) => Promise<readonly Option[]>;
  readonly isMany?: boolean;
  /** Text for no selection: what applies then. */
  readonly empty?: string | undefined;
  /** Creates an option from a text that matches no record yet. */
  readonly create?: (text: string) => Option;
}

/** Finds options while somebody types. Only the last query's result counts. */
function useOptions(find: ComboboxProps['find'], term: string | undefined): readonly Option[] | undefined {
  const [found, setFound] = useState<readonly Option[]>();
  useEffect(() => {
    if (term === undefined) return;
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const options = await find(term, abort.signal);
        if (!abort.signal.aborted) setFound(options);
      },
      term ? 120 : 0,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [term]);
  return term === undefined ? undefined : found;
}

/** Places the options below their field, or above it if there is more room. */
function placeOptions(list: HTMLElement, field: HTMLElement): void {
  const at = field.getBoundingClientRect();
  // Without the keyboard of a phone, which covers a part of the window.
  const seen = window.visualViewport;
  const top = seen?.offsetTop ?? 0;
  const [above, below] = [at.top - top, top + (seen?.height ?? window.innerHeight) - at.bottom];
  const gap = 2;
  list.style.inlineSize = `${at.width}px`;
  list.style.left = `${at.left}px`;
  list.style.maxBlockSize = `min(18rem, ${Math.max(above, below) - 4 * gap}px)`;
  const isAbove = list.offsetHeight > below - 4 * gap && above > below;
  list.style.top = `${isAbove ? at.top - gap - list.offsetHeight : at.bottom + gap}px`;
}

/** Shows the list of options above everything, so that nothing cuts it off. It stays at its field. */
function useFloating(isOpen: boolean, list: { readonly current: HTMLElement | null }, field: typeof list) {
  const place = () => {
    if (list.current && field.current) placeOptions(list.current, field.current);
  };
  useLayoutEffect(() => {
    if (!isOpen) return;
    list.current?.showPopover();
    const seen = window.visualViewport;
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    seen?.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
      seen?.removeEventListener('resize', place);
    };
  }, [isOpen]);
  // After each change, because the number of options changes its height.
  useLayoutEffect(place);
}

/** Renders a combobox for one record or many, found by parts of their names. */
export function Combobox({ chosen, onChange, find, isMany = false, empty, create, ...field }: ComboboxProps) {
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const isOpen = typed !== undefined;
  const floating = useRef<HTMLDivElement>(null);
  useFloating(isOpen, floating, input);
  const found = useOptions(find, typed);
  const ids = new Set(chosen.map(({ id }) => id));
  const term = typed?.trim() ?? '';
  const left = (found ?? []).filter(({ id }) => !isMany || !ids.has(id));
  const isKnown = left.some(({ label }) => label.toLocaleLowerCase() === term.toLocaleLowerCase());
  const options = create && term && found && !isKnown ? [...left, create(term)] : left;

  function choose(option: Option | undefined) {
    if (!option) return;
    onChange(isMany ? [...chosen.filter(({ id }) => id !== option.id), option] : [option]);
    setTyped(isMany ? '' : undefined);
    setAt(0);
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return setTyped('');
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((at + step + options.length) % Math.max(1, options.length));
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      choose(options[at]);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(undefined);
    } else if (event.key === 'Backspace' && isMany && !typed) {
      onChange(chosen.slice(0, -1));
    }
  }
  const remove = (id: string) => {
    onChange(chosen.filter((option) => option.id !== id));
    input.current?.focus();
  };
  const shown = isMany ? '' : chosen[0] ? shownName(chosen[0].label) : '';
  return (
    <Field {...field}>
      {(control) => (
        <div class="combo">
          {isMany && chosen.length > 0 && (
            <div class="chosen">
              {chosen.map(({ id, label }) => (
                <span class="tag" key={id}>
                  {shownName(label)}
                  <button
                    type="button"
                    aria-label={t('common.remove', { name: shownName(label) })}
                    onClick={() => remove(id)}
                  >
                    <Icon name="close" />
                  </button>
                </span>
              ))}
            </div>
          )}
          <input
            {...control}
            ref={input}
            class="input"
            role="combobox"
            autoComplete="off"
            aria-expanded={isOpen}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options[at] ? `${list}-${at}` : undefined}
            placeholder={isMany ? t('common.add_by_typing') : (empty ?? t('common.none'))}
            value={typed ?? shown}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onClick={() => setTyped(typed ?? '')}
            onInput={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setAt(0);
              if (!isMany && currentTarget.value === '') onChange([]);
            }}
            onKeyDown={press}
            onBlur={() => setTyped(undefined)}
          />
          {isOpen && (
            <div
              ref={floating}
              popover="manual"
              class="options"
              id={list}
              // A list of options without any is invalid (ARIA 1.2, listbox).
              {...(options.length > 0 && { role: 'listbox', 'aria-label': field.label })}
            >
              {options.map((option, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's, which keeps the focus.
                <div
                  key={option.id}
                  id={`${list}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === at}
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseEnter={() => setAt(index)}
                  onClick={() => choose(option)}
                >
                  <span class="clip">{shownName(option.label)}</span>
                  {option.detail && <span class="soft small clip push">{option.detail}</span>}
                </div>
              ))}
              {options.length === 0 && (
                <p class="none" role="status">
                  {found ? t('common.nothing_found') : t('common.loading')}
                </p>
              )}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}
