import { type ExportKind, exportKinds } from '../../domain/doors/exports.js';
import { version } from '../../version.js';
import type { ArchiveEntry } from './archive-writer.js';

/** Identifies the manifest of an exported workspace. */
export const manifestFormat = 'expiration-gateway workspace';

/** Version of the format. A newer one may have what this program does not understand. */
export const formatVersion = 1;

/** Names of files in an exported workspace. */
export const manifestPath = 'manifest.json';
export const filesPath = 'files.csv';
/** Returns the path of a list in an exported workspace. */
export const listPath = (kind: ExportKind): string => `${kind}.csv`;

/** The contents of an exported workspace. */
export interface Manifest {
  readonly format: typeof manifestFormat;
  readonly version: number;
  /** Version of the gateway that wrote it. */
  readonly gateway: string;
  readonly created: string;
  readonly team: { readonly id: string; readonly name: string };
  /** Rows of each list. */
  readonly counts: Readonly<Record<string, number>>;
  /** Files that were deleted while the export was made, by their ids in `files.csv`. */
  readonly missing: readonly string[];
  readonly entries: readonly ArchiveEntry[];
}

/** The part of a manifest that is not about single files. */
export type ManifestHead = Pick<Manifest, 'created' | 'team' | 'counts' | 'missing'>;

/** Yields the manifest as JSON, some files at a time. */
export function* manifestText(head: ManifestHead, entries: readonly ArchiveEntry[]): Generator<string> {
  const { created, team, counts, missing } = head;
  const said = { format: manifestFormat, version: formatVersion, gateway: version, created, team, counts };
  yield `${JSON.stringify({ ...said, missing }, null, 2).slice(0, -2)},\n  "entries": [`;
  for (const [at, entry] of entries.entries()) yield `${at === 0 ? '' : ','}\n    ${JSON.stringify(entry)}`;
  yield '\n  ]\n}\n';
}

/** Lists that an exported workspace has. */
export const archivedKinds = exportKinds;
