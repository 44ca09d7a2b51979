import type { ComponentType } from 'preact';
import type { Permission } from '../generated/types';
import type { Key } from '../i18n/i18n';
import type { IconName } from '../ui/icon';

/** Properties that a screen gets from its address. */
export interface ScreenProps {
  /** The part after the screen's path: `/items/{id}`. */
  readonly id: string;
}

/** A module of `src/screens`: its default export is the screen. */
interface ScreenModule {
  readonly default: ComponentType<ScreenProps>;
}

/** A screen's place in the navigation. */
interface NavigationEntry {
  readonly label: Key;
  readonly icon: IconName;
  readonly group: 'work' | 'records' | 'setup';
  /** True if it is among the few at the bottom of a phone. */
  readonly isMain?: boolean;
}

export interface Screen {
  /** Its address; `:id` stands for one segment. */
  readonly path: string;
  /** Loads it when it is first opened. */
  readonly load: () => Promise<ScreenModule>;
  readonly navigation?: NavigationEntry;
  /** The right without which it is hidden. */
  readonly permission?: Permission;
}
