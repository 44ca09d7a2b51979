/** Turns of the event loop between two requests while connections come in. */
const turnsToAccept = 4;

/**
 * Starts requests that waited, one in a turn of the event loop at most. Node.js 20 accepts one connection in each turn
 * (libuv 1.46), so turns have to be short: what waits in the system is seen by nobody, and not refused.
 */
export class Starts {
  readonly #next: () => boolean;
  #isUnderWay = false;
  #accepted = false;
  #turnsLeft = turnsToAccept;

  /** @param next starts one; says whether there is another one to be started */
  constructor(next: () => boolean) {
    this.#next = next;
  }

  /** Notes that a connection was accepted in this turn: more may wait. */
  noteConnection(): void {
    this.#accepted = true;
  }

  /** Begins to start them with the next turn. */
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
