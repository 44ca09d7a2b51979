import { useEffect, useRef } from 'preact/hooks';

/** Returns whether a key belongs to a field, or to an open dialog or menu. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open], .menu:popover-open')) return true;
  const element = target as HTMLElement;
  if (element.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true;
  // Buttons and links handle Enter themselves.
  return key === 'Enter' && element.closest('a, button') !== null;
}

/** Handles keyboard shortcuts while a screen is shown. */
export function useShortcuts(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
