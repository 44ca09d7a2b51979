import type { StageTimer } from '../domain/doors/stages.js';
import type { AnswerMemory } from '../graphql/limits/answer-size.js';

/** A request for a route of the contract, with its body. */
export interface RestRequest {
  readonly method: string;
  /** The path as it was sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path segment that stands for `{id}`, percent-encoded. */
  readonly id: string | undefined;
  /** Returns a header by its lower-case name. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** The form in the body, if the route takes one. */
  readonly form?: FormData | undefined;
  /** The memory for creating the answer. */
  readonly memory: AnswerMemory;
  /** Runs and times its stages. */
  readonly stages: StageTimer;
}
