import type { Readable } from 'node:stream';

/** Bodies that an answer can have; null stands for none. */
export type AnswerBody = string | Uint8Array | Readable | null;

/** Content codings that answers are sent in (RFC 9110 section 8.4.1). */
export type Coding = 'br' | 'gzip';

/** An HTTP answer before it is sent, whichever part of the gateway gives it. */
export interface Answer<Body extends AnswerBody = AnswerBody> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it comes: its headers tell its length, or none do. */
  readonly body: Body;
  /** Returns the body compressed ahead of time; without it, the body is gzipped per request. */
  readonly compressed?: (coding: Coding) => Promise<Uint8Array>;
}

/** An answer whose body is text; it can be kept and given again. */
export type TextAnswer = Answer<string | null>;

export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' } as const;

/**
 * Headers of an answer that its caller may keep and must revalidate by ETag. A 304 has those of the 200, which may be
 * compressed (RFC 9110 §15.4.5).
 */
export const revalidated = {
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin, Accept-Encoding',
} as const;
