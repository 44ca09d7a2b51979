/** Window in seconds, and the number of them that make a lasting overload. */
const lookBack = { seconds: 10, shedding: 6 };

/** The part of a second's requests from which on it counts as one of overload. */
const share = 0.1;

interface Second {
  readonly at: number;
  admitted: number;
  shed: number;
}

/** Record of shed requests of the last ten seconds. It tells a burst from an overload that lasts. */
export class ShedRecord {
  readonly #uptime: () => number;
  #seconds: Second[] = [];

  /** @param uptime milliseconds that have passed, whatever clocks are set to */
  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  admit(): void {
    this.#now().admitted += 1;
  }

  shed(): void {
    this.#now().shed += 1;
  }

  /** Most of the last ten seconds had a tenth of their requests shed, or more. */
  get isLasting(): boolean {
    const oldest = Math.floor(this.#uptime() / 1000) - lookBack.seconds;
    const shedding = this.#seconds.filter(
      ({ at, admitted, shed }) => at >= oldest && shed > 0 && shed >= share * (admitted + shed),
    );
    return shedding.length >= lookBack.shedding;
  }

  #now(): Second {
    const at = Math.floor(this.#uptime() / 1000);
    const last = this.#seconds.at(-1);
    if (last?.at === at) return last;
    const second = { at, admitted: 0, shed: 0 };
    this.#seconds = [...this.#seconds.slice(-lookBack.seconds), second];
    return second;
  }
}
