import { GatewayError, type Violation } from '../../domain/errors.js';
import { isUuid } from '../../domain/rules.js';
import { readInput } from '../../graphql/define/coerce.js';
import type { ImportOptions, RowError } from '../../imports/options.js';
import { toInput } from '../../rest/body.js';
import { memberName } from '../../web/parameters.js';
import { unguarded } from '../cells.js';
import { customPrefix } from '../columns.js';
import { readCell } from './cells.js';
import { type ImportTarget, type Mapping, typeOfColumn } from './headers/mapping.js';
import { isShortened } from './preview/spreadsheet.js';
import type { FileRow, FileTable } from './read-file.js';

/** A row as the file says it. */
export interface ParsedRow {
  readonly line: number;
  /** The texts of its cells by their columns. */
  readonly cells: ReadonlyMap<string, string>;
  /** Values for the record's members, in the names of the contract. An empty cell is null. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of custom fields by name. */
  readonly custom: ReadonlyMap<string, string>;
  readonly errors: readonly RowError[];
  /** Doubts about cells that could be read, by their columns. */
  readonly warnings: ReadonlyMap<string, RowError>;
}

/** The most characters of a value that an error repeats. */
const longestValue = 80;

/** Creates the error of a cell. */
export function rowError(
  row: number,
  column: string | null,
  value: string | null,
  message: string,
): RowError {
  const shown =
    value === null || value.length <= longestValue ? value : `${value.slice(0, longestValue - 1)}…`;
  return { row, column, value: shown?.toWellFormed() ?? null, message };
}

/** Finds users by their addresses, or by their ids. */
export type UsersByEmail = ReadonlyMap<string, readonly string[]>;

function readUser(
  text: string,
  users: UsersByEmail,
): { readonly value: unknown } | { readonly problem: string } {
  if (isUuid(text.trim())) return { value: { id: text.trim() } };
  const found = users.get(text.trim().toLowerCase()) ?? [];
  if (found.length > 1) return { problem: 'names several users' };
  return found[0] === undefined ? { problem: 'names no user that exists' } : { value: { id: found[0] } };
}

/** Returns why a value is probably wrong. */
function doubtOf(value: unknown, type: string | undefined): string | undefined {
  const text = String(value);
  // The year is likelier one of another calendar, or a slip.
  if (type === 'Date')
    return text < '1970' || text >= '2201' ? `becomes ${text}: is the year right?` : undefined;
  if (type !== 'String' || !isShortened(text)) return undefined;
  return 'looks like a number that a spreadsheet has rounded';
}

/** Reads the rows of a file. */
export class RowReader {
  readonly #target: ImportTarget;
  readonly #mapping: Mapping;
  readonly #headers: readonly string[];
  readonly #options: ImportOptions;
  readonly #users: UsersByEmail;

  constructor(
    target: ImportTarget,
    table: FileTable,
    mapping: Mapping,
    options: ImportOptions,
    users: UsersByEmail,
  ) {
    this.#target = target;
    this.#mapping = mapping;
    this.#headers = table.headers;
    this.#options = options;
    this.#users = users;
  }

  /** Reads a row's cells. It does not know yet whether a record exists. */
  read({ line, cells: texts, leftOut }: FileRow): ParsedRow {
    const { columns, guards, peer } = this.#mapping;
    const [cells, custom] = [new Map<string, string>(), new Map<string, string>()];
    const body: Record<string, unknown> = {};
    const errors: RowError[] = [];
    const warnings = new Map<string, RowError>();
    if (texts.length !== columns.length) {
      const message = `has ${texts.length} cells, and the header has ${columns.length}`;
      return { line, cells, custom, body, errors: [rowError(line, null, null, message)], warnings };
    }
    for (const [at, column] of columns.entries()) {
      if (column === undefined || leftOut?.has(column)) continue;
      const sent = texts[at] ?? '';
      const written = unguarded(sent, guards);
      const text = peer?.read(column, written, texts) ?? written;
      cells.set(column, text);
      const about = (message: string) => rowError(line, this.#headers[at] ?? column, text, message);
      const warn = (value: unknown, type: string | undefined) => {
        const doubt = doubtOf(value, type);
        if (doubt !== undefined) warnings.set(column, about(doubt));
      };
      if (column.startsWith(customPrefix)) {
        custom.set(column.slice(customPrefix.length), text);
        warn(text, 'String');
        continue;
      }
      const type = typeOfColumn(this.#target, column);
      if (text.trim() === '') {
        if (type !== undefined && type !== 'Boolean') body[column] = null;
        continue;
      }
      if (type === undefined) continue;
      const read =
        type === 'UserReference' ? readUser(text, this.#users) : readCell(text, type, this.#options);
      if ('problem' in read) {
        errors.push(about(read.problem));
        continue;
      }
      body[column] = read.value;
      warn(read.value, type);
    }
    return { line, cells, custom, body, errors, warnings };
  }

  /** Creates the errors of a row that could not be written. */
  errorsOf({ line, cells }: ParsedRow, error: GatewayError): RowError[] {
    const violations: readonly Violation[] =
      error.violations.length > 0
        ? error.violations
        : [{ path: error.fieldPath, message: error.message, rule: 'invalid' }];
    return violations.map(({ path, message }) => {
      const column = typeof path[0] === 'string' ? memberName(path[0]) : null;
      const header =
        column === null ? null : (this.#headers[this.#mapping.columns.indexOf(column)] ?? column);
      return rowError(line, header, column === null ? null : (cells.get(column) ?? null), message);
    });
  }

  /**
   * Converts a row's body to an input of the gateway.
   * @param isNew true for a new record
   * @throws GatewayError BAD_REQUEST with all violations
   */
  toInput(body: Readonly<Record<string, unknown>>, isNew: boolean): Record<string, unknown> {
    const { createInput, updateInput } = this.#target;
    const type = isNew ? createInput : updateInput;
    const { value, violations } = toInput(body, type);
    if (violations.length > 0) {
      throw new GatewayError('BAD_REQUEST', violations[0]?.message ?? '', { violations });
    }
    // Dates and words are texts so far.
    return readInput(value, type).value as Record<string, unknown>;
  }
}
