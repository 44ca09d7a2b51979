import type { DataOf } from '../../data/operation';
import type { Start } from '../../generated/operations/start';

/** The items and counts on the start screen. */
export type StartData = DataOf<typeof Start>;
