/** Turns of the event loop between two requests while new connections arrive. */
const turnsToAccept = 4;

/**
 * Starts waiting requests, at most one per turn of the event loop. Node.js 20 accepts one connection per turn
 * (libuv 1.46), so turns must be short: a connection still in the system's queue can be neither seen nor
 * refused.
 */
export class Starts {
  readonly #next: () => boolean;
  #isUnderWay = false;
  #accepted = false;
  #turnsLeft = turnsToAccept;

  /** @param next starts one request; returns whether another one is waiting */
  constructor(next: () => boolean) {
    this.#next = next;
  }

  /** Notes that a connection was accepted in this turn, so more may be waiting. */
  noteConnection(): void {
    this.#accepted = true;
  }

  /** Begins to start waiting requests with the next turn. */
  begin(): void {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#accepted = false;
    this.#turnsLeft = turnsToAccept;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    if (this.#accepted && this.#turnsLeft > 0) {
      this.#accepted = false;
      this.#turnsLeft -= 1;
      setImmediate(this.#turn);
      return;
    }
    this.#isUnderWay = false;
    if (this.#next()) this.begin();
  };
}
