declare const data: unique symbol;
declare const variables: unique symbol;

/** The hash of a document that the gateway knows, with its types. */
export type Operation<Data, Variables> = string & {
  readonly [data]?: Data;
  readonly [variables]?: Variables;
};

/** The data that an operation returns. */
export type DataOf<Of> = Of extends Operation<infer Data, infer _> ? Data : never;

/** The variables that an operation takes. */
export type VariablesOf<Of> = Of extends Operation<infer _, infer Variables> ? Variables : never;
