import type { ComponentType } from 'preact';

/** A page for people who are not signed in. Links open it, with a secret after `#` or in the path. */
export interface DoorPage {
  /** Finds the page's paths. */
  readonly path: RegExp;
  /** Loads it when it is opened. Its default export is the page. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** All pages that links open, besides the one for signing in. */
export const doorPages: readonly DoorPage[] = [
  { path: /^\/invitations\/[^/]+$/, load: () => import('./invitation') },
  { path: /^\/setup$/, load: () => import('./setup') },
  { path: /^\/sign-in\/enroll$/, load: () => import('./enroll') },
  { path: /^\/sign-in\/link$/, load: () => import('./link') },
  { path: /^\/sign-in\/reset$/, load: () => import('./reset') },
];

/** Finds the page of a path. */
export const findDoorPage = (path: string): DoorPage | undefined =>
  doorPages.find((page) => page.path.test(path));
