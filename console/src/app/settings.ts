import { signal } from '@preact/signals';

/** Settings that the console needs before anybody is signed in. */
interface PageSettings {
  readonly version: string;
  /** Says that browsers are shown the GraphQL editor. */
  readonly editor: boolean;
  /** The issuer by which people sign in, if one is set up. */
  readonly oidc: OidcSettings | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

export const pageSettings = signal<PageSettings | undefined>(undefined);

/** Loads the settings. Without them a person still signs in with a token. */
export async function loadPageSettings(): Promise<void> {
  try {
    const response = await fetch('/console/config.json', { credentials: 'omit' });
    if (response.ok) pageSettings.value = await response.json();
  } catch {
    // The gateway cannot be reached: the first request tells it.
  }
}
