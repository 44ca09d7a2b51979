import { parseDate } from '../../domain/dates.js';
import { findExpiryDate } from '../../domain/documents/document-dates.js';
import { FileContent } from '../../domain/files.js';
import { limits } from '../../domain/rules.js';
import { tellsDate } from '../../domain/uploads/upload.js';
import type { FoundFile } from '../filing.js';
import { type FileFetcher, isListed } from './fetch-file.js';
import type { FindFile } from './process-upload.js';
import { type ReceivedFile, readDocument } from './read-document.js';

export interface FileFinderOptions {
  /** The hosts that files are fetched from; see `createFileFetcher`. */
  readonly hosts: readonly string[];
  readonly fetchFile: FileFetcher;
}

/** Finds the expiry date in a document, with the words around it, if any. */
export async function findSuggestion(file: ReceivedFile): Promise<FoundFile['suggestion']> {
  const text = await readDocument(file);
  const found = text === null ? null : findExpiryDate(text);
  const date = found && parseDate(found.date);
  return found && date ? { date, from: found.from } : undefined;
}

/**
 * Creates the function that fetches the files of uploads and reads them. A file without a URL, or from an
 * unlisted host, is not fetched: it is filed by what its sender states.
 */
export function createFileFinder({ hosts, fetchFile }: FileFinderOptions): FindFile {
  return async (upload, signal) => {
    const { url, filename, type } = upload;
    if (url === null || !isListed(url, hosts)) return {};
    const { bytes, contentType } = await fetchFile(url, signal);
    const suggestion = tellsDate(upload)
      ? undefined
      : await findSuggestion({ bytes, contentType: type ?? contentType, filename });
    const told = contentType !== null && contentType.length <= limits.line ? contentType : null;
    return { fetched: { content: new FileContent(bytes), contentType: told }, suggestion };
  };
}
