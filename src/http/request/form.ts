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
export function boundaryIn(contentType: string): string {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (boundary === null || !/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) throw malformedForm();
  return boundary;
}

/** Rejects a form with too many parts or headers. A few bytes suffice for one, and each is slow to parse. */
function checkParts(bytes: Buffer, delimiter: string): void {
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    parts++;
    // Besides the files there are "operations", "map", and the end.
    if (parts > formLimits.files + 3) throw badForm(`The body may have at most ${formLimits.files} files.`);
    const head = bytes.subarray(at, at + formLimits.head);
    if (head.length === formLimits.head && !head.includes('\r\n\r\n')) {
      throw badForm(`The headers of a part may have at most ${formLimits.head} bytes.`);
    }
  }
}

/** Reads a form. @throws GatewayError BAD_REQUEST for what is none, or has too many parts */
export async function formIn(contentType: string, bytes: Uint8Array): Promise<FormData> {
  const boundary = boundaryIn(contentType);
  // This is a view, not a copy.
  const body = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  checkParts(body, `--${boundary}`);
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` };
  try {
    // Node's own Response parses a body from memory, and as strictly as RFC 7578 demands.
    return await new Response(body, { headers }).formData();
  } catch {
    throw malformedForm();
  }
}
