import { useEffect, useState } from 'preact/hooks';

const narrow = window.matchMedia('(width < 48rem)');

/** Returns whether the window is as narrow as a phone's. */
export function useIsNarrow(): boolean {
  const [isNarrow, set] = useState(narrow.matches);
  useEffect(() => {
    const look = () => set(narrow.matches);
    narrow.addEventListener('change', look);
    return () => narrow.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
