import { signal } from '@preact/signals';

/** Settings that the console needs before anybody has signed in. */
interface PageSettings {
  readonly version: string;
  /** True if browsers get the GraphQL editor. */
  readonly editor: boolean;
  /** The issuer with which people sign in, if one is configured. */
  readonly oidc: OidcSettings | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

export const pageSettings = signal<PageSettings | undefined>(undefined);

/** Loads the settings. Without them, people can still sign in with a token. */
export async function loadPageSettings(): Promise<void> {
  try {
    const response = await fetch('/console/config.json', { credentials: 'omit' });
    if (response.ok) pageSettings.value = await response.json();
  } catch {
    // The gateway is unreachable, which the first request will report.
  }
}
