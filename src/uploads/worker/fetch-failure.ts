import type { UploadReason } from '../../domain/uploads/reasons.js';

/** Error of fetching a file, in technical words. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** Code of what is wrong, for the people who wait for the file. */
  readonly reason: UploadReason;
  /** True if another attempt would fail in the same way. */
  readonly final: boolean;

  constructor(reason: UploadReason, message: string, options: { final: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.final = options.final;
  }
}

/** Creates a failure that another attempt would not change. */
export function permanentFailure(reason: UploadReason, message: string): FetchFailure {
  return new FetchFailure(reason, message, { final: true });
}

/** Creates a failure of the network, which may be temporary. */
export function transientFailure(reason: UploadReason, what: string, cause: unknown): FetchFailure {
  return new FetchFailure(reason, `${what}${errorCode(cause)}.`, { final: false, cause });
}

/** Returns an error's code in brackets, which reveals nothing about where it happened. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
