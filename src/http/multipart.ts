import { GatewayError } from '../domain/errors.js';

function refuse(message: string): GatewayError {
  return new GatewayError('BAD_REQUEST', message);
}

/** Whether a body is one that brings files along. */
export function isMultipart(contentType: string | null): contentType is string {
  return /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '');
}

async function formIn(contentType: string, bytes: Uint8Array): Promise<FormData> {
  try {
    // Node's own Response: it reads a body from memory, and as strictly as RFC 7578 is.
    return await new Response(Buffer.from(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    throw refuse('The body is not multipart/form-data.');
  }
}

function jsonIn(form: FormData, name: string): object {
  const text = form.get(name);
  let value: unknown;
  try {
    value = typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(`The part "${name}" must be a JSON object.`);
  }
  return value;
}

/** Puts a file where a path like `variables.input.file` leads: to a null that is there. */
function place(operations: object, path: unknown, file: File): void {
  const steps = typeof path === 'string' ? path.split('.') : [];
  const last = steps.pop();
  let here: unknown = operations;
  for (const step of steps) here = Object.hasOwn(Object(here), step) ? Object(here)[step] : undefined;
  if (steps[0] !== 'variables' || last === undefined || Object(here)[last] !== null) {
    throw refuse('A path in the part "map" must lead to a null below "variables" in the part "operations".');
  }
  (here as Record<string, unknown>)[last] = file;
}

/**
 * Reads a request that brings files along (graphql-multipart-request-spec, version 2): one operation, with the
 * files in their places among its variables.
 * @throws GatewayError BAD_REQUEST naming the part at fault
 */
export async function readMultipart(contentType: string, bytes: Uint8Array): Promise<object> {
  const form = await formIn(contentType, bytes);
  const operations = jsonIn(form, 'operations');
  for (const [name, paths] of Object.entries(jsonIn(form, 'map'))) {
    const file = form.get(name);
    if (file === null || typeof file === 'string') {
      throw refuse(`The part ${JSON.stringify(name)}, which the part "map" names, must be a file.`);
    }
    if (!Array.isArray(paths)) throw refuse('The part "map" must give each file a list of paths.');
    for (const path of paths) place(operations, path, file);
  }
  return operations;
}
