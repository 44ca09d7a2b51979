/**
 * Stages of a request at each door, in order. GraphQL caches parsed and validated documents, and skips those
 * two stages for them. `docs/inside/architecture.md` shows both lists.
 */
export const stageNames = {
  rest: ['match', 'authenticate', 'readBody', 'claimKey', 'readArguments', 'execute', 'respond'],
  graphql: [
    'match',
    'authenticate',
    'readBody',
    'readArguments',
    'parse',
    'validate',
    'limit',
    'plan',
    'execute',
    'respond',
  ],
} as const;

/** A door whose requests pass through stages. */
export type StagedDoor = keyof typeof stageNames;

type StageName = (typeof stageNames)[StagedDoor][number];

/** A named step of answering a request, from its input to its output. */
export interface Stage<Input, Output> {
  readonly name: StageName;
  readonly run: (input: Input) => Output;
}

/** Called when a stage ends. Times are in milliseconds, by `performance.now()`. */
export type OnStage = (door: StagedDoor, stage: StageName, started: number, ended: number) => void;

/** Runs and times the stages of one door. Promises are returned unchanged, so timing delays nothing. */
export class StageTimer {
  readonly #door: StagedDoor;
  readonly #onStage: OnStage;

  constructor(door: StagedDoor, onStage: OnStage) {
    this.#door = door;
    this.#onStage = onStage;
  }

  /** Runs a stage; it fails if the stage does. */
  run<Input, Output>({ name, run }: Stage<Input, Output>, input: Input): Output {
    const started = performance.now();
    let output: Output;
    try {
      output = run(input);
    } catch (error) {
      this.note(name, started, performance.now());
      throw error;
    }
    if (output instanceof Promise) {
      const end = () => this.note(name, started, performance.now());
      output.then(end, end);
    } else {
      this.note(name, started, performance.now());
    }
    return output;
  }

  /** Reports a stage that ran before its door was known. */
  note(name: StageName, started: number, ended: number): void {
    this.#onStage(this.#door, name, started, ended);
  }
}

export type StageTimers = Readonly<Record<StagedDoor, StageTimer>>;

/** Creates the timers of both doors. */
export function createStageTimers(onStage: OnStage): StageTimers {
  return { rest: new StageTimer('rest', onStage), graphql: new StageTimer('graphql', onStage) };
}

/** Runs stages without reporting them. */
export const untimed = new StageTimer('rest', () => {});
