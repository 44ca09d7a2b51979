/** Error of fetching a file, in words for the people who wait for it. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure';
  /** Another attempt would end in the same way. */
  readonly final: boolean;

  constructor(message: string, options: { final: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.final = options.final;
  }
}

/** Makes a failure that no other attempt would change. */
export function permanentFailure(message: string): FetchFailure {
  return new FetchFailure(message, { final: true });
}

/** Makes a failure of the network, which another attempt may not meet again. */
export function transientFailure(what: string, cause: unknown): FetchFailure {
  return new FetchFailure(`${what}${errorCode(cause)}.`, { final: false, cause });
}

/** Returns an error's code in brackets: what happened, and nothing of where. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
