import * as z from 'zod';
import { type ExportKind, exportKinds } from '../../domain/doors/exports.js';
import type { ArchiveEntry } from '../../exports/archive-writer.js';
import { version } from '../../version.js';
import { refuseZip } from './zip-directory.js';

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
  /** Ids in `files.csv` of files that were deleted meanwhile, or cannot be read. */
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

const manifestRules = z.object({
  gateway: z.string().max(100),
  created: z.iso.datetime(),
  team: z.object({ id: z.guid(), name: z.string() }),
  counts: z.record(z.string(), z.int().min(0)),
  missing: z.array(z.guid()),
  entries: z.array(
    z.object({ path: z.string(), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** Parses the manifest of an exported workspace. @throws GatewayError BAD_REQUEST for another one, or a newer one */
export function parseManifest(text: string): Manifest {
  let said: { readonly format?: unknown; readonly version?: unknown } | null;
  try {
    said = JSON.parse(text);
  } catch {
    throw refuseZip(`its ${manifestPath} is not JSON`);
  }
  if (said?.format !== manifestFormat)
    throw refuseZip(`its ${manifestPath} is not that of an exported workspace`);
  if (!Number.isInteger(said.version) || Number(said.version) < 1)
    throw refuseZip(`its ${manifestPath} has no version`);
  if (Number(said.version) > formatVersion) {
    const versions = `it is in version ${said.version} of the format, and this gateway knows ${formatVersion}`;
    throw refuseZip(`${versions}; update the gateway`);
  }
  const { success, data, error } = manifestRules.safeParse(said);
  if (success) return { format: manifestFormat, version: Number(said.version), ...data };
  const [{ path = [], message = '' } = {}] = error.issues;
  throw refuseZip(`in its ${manifestPath}, ${path.join('.') || 'the object'} is wrong: ${message}`);
}
