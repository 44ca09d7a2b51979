import { type ExecFileException, execFile } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainText, sanitizeHtml } from '../../domain/text/html.js';

export interface DocumentLimits {
  /** Milliseconds. */
  readonly time: number;
  /** Bytes of the process that reads a PDF, and of its V8 heap. */
  readonly memory: number;
  readonly heap: number;
  readonly pages: number;
  readonly characters: number;
  /** Characters of HTML. Sanitizing it takes time proportional to the square of its nesting. */
  readonly html: number;
}

const mebibyte = 2 ** 20;

export const defaultLimits: DocumentLimits = {
  time: 10_000,
  memory: 512 * mebibyte,
  heap: 256 * mebibyte,
  pages: 20,
  characters: 200_000,
  html: 65_536,
};

/** A file as it was sent. Its metadata may be missing or wrong. */
export interface ReceivedFile {
  readonly bytes: Uint8Array;
  readonly contentType?: string | null | undefined;
  readonly filename?: string | null | undefined;
}

type Kind = 'pdf' | 'html' | 'text';

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['application/pdf', 'pdf'],
  ...['text/html', '.html', '.htm'].map((name) => [name, 'html'] as const),
  ...['text/plain', 'text/csv', '.txt', '.csv'].map((name) => [name, 'text'] as const),
]);

/** Detects the kind of a file. A PDF is recognized by its first bytes, others by type, or else by name. */
function detectKind({ bytes, contentType, filename }: ReceivedFile): Kind | undefined {
  if (Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')) return 'pdf';
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isUnknown = type === '' || type === 'application/octet-stream';
  return kinds.get(isUnknown ? extname(filename ?? '').toLowerCase() : type);
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Latin-1. In Latin-1, every byte is a character. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // In streaming mode, a character that is cut off at the end is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

const program = fileURLToPath(new URL('pdf-text.mjs', import.meta.url));

/** Signals with which somebody else ends a process. */
const interruptions: ReadonlySet<unknown> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Extracts a PDF's text in a process of its own. A malicious file can make V8 run out of memory, which ends
 * the process, or decompress to more than fits: with a thread, the gateway would die as well.
 */
function readPdf(bytes: Uint8Array, limits: DocumentLimits): Promise<string | null> {
  const flags = [`--max-old-space-size=${limits.heap / mebibyte}`, '--disallow-code-generation-from-strings'];
  const { SystemRoot } = process.env;
  const options = {
    timeout: limits.time,
    killSignal: 'SIGKILL',
    maxBuffer: 4 * limits.characters,
    // None of our environment, which contains secrets.
    env: { ...(SystemRoot && { SystemRoot }) },
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    const end = (error: ExecFileException | null, text: string) => {
      if (!error) resolve(text);
      else if (interruptions.has(error.signal) || 'syscall' in error) reject(error);
      else resolve(null);
    };
    const child = execFile(process.execPath, [...flags, program, JSON.stringify(limits)], options, end);
    // A process that has ended reads no further; its exit tells the reason.
    child.stdin?.on('error', () => {}).end(bytes);
  });
}

/**
 * Extracts the first 200,000 characters of a document's text. It reads the first 20 pages of a PDF, a plain
 * text or CSV file, or the visible part of the first 64 KiB of HTML. A PDF may take 10 seconds and 512 MiB,
 * in a process started for it; one with only pictures has no text.
 * @returns null for any other file, and for one that cannot be read: damaged, password-protected, or too
 *   costly
 * @throws {Error} if the process cannot be started or is told to stop, whatever the document: retry then
 */
export async function readDocument(
  file: ReceivedFile,
  limits: DocumentLimits = defaultLimits,
): Promise<string | null> {
  const kind = detectKind(file);
  if (kind === 'pdf') return readPdf(file.bytes, limits);
  if (kind === undefined) return null;
  const source = decode(file.bytes.subarray(0, 4 * limits.characters));
  if (source.includes('\0')) return null;
  const text = kind === 'html' ? plainText(sanitizeHtml(source.slice(0, limits.html))) : source;
  return text.slice(0, limits.characters).toWellFormed();
}
