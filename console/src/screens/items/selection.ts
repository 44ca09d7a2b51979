import { signal } from '@preact/signals';

/** Rows that are chosen, and the one that the keyboard is at. A row follows its own state alone. */
export class Selection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  /** The place of the keyboard in the list; -1 before it is used. */
  readonly at = signal(-1);
  #last = -1;

  /** Chooses a row or lets it go, or all rows since the last one. */
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

  /** Chooses all rows, or none when all are. */
  toggleAll(all: readonly string[]): void {
    const ids = this.ids.peek();
    this.ids.value = all.every((id) => ids.has(id)) ? new Set() : new Set(all);
  }

  clear(): void {
    this.ids.value = new Set();
    this.#last = -1;
  }

  /** Moves the keyboard by some rows, and shows where it is. */
  move(step: number, count: number): void {
    this.at.value = Math.max(0, Math.min(count - 1, this.at.peek() + step));
    document.querySelector(`[data-row="${this.at.peek()}"]`)?.scrollIntoView({ block: 'nearest' });
  }
}
