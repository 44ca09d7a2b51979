import type { ChangedRecordKind } from '../generated/types';

declare const data: unique symbol;
declare const variables: unique symbol;

/** A document that the gateway knows by its hash, with its types. */
export interface Operation<Data, Variables> {
  /** The document's hash. */
  readonly id: string;
  /** Kinds of the records in its result, which is outdated when one changes. */
  readonly kinds: readonly ChangedRecordKind[];
  readonly [data]?: Data;
  readonly [variables]?: Variables;
}

/** The data that an operation returns. */
export type DataOf<Of> = Of extends Operation<infer Data, infer _> ? Data : never;

/** The variables that an operation takes. */
export type VariablesOf<Of> = Of extends Operation<infer _, infer Variables> ? Variables : never;
