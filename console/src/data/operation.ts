import type { ChangedRecordKind } from '../generated/types';

declare const data: unique symbol;
declare const variables: unique symbol;

/** A document that the gateway knows by its hash, with its types. */
export interface Operation<Data, Variables> {
  /** The document's hash. */
  readonly id: string;
  /** Kinds of the records in its result. Answers with such records are outdated when one changes. */
  readonly kinds: readonly ChangedRecordKind[];
  /** True for a mutation, after which other answers are outdated. */
  readonly isWrite?: true;
  readonly [data]?: Data;
  readonly [variables]?: Variables;
}

/** The data that an operation returns. */
export type DataOf<Of> = Of extends Operation<infer Data, infer _> ? Data : never;

/** The variables that an operation takes. */
export type VariablesOf<Of> = Of extends Operation<infer _, infer Variables> ? Variables : never;
