import { signal } from '@preact/signals';

/** Selected rows, and the row with the keyboard focus. Each row subscribes only to its own state. */
export class Selection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  /** The focused position in the list; -1 before the keyboard is used. */
  readonly at = signal(-1);
  /** Scrolls to a row that the page does not have, as in a long list. */
  reveal: (at: number) => void = () => {};
  #last = -1;

  /** Selects or deselects a row, or all rows since the last one. */
  toggle(all: readonly string[], at: number, isRange = false): void {
    const id = all[at];
    if (id === undefined) return;
    const ids = new Set(this.ids.peek());
    const chosen = !ids.has(id);
    const [from, until] = isRange && this.#last >= 0 ? [this.#last, at].sort((a, b) => a - b) : [at, at];
    for (const other of all.slice(from, (until ?? at) + 1)) {
      if (chosen) ids.add(other);
      else ids.delete(other);
    }
    this.#last = at;
    this.ids.value = ids;
  }

  /** Selects all rows, or none if all are selected. */
  toggleAll(all: readonly string[]): void {
    const ids = this.ids.peek();
    this.ids.value = all.every((id) => ids.has(id)) ? new Set() : new Set(all);
  }

  /** Selects exactly these rows. */
  choose(all: readonly string[]): void {
    this.ids.value = new Set(all);
  }

  clear(): void {
    if (this.ids.peek().size > 0) this.ids.value = new Set();
    this.#last = -1;
  }

  /** Moves the focus by some rows, and scrolls to it. */
  move(step: number, count: number): void {
    this.at.value = Math.max(0, Math.min(count - 1, this.at.peek() + step));
    const row = document.querySelector(`[data-index="${this.at.peek()}"]`);
    if (row) row.scrollIntoView({ block: 'nearest' });
    else this.reveal(this.at.peek());
  }
}
