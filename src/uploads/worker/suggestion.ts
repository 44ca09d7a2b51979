import { parseDate } from '../../domain/dates.js';
import { findExpiryDate } from '../../domain/documents/document-dates.js';
import type { FoundFile } from '../filing.js';
import { type ReceivedFile, readDocument } from './read-document.js';

/** Finds the expiry date in a document, with the words around it, if any. */
export async function findSuggestion(file: ReceivedFile): Promise<FoundFile['suggestion']> {
  const text = await readDocument(file);
  const found = text === null ? null : findExpiryDate(text);
  const date = found && parseDate(found.date);
  return found && date ? { date, from: found.from } : undefined;
}
