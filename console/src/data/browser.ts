/**
 * Creates a key that nothing else in this page has. `crypto.randomUUID` is missing where the gateway is reached over
 * plain HTTP at another address than localhost, as in many small offices.
 */
export const uniqueKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Lets the browser save bytes under a name. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Lets the browser save a text under a name. */
export const saveText = (name: string, type: string, parts: readonly string[]): void =>
  saveBlob(name, new Blob([...parts], { type: `${type};charset=utf-8` }));

// Shared with the other pages of the gateway.
export { keep, readKept } from '../../../public/session.js';
