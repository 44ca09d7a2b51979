import { signal } from '@preact/signals';
import { keep, readKept } from '../data/storage';

/** Colours of the console: those of the machine, or chosen ones. */
export type Theme = 'auto' | 'light' | 'dark';

const storage = 'expiration-gateway.theme';

const read = (): Theme => {
  const chosen = readKept('localStorage', storage);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
};

export const theme = signal<Theme>(read());

/** Shows the theme that is chosen. */
export function applyTheme(): void {
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}

/** Chooses a theme, and keeps the choice. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  keep('localStorage', storage, chosen === 'auto' ? undefined : chosen);
  applyTheme();
}
