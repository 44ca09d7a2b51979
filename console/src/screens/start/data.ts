import type { DataOf } from '../../data/operation';
import type { Start } from '../../generated/operations';

/** All that the first screen shows of items. */
export type StartData = DataOf<typeof Start>;
