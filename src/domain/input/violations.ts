import {
  type FieldPath,
  GatewayError,
  mostViolations,
  type Violation,
  type ViolationRule,
} from '../errors.js';

/** Creates the 400 for several fields of the input. Its message is that of the first. */
export function badFields(violations: readonly Violation[], isMore = false): GatewayError {
  const [first] = violations;
  if (!first) throw new Error('Nothing is wrong.');
  return new GatewayError('BAD_REQUEST', first.message, { violations, isMore });
}

/**
 * Copies an error with its violations moved to other places of the input.
 * @param move returns what a violation becomes
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

/**
 * Returns whether an error has violations of the input's own rules. After such an error, the rest of the
 * input can still be checked.
 */
const isOfInput = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.code === 'BAD_REQUEST' && error.violations.length > 0;

/** Returns whether a path equals another one or lies below it. */
const isWithin = (path: FieldPath, other: FieldPath) => other.every((step, at) => path[at] === step);

/** Collects the violations of an input, so that all are reported at once. */
export class Violations {
  readonly #found: Violation[] = [];
  readonly #known: readonly FieldPath[];
  #isMore = false;

  /** @param known earlier violations; values below them were not read, and are not reported again */
  constructor(known: readonly Violation[] = []) {
    this.#known = known.map(({ path }) => path);
    this.#found = [...known];
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** True if no more violations are reported, so that checking may stop. */
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
    // A value that seems missing may be one that could not be read.
    const isKnown = ({ path, rule }: Violation) =>
      this.#known.some((known) => isWithin(path, known) || (rule === 'required' && isWithin(known, path)));
    const others = violations.filter((violation) => !isKnown(violation));
    this.#found.push(...others.slice(0, room));
    this.#isMore ||= isMore || others.length > room;
  }

  /**
   * Runs a part of a check, and collects the violations that it throws.
   * @returns undefined if there are any
   * @throws any other error
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

  /** Ends a check. @throws GatewayError BAD_REQUEST with all violations */
  end(): void {
    if (!this.isEmpty) throw this.toError();
  }

  toError(): GatewayError {
    return badFields(this.#found, this.#isMore);
  }
}

/** Creates the 400 with earlier violations, and those of another 400. */
export function withKnown(known: readonly Violation[], error: GatewayError): GatewayError {
  const all = new Violations(known);
  if (isOfInput(error)) all.addAll(error);
  return all.toError();
}
