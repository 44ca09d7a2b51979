import { type ErrorCode, GatewayError } from '../../domain/errors.js';

/** Options of an error, such as headers of the answer. */
type Options = ConstructorParameters<typeof GatewayError>[2];

/** An error with status 408, 417, 431, 501 or 505. None of the contract's error codes has these. */
export class ProtocolError extends GatewayError {
  readonly #status: number;

  /** @param code the closest error code, for clients that look only at the code */
  constructor(status: number, code: ErrorCode, message: string, options?: Options) {
    super(code, message, options);
    this.#status = status;
  }

  override get status(): number {
    return this.#status;
  }
}
