/** A failure whose message explains it to whoever started the run; no stack is shown. */
export class Failure extends Error {
  /** @param exitCode 1, or 2 for an invalid command line */
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Checks names from the command line.
 * @returns these names, or all known ones if there are none
 * @throws Failure naming the first unknown one
 */
export function chosen(names, known, kind) {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Failure(`There is no ${kind} "${unknown}". There are: ${known.join(', ')}.`, 2);
  }
  return names ?? known;
}
