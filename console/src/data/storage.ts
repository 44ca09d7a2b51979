type Kind = 'localStorage' | 'sessionStorage';

/** Reads a stored text; undefined if the browser stores nothing. */
export function readKept(kind: Kind, name: string): string | undefined {
  try {
    return window[kind].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text under a name, or deletes it. Without storage, the page works all the same. */
export function keep(kind: Kind, name: string, text: string | undefined): void {
  try {
    if (text === undefined) window[kind].removeItem(name);
    else window[kind].setItem(name, text);
  } catch {
    // Continue without storage.
  }
}
