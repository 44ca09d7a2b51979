/** States of a request for a document. */
export const requestStates = [
  'OPEN',
  'SENT',
  'OPENED',
  'RECEIVED',
  'ACCEPTED',
  'CANCELLED',
  'LAPSED',
] as const;

/** State of a request for a document. */
export type RequestState = (typeof requestStates)[number];

/** Steps of a request. Each has the states in which it is possible, and the one that follows. */
const steps = {
  sent: { from: ['OPEN'], to: 'SENT' },
  opened: { from: ['SENT'], to: 'OPENED' },
  received: { from: ['OPEN', 'SENT', 'OPENED', 'RECEIVED'], to: 'RECEIVED' },
  accepted: { from: ['RECEIVED'], to: 'ACCEPTED' },
  declined: { from: ['RECEIVED'], to: 'OPEN' },
  resent: { from: ['OPEN', 'SENT', 'OPENED', 'LAPSED'], to: 'OPEN' },
  cancelled: { from: ['OPEN', 'SENT', 'OPENED', 'RECEIVED', 'LAPSED'], to: 'CANCELLED' },
  lapsed: { from: ['OPEN', 'SENT', 'OPENED'], to: 'LAPSED' },
} as const satisfies Record<string, { readonly from: readonly RequestState[]; readonly to: RequestState }>;

/** Step of a request for a document. */
export type RequestStep = keyof typeof steps;

/** Returns the state of a request after a step. Undefined if the step is not possible. */
export function stateAfter(state: RequestState, step: RequestStep): RequestState | undefined {
  const { from, to } = steps[step];
  return (from as readonly RequestState[]).includes(state) ? to : undefined;
}

/** States of a request that nobody has answered yet. */
export const unansweredStates = ['OPEN', 'SENT', 'OPENED'] as const satisfies readonly RequestState[];

/** Lists the states in which something can happen. */
export const statesBefore = (step: RequestStep): readonly RequestState[] => steps[step].from;

/** Settings of requests for documents, which an operator decides. */
export interface AskingSettings {
  /** Requests of a workspace in a day, and mails. Nobody sends spam through it. */
  readonly perDay: number;
  /** Mails about what was asked, and days between them. */
  readonly mails: number;
  readonly mailDays: number;
  /** Days for which the link works after the last mail. */
  readonly linkDays: number;
}

/** Settings that hold if an operator decides nothing. */
export const usualAsking: AskingSettings = { perDay: 500, mails: 5, mailDays: 7, linkDays: 30 };

/** Limits of requests for documents. */
export const askingLimits = {
  /** The most requests that a page of a link shows. */
  shown: 500,
  /** The most requests that are made at once. */
  atOnce: 500,
  /** Mails of a workspace to one recipient in a day. */
  mailsOfDay: 10,
  /** The most files of an answer, and their bytes together. */
  files: 10,
  bytes: 50 * 1024 * 1024,
  /** Pages and answers of a link in a minute. It also limits the unknown links of an address. */
  perMinute: 20,
  /** Characters of a message, of a reason and of what a recipient writes. */
  words: 2_000,
  /** Milliseconds for which a mail waits for further requests to the same recipient. */
  collectMs: 60_000,
} as const;

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Brands of pictures in the container of HEIC (ISO/IEC 23008-12). */
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/**
 * Recognizes a document that may be sent by link. Its first bytes decide, not its name.
 * @returns its media type; undefined for any other file, such as HTML, SVG or an archive
 */
export function documentType(bytes: Uint8Array): string | undefined {
  if (ascii(bytes, 0, 5) === '%PDF-') return 'application/pdf';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes[0] === 0x89 && ascii(bytes, 1, 8) === 'PNG\r\n\x1a\n') return 'image/png';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  const isHeic = ascii(bytes, 4, 8) === 'ftyp' && heicBrands.has(ascii(bytes, 8, 12));
  return isHeic ? 'image/heic' : undefined;
}

/**
 * Returns the name of a file without its folders. Characters that control its display are removed, such as those that
 * change the writing direction.
 */
export function plainFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return base
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu, '')
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
