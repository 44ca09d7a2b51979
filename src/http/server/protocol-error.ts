import { type ErrorCode, GatewayError } from '../../domain/errors.js';

/** Options of an error: headers of its answer. */
type Options = ConstructorParameters<typeof GatewayError>[2];

/** An error whose status the contract's error kinds lack: 408, 417, 431 or 501. */
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
