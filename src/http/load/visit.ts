import { GatewayError } from '../../domain/errors.js';
import type { AdmissionQueue, AdmissionSlot, WorkKind } from '../../domain/load/admission.js';

/** Milliseconds that a body may pause before its request gives up its slot. */
const slowCallerMs = 250;

/** One request or WebSocket operation on its way through admission control. */
export interface Visit {
  /**
   * Waits for its turn.
   * @throws GatewayError UNAVAILABLE if that takes too long
   */
  turn(): Promise<void>;
  /** Waits for a part of the body. A client that is slow to send it gives up its slot meanwhile. */
  whileReceiving<T>(received: Promise<T>): Promise<T>;
  /** Ends the visit: its work is done, or nobody waits for it any more. */
  end(): void;
}

/** A visit that may have to wait. */
export class QueuedVisit implements Visit {
  readonly #queue: AdmissionQueue;
  readonly #kind: WorkKind;
  /** Counts that the request has waited for too long, and returns its error. */
  readonly #onOverdue: () => GatewayError;
  #place: AdmissionSlot | undefined;
  #leaveQueue: (() => void) | undefined;
  #ended = false;

  constructor(queue: AdmissionQueue, kind: WorkKind, onOverdue: () => GatewayError) {
    this.#queue = queue;
    this.#kind = kind;
    this.#onOverdue = onOverdue;
    this.#place = queue.take();
  }

  async turn(): Promise<void> {
    if (this.#place) return;
    const place = await new Promise<AdmissionSlot | 'overdue' | 'gone'>((resolve) => {
      const leave = this.#queue.wait(this.#kind, (given) => resolve(given ?? 'overdue'));
      this.#leaveQueue = () => {
        leave();
        resolve('gone');
      };
    });
    this.#leaveQueue = undefined;
    if (place === 'overdue') throw this.#onOverdue();
    if (place === 'gone') throw new GatewayError('BAD_REQUEST', 'The caller did not wait for the response.');
    this.#place = place;
  }

  async whileReceiving<T>(received: Promise<T>): Promise<T> {
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // Check only after received data has been read, because on a busy process the timer fires first.
      late = setImmediate(() => this.#place?.leave());
    }, slowCallerMs);
    try {
      return await received;
    } finally {
      clearTimeout(timer);
      clearImmediate(late);
      if (!this.#ended && this.#place?.isLeft) this.#place = this.#queue.takeAgain();
    }
  }

  /** Stops waiting. Work that has begun keeps its slot until its end. */
  giveUp(): void {
    this.#leaveQueue?.();
  }

  end(): void {
    this.#ended = true;
    this.#place?.leave();
  }
}

/** The visit of requests that are always admitted. */
export const unhindered: Visit = {
  turn: async () => {},
  whileReceiving: (received) => received,
  end: () => {},
};
