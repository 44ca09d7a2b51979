import { type ErrorCode, GatewayError } from '../../domain/errors.js';

/** Options of an error: headers of its answer. */
type Options = ConstructorParameters<typeof GatewayError>[2];

/** An error with a status of HTTP's own, which no kind of the contract has: 408, 417, 431 and 501. */
export class ProtocolError extends GatewayError {
  readonly #status: number;

  /** @param code the nearest kind, for clients that look at it alone */
  constructor(status: number, code: ErrorCode, message: string, options?: Options) {
    super(code, message, options);
    this.#status = status;
  }

  override get status(): number {
    return this.#status;
  }
}
