/** Window in seconds, and how many of them must be overloaded for a lasting overload. */
const lookBack = { seconds: 10, shedding: 6 };

/** Share of shed requests from which a second counts as overloaded. */
const share = 0.1;

interface Second {
  readonly at: number;
  admitted: number;
  shed: number;
}

/** Record of shed requests of the last ten seconds. It distinguishes a burst from a lasting overload. */
export class ShedRecord {
  readonly #uptime: () => number;
  #seconds: Second[] = [];

  /** @param uptime milliseconds of a monotonic clock */
  constructor(uptime: () => number) {
    this.#uptime = uptime;
  }

  admit(): void {
    this.#now().admitted += 1;
  }

  shed(): void {
    this.#now().shed += 1;
  }

  /** True if a tenth of the requests were shed in most of the last seconds. */
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
