import { signal } from '@preact/signals';
import { keep, readKept } from '../data/browser';

/** Color scheme of the console: that of the system, or a chosen one. */
export type Theme = 'auto' | 'light' | 'dark';

const storage = 'expiration-gateway.theme';

const read = (): Theme => {
  const chosen = readKept('localStorage', storage);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
};

export const theme = signal<Theme>(read());

/** Applies the chosen theme. */
export function applyTheme(): void {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

/** Chooses a theme, and stores the choice. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  keep('localStorage', storage, chosen === 'auto' ? undefined : chosen);
  applyTheme();
}
