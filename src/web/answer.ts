import type { Readable } from 'node:stream';

/** Possible bodies of an answer; null stands for none. */
export type AnswerBody = string | Uint8Array | Readable | null;

/** Content codings that answers are sent in (RFC 9110 section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** An HTTP answer before it is sent, whichever part of the gateway creates it. */
export interface Answer<Body extends AnswerBody = AnswerBody> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it arrives. Its length is in the headers, if it is known. */
  readonly body: Body;
  /** Returns the precompressed body. Without it, the body is gzipped for each request. */
  readonly compressed?: (coding: Coding) => Promise<Uint8Array>;
}

/** An answer with a text body, which can be stored and sent again. */
export type TextAnswer = Answer<string | null>;

export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' } as const;

/**
 * Headers of an answer that the caller may cache but must revalidate by ETag. A 304 has the headers of the
 * 200, which may be compressed (RFC 9110 §15.4.5).
 */
export const revalidated = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin, Accept-Encoding',
} as const;
