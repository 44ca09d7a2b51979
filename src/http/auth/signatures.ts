import { createHmac, timingSafeEqual } from 'node:crypto';

/** The most seconds by which a signature's time may be off, either way. */
const tolerance = 300;

export interface SignedHead {
  /** The header `FS-Signature`. */
  readonly signature: string | null;
  /** The header `FS-Timestamp`: seconds since 1970. */
  readonly timestamp: string | null;
}

export interface SignedMessage extends SignedHead {
  /** The body, byte for byte as it was sent. */
  readonly body: Uint8Array;
}

/**
 * Checks the headers of a signed message before its body is read.
 * @param now the time of the request
 * @returns the fault; undefined if they can be valid with a matching body
 */
export function headProblem({ signature, timestamp }: SignedHead, now: Date): string | undefined {
  if (!signature) return 'The header `FS-Signature` is missing: requests with this token must be signed.';
  if (!timestamp) return 'The header `FS-Timestamp` is missing: requests with this token must be signed.';
  if (!/^\d{1,12}$/.test(timestamp)) return '`FS-Timestamp` must be a time in whole seconds since 1970.';
  if (Math.abs(now.getTime() - Number(timestamp) * 1_000) > tolerance * 1_000) {
    return `\`FS-Timestamp\` is more than ${tolerance / 60} minutes off.`;
  }
  if (!/^[0-9a-f]{64}$/i.test(signature)) return '`FS-Signature` must be 64 hexadecimal digits.';
  return undefined;
}

/**
 * Checks a message's signature. It is the HMAC-SHA256 of `{FS-Timestamp}.{body}` in hexadecimal digits, as
 * Filestack signs its webhooks. The result never reveals the correct signature.
 * @param now the time of the request
 * @returns the fault; undefined if the signature is valid
 */
export function signatureProblem(secret: string, message: SignedMessage, now: Date): string | undefined {
  const { signature, timestamp, body } = message;
  const problem = headProblem(message, now);
  if (problem !== undefined) return problem;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const holds = timingSafeEqual(Buffer.from(signature ?? '', 'hex'), expected);
  return holds ? undefined : '`FS-Signature` is not the signature of this body and timestamp.';
}
