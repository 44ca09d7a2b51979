/** Writes a value for a table program. A text that it would take for a formula is kept a text. */
function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value === 'string' ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file that is made line by line, and saved by the browser. */
export class CsvFile {
  readonly #lines: string[] = [];

  constructor(head: readonly string[]) {
    this.add(head);
  }

  /** Adds a line. */
  add(values: readonly (string | number | null | undefined)[]): void {
    this.#lines.push(`${values.map(cell).join(',')}\r\n`);
  }

  /** Gives the file to the person under a name. */
  save(name: string): void {
    // With the mark by which table programs know UTF-8.
    const blob = new Blob(['\ufeff', ...this.#lines], { type: 'text/csv;charset=utf-8' });
    const address = URL.createObjectURL(blob);
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }
}
