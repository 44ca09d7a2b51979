/** Error of fetching a file, described for the people who wait for it. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** True if another attempt would fail in the same way. */
  readonly final: boolean;

  constructor(message: string, options: { final: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.final = options.final;
  }
}

/** Creates a failure that another attempt would not change. */
export function permanentFailure(message: string): FetchFailure {
  return new FetchFailure(message, { final: true });
}

/** Creates a failure of the network, which may be temporary. */
export function transientFailure(what: string, cause: unknown): FetchFailure {
  return new FetchFailure(`${what}${errorCode(cause)}.`, { final: false, cause });
}

/** Returns an error's code in brackets, which reveals nothing about where it happened. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
