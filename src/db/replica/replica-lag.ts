/** How far a replica is, as a process knows it. Positions are byte offsets in the write-ahead log. */
export interface ReplicaLag {
  /** The primary was at a position. `at` is a moment before it was asked, in milliseconds. */
  primaryAt(position: bigint, at: number): void;
  /** The replica has replayed up to a position. */
  replayedTo(position: bigint): void;
  /** Nothing is known of the replica any more. */
  lost(): void;
  /** Whether the replica has replayed up to a position. */
  has(position: bigint): boolean;
  /** Milliseconds of which the replica may lack what was committed; at most, and infinitely many if that is unknown. */
  behind(now: number): number;
}

/** Moments that are remembered; the replica has at best to catch up with the oldest of them. */
const LARGEST_HISTORY = 512;

/**
 * Makes what knows how far a replica is: it has all that was committed at a moment once it has replayed up to where
 * the primary was afterwards. No clock but the process's own is asked, and an idle primary makes no replica old.
 */
export function createReplicaLag(): ReplicaLag {
  let moments: { readonly position: bigint; readonly at: number }[] = [];
  let replayed = -1n;
  let completeAt = Number.NEGATIVE_INFINITY;
  return {
    primaryAt(position, at) {
      if (moments.length < LARGEST_HISTORY) moments.push({ position, at });
    },
    replayedTo(position) {
      replayed = position;
      for (const moment of moments) if (moment.position <= position) completeAt = moment.at;
      moments = moments.filter((moment) => moment.position > position);
    },
    lost() {
      moments = [];
      replayed = -1n;
      completeAt = Number.NEGATIVE_INFINITY;
    },
    has: (position) => replayed >= position,
    behind: (now) => now - completeAt,
  };
}
