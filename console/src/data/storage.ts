type Kind = 'localStorage' | 'sessionStorage';

/** Reads what the browser keeps under a name; nothing where it keeps nothing. */
export function readKept(kind: Kind, name: string): string | undefined {
  try {
    return window[kind].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text under a name, or forgets it. A browser that keeps nothing goes on without. */
export function keep(kind: Kind, name: string, text: string | undefined): void {
  try {
    if (text === undefined) window[kind].removeItem(name);
    else window[kind].setItem(name, text);
  } catch {
    // The page goes on with what it has.
  }
}
