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
