import type { StageTimer } from '../domain/doors/stages.js';
import type { AnswerMemory } from '../graphql/limits/answer-size.js';

/** A request for a row of the contract; its body is read already. */
export interface RestRequest {
  readonly method: string;
  /** The path as it was sent, percent-encoded, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The segment of the path that stands for `{id}`, percent-encoded. */
  readonly id: string | undefined;
  /** A header's value by its name in lower case. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** The memory that its answer is made in. */
  readonly memory: AnswerMemory;
  /** Runs and times its stages. */
  readonly stages: StageTimer;
}
