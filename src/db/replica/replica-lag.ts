/** Tracks the replication lag of a read replica. Positions are byte offsets in the write-ahead log (LSNs). */
export interface ReplicaLag {
  /** Records the primary's WAL position. `at` is a time before it was queried, in milliseconds. */
  primaryAt(position: bigint, at: number): void;
  /** Records the WAL position that the replica has replayed. */
  replayedTo(position: bigint): void;
  /** Clears all positions, because the connection to the replica was lost. */
  lost(): void;
  /** Returns whether the replica has replayed the log up to a position. */
  has(position: bigint): boolean;
  /**
   * Computes the replica's lag in milliseconds. It is an upper bound, and `Infinity` while nothing is known.
   */
  behind(now: number): number;
}

/**
 * The most positions of the primary to keep. Beyond that, the replica must first catch up with the oldest.
 */
const LARGEST_HISTORY = 512;

/**
 * Creates the tracker of a replica's lag. The replica has everything committed at a time once it has replayed
 * up to a position that the primary had later. Only this process's clock is used, and an idle primary does
 * not make its replica look outdated.
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
