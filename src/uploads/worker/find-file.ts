import { parseDate } from '../../domain/dates.js';
import { FileContent } from '../../domain/files.js';
import { limits } from '../../domain/rules.js';
import { tellsDate } from '../../domain/uploads/upload.js';
import type { FoundFile } from '../filing.js';
import { type DocumentOptions, readDocument } from '../reading/read-document.js';
import type { PictureReader } from '../reading/read-picture.js';
import type { ReceivedFile } from '../reading/read-text.js';
import { ReaderEnded } from '../reading/reader-process.js';
import { type FileFetcher, isListed } from './fetch-file.js';
import type { FindFile } from './process-upload.js';

export interface FileFinderOptions extends PictureReader {
  /** The hosts that files are fetched from; see `createFileFetcher`. */
  readonly hosts: readonly string[];
  readonly fetchFile: FileFetcher;
  readonly clock: () => Date;
}

/** Finds the details of a document, and the expiry date if there is only one. */
export async function findSuggestion(
  file: ReceivedFile,
  options: DocumentOptions,
): Promise<Pick<FoundFile, 'suggestion' | 'findings' | 'text' | 'problem'>> {
  const { pages, findings, problem } = await readDocument(file, options);
  const [first, other] = findings.filter(({ field }) => field === 'expiration_date');
  const date = first && !other ? parseDate(first.value) : null;
  const text = { pages, findings, filename: file.filename ?? null };
  return {
    findings,
    text,
    problem,
    ...(first && date && { suggestion: { date, from: first.words } }),
  };
}

/**
 * The most attempts at an upload whose reader somebody else ends. A kernel without memory ends it each time, and the
 * document is too costly for this machine.
 */
const mostEnded = 4;

/** Describes a document whose reader was ended too often. Before, the error lets another attempt follow. */
function givenUp(error: unknown, attempts: number): Pick<FoundFile, 'problem'> {
  if (!(error instanceof ReaderEnded) || attempts < mostEnded) throw error;
  return { problem: 'TOO_COSTLY' };
}

/**
 * Creates the function that fetches the files of uploads and reads them. A file without a URL, or from an
 * unlisted host, is not fetched: it is filed by what its sender states.
 */
export function createFileFinder({ hosts, fetchFile, clock, ...reader }: FileFinderOptions): FindFile {
  return async (upload, signal, locale, stored) => {
    const { url, filename, type } = upload;
    const isFetched = url !== null && isListed(url, hosts);
    const sent = stored ?? (isFetched ? await fetchFile(url, signal) : undefined);
    if (!sent) return {};
    const { bytes, contentType } = sent;
    const file = { bytes, contentType: type ?? contentType, filename };
    const { organizationId, userId } = upload;
    const owner = { organizationId, personId: userId ?? organizationId };
    const found = tellsDate(upload)
      ? {}
      : await findSuggestion(file, { ...reader, today: clock(), locale, signal, owner }).catch((error) =>
          givenUp(error, upload.attempts),
        );
    const told = contentType !== null && contentType.length <= limits.line ? contentType : null;
    return { fetched: { content: new FileContent(bytes), contentType: told }, ...found };
  };
}
