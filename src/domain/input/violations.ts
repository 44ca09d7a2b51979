import {
  type FieldPath,
  GatewayError,
  mostViolations,
  type Violation,
  type ViolationRule,
} from '../errors.js';

/** Makes the 400 for several fields of the input. The message is that of the first. */
export function badFields(violations: readonly Violation[], isMore = false): GatewayError {
  const [first] = violations;
  if (!first) throw new Error('There is nothing wrong.');
  return new GatewayError('BAD_REQUEST', first.message, { violations, isMore });
}

/**
 * Copies a 400 with its violations at other places of the input.
 * @param move gives what a violation becomes
 */
export function movedViolations(
  error: GatewayError,
  move: (violation: Violation) => Violation,
): GatewayError {
  if (error.violations.length === 0) return error;
  const violations = error.violations.map(move);
  const { code, message, isMore, fieldPath } = error;
  const path = fieldPath.length === 0 ? fieldPath : (violations[0]?.path ?? fieldPath);
  return new GatewayError(code, message, { path, violations, isMore, cause: error });
}

/** Tells if an error has violations of the input. After such an error, more of the input can be checked. */
const isOfInput = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.violations.length > 0;

/** Tells if a place is another one or lies below it. */
const isWithin = (path: FieldPath, other: FieldPath) => other.every((step, at) => path[at] === step);

/** Collects the violations of an input, so that all are told at once. */
export class Violations {
  readonly #found: Violation[] = [];
  readonly #known: readonly FieldPath[];
  #isMore = false;

  /** @param known what is found to be wrong already; what is below it was not read, and is not told of again */
  constructor(known: readonly Violation[] = []) {
    this.#known = known.map(({ path }) => path);
    this.#found = [...known];
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** True when no more are told: what goes on looking for others may stop. */
  get isFull(): boolean {
    return this.#found.length >= mostViolations;
  }

  get all(): readonly Violation[] {
    return this.#found;
  }

  add(path: FieldPath, message: string, rule: ViolationRule): void {
    this.addAll({ violations: [{ path, message, rule }], isMore: false });
  }

  addAll({ violations, isMore }: Pick<GatewayError, 'violations' | 'isMore'>): void {
    const room = mostViolations - this.#found.length;
    // What is missing may be what could not be read.
    const isKnown = ({ path, rule }: Violation) =>
      this.#known.some((known) => isWithin(path, known) || (rule === 'required' && isWithin(known, path)));
    const others = violations.filter((violation) => !isKnown(violation));
    this.#found.push(...others.slice(0, room));
    this.#isMore ||= isMore || others.length > room;
  }

  /**
   * Runs a part of a check, and notes what it finds wrong with the input.
   * @returns undefined when something is
   * @throws what else it throws
   */
  async collect<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isOfInput(error)) throw error;
      this.addAll(error);
      return undefined;
    }
  }

  /** Ends a check. @throws GatewayError BAD_REQUEST with all that was found wrong */
  end(): void {
    if (!this.isEmpty) throw this.toError();
  }

  toError(): GatewayError {
    return badFields(this.#found, this.#isMore);
  }
}

/** Makes the 400 for violations that were known, and for those of an error. */
export function withKnown(known: readonly Violation[], error: GatewayError): GatewayError {
  const all = new Violations(known);
  all.addAll(error);
  return all.toError();
}
