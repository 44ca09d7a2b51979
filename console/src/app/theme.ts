import { signal } from '@preact/signals';

/** Colours of the console: those of the machine, or chosen ones. */
export type Theme = 'auto' | 'light' | 'dark';

const storage = 'expiration-gateway.theme';

const read = (): Theme => {
  const chosen = localStorage.getItem(storage);
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
  if (chosen === 'auto') localStorage.removeItem(storage);
  else localStorage.setItem(storage, chosen);
  applyTheme();
}
