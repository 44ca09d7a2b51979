import { createHash } from 'node:crypto';

/**
 * Returns the id that an imported record gets in its new workspace (UUID version 8). It is always the same one, so that importing again doubles nothing, and no record of another workspace has it. Like the
 * old one, it begins with the time at which the record was made, so that records stay in their order.
 */
export function importedId(teamId: string, id: string): string {
  const bytes = createHash('sha256').update(`${teamId.toLowerCase()} ${id.toLowerCase()}`).digest();
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex', 0, 16);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** The record that a row of an imported workspace is about. */
export interface ImportedRecord {
  readonly id: string;
  /**
   * The place of the record. `new`: it does not exist yet; `here`: it does; `elsewhere`: another workspace of the
   * organization has it, so that it is used and not changed; `refused`: its row cannot be imported.
   */
  readonly state: 'new' | 'here' | 'elsewhere' | 'refused';
}

/** Kinds of records that imported rows are about. */
export type ImportedKind = 'category' | 'location' | 'contact' | 'company' | 'vehicle' | 'expirationItem';

/** The records of an imported workspace, by their kinds and their ids there. */
export class ImportedRecords {
  readonly #byKind = new Map<ImportedKind, Map<string, ImportedRecord>>();

  /** Returns the records of a kind, by their ids in the archive. */
  of(kind: ImportedKind): Map<string, ImportedRecord> {
    const known = this.#byKind.get(kind) ?? new Map<string, ImportedRecord>();
    this.#byKind.set(kind, known);
    return known;
  }

  /** Returns the records of a kind, if the archive can have any. */
  ofAny(kind: string): ReadonlyMap<string, ImportedRecord> | undefined {
    return this.#byKind.get(kind as ImportedKind);
  }

  /** The number of records. */
  get count(): number {
    return [...this.#byKind.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Notes that a row cannot be imported, so that others do not name its record. */
  refuse(kind: ImportedKind, id: string): void {
    const target = this.of(kind).get(id);
    if (target) this.of(kind).set(id, { ...target, state: 'refused' });
  }
}
