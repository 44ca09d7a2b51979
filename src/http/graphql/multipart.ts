import { MIMEType } from 'node:util';
import { GatewayError } from '../../domain/errors.js';
import { parseExact } from '../../domain/text/exact-json.js';
import { readJson } from '../../rest/body.js';

function badForm(message: string): GatewayError {
  return new GatewayError('BAD_REQUEST', message);
}

/** Recognizes the media type `multipart/form-data`, which carries files. */
export function isMultipart(contentType: string | null): contentType is string {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
}

/** The most files in a request, and bytes of the headers of each. */
const formLimits = { files: 100, head: 4_096 };

const malformedForm = () => badForm('The body is not multipart/form-data.');

/** Reads the boundary between the parts of a body (RFC 2046, section 5.1.1). */
function boundaryIn(contentType: string): string {
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

async function formIn(contentType: string, bytes: Uint8Array): Promise<FormData> {
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

function jsonIn(form: FormData, name: string): object {
  const text = form.get(name);
  let value: unknown;
  try {
    value = typeof text === 'string' ? readJson(Buffer.from(text), parseExact) : undefined;
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badForm(`The part "${name}" must be a JSON object.`);
  }
  return value;
}

/** Puts a file at a path such as `variables.input.file`, where a null must be. */
function place(operations: object, path: unknown, file: File): void {
  const steps = typeof path === 'string' ? path.split('.') : [];
  const last = steps.pop();
  let here: unknown = operations;
  for (const step of steps) here = Object.hasOwn(Object(here), step) ? Object(here)[step] : undefined;
  if (steps[0] !== 'variables' || last === undefined || Object(here)[last] !== null) {
    throw badForm('A path in the part "map" must lead to a null below "variables" in the part "operations".');
  }
  (here as Record<string, unknown>)[last] = file;
}

/**
 * Reads a GraphQL operation with file uploads (graphql-multipart-request-spec, version 2). The files are put
 * into their places among its variables.
 * @throws GatewayError BAD_REQUEST naming the invalid part
 */
export async function readMultipart(contentType: string, bytes: Uint8Array): Promise<object> {
  const form = await formIn(contentType, bytes);
  const operations = jsonIn(form, 'operations');
  for (const [name, paths] of Object.entries(jsonIn(form, 'map'))) {
    const file = form.get(name);
    if (file === null || typeof file === 'string') {
      throw badForm(`The part ${JSON.stringify(name)}, which the part "map" names, must be a file.`);
    }
    if (!Array.isArray(paths)) throw badForm('The part "map" must give each file a list of paths.');
    for (const path of paths) place(operations, path, file);
  }
  return operations;
}
