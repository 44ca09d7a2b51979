/** What the server around this door lets through, which the door itself does not know. */
export interface ServerLimits {
  /** Bytes that a body may have. */
  readonly largestBody: number;
}

/** Operations in one patch (contract section 4.11; decisions on PATCH). */
export const largestPatch = 500;
