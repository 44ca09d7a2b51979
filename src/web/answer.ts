/** An answer of the REST door, as HTTP has it. */
export interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: it has no body. */
  readonly body: string | null;
}

/** What every JSON answer says of itself. */
export const jsonType = { 'Content-Type': 'application/json; charset=utf-8' } as const;

/** What may be kept by the one who asked for it, and is to be asked for anew each time, by its ETag. */
export const revalidated = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Origin' } as const;
