import { MIMEType } from 'node:util';
import { GatewayError } from '../../domain/errors.js';

/** Creates the error for a form that is not as it should be. */
export function badForm(message: string): GatewayError {
  return new GatewayError('BAD_REQUEST', message);
}

/** Recognizes the media type `multipart/form-data`, which carries files. */
export function isMultipart(contentType: string | null): contentType is string {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
}

/** Bytes that a multipart body may contain besides a file of the largest size. */
export const multipartOverheadBytes = 64 * 1024;

/** The most files in a request, and bytes of the headers of each. */
const formLimits = { files: 100, head: 4_096 };

const malformedForm = () => badForm('The body is not multipart/form-data.');

/**
 * Reads the boundary between the parts of a body (RFC 2046, section 5.1.1).
 * @throws GatewayError BAD_REQUEST
 */
function boundaryIn(contentType: string): string {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (boundary === null || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) throw malformedForm();
  return boundary;
}

/**
 * Finds the delimiters of a form. A few bytes suffice for a part, and each is slow to parse.
 * @throws GatewayError BAD_REQUEST for too many parts, or too many headers of one
 */
function findDelimiters(bytes: Buffer, delimiter: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    found.push(at);
    // Besides the files there are "operations", "map", and the end.
    if (found.length > formLimits.files + 3)
      throw badForm(`The body may have at most ${formLimits.files} files.`);
    const head = bytes.subarray(at, at + formLimits.head);
    if (head.length === formLimits.head && !head.includes('\r\n\r\n')) {
      throw badForm(`The headers of a part may have at most ${formLimits.head} bytes.`);
    }
  }
  return found;
}

/** Returns a view of a body, not a copy. */
const asBuffer = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);

/**
 * Returns a form's bytes without its boundaries, which differ when it is sent again. A zero is in the place of each.
 * @throws GatewayError BAD_REQUEST for what is no form, or has too many parts
 */
export function partsWithoutBoundary(contentType: string, bytes: Uint8Array): Uint8Array[] {
  const boundary = boundaryIn(contentType);
  const body = asBuffer(bytes);
  const dashes = '--';
  let from = 0;
  const parts = findDelimiters(body, dashes + boundary).flatMap((at) => {
    const end = at + dashes.length;
    const part = body.subarray(from, end);
    from = end + boundary.length;
    return [part, Buffer.from([0])];
  });
  return [...parts, body.subarray(from)];
}

/** Reads a form. @throws GatewayError BAD_REQUEST for what is none, or has too many parts */
export async function formIn(contentType: string, bytes: Uint8Array): Promise<FormData> {
  const boundary = boundaryIn(contentType);
  const body = asBuffer(bytes);
  findDelimiters(body, `--${boundary}`);
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
  try {
    // Node's own Response parses a body from memory, and as strictly as RFC 7578 demands.
    return await new Response(body, { headers }).formData();
  } catch {
    throw malformedForm();
  }
}
