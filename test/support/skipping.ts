import 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Returns what a skipped test lacks, in the words of the summary. */
    lacks?: string;
  }
}

/**
 * Returns the options of tests that not every machine can run. They are skipped where something is missing, and
 * the summary says what (test/support/skip-reporter.ts).
 *
 * @param isThere whether the tests can run
 * @param lacks what is missing otherwise, such as `Chromium`
 */
export const onlyIf = (isThere: boolean, lacks: string) => (isThere ? {} : { skip: true, meta: { lacks } });

/** Options of tests that send signals to groups of processes, or need the modes of files. */
export const onPosix = onlyIf(process.platform !== 'win32', 'a system other than Windows');

/** Options of tests that run in a terminal of their own, which `script` of util-linux makes. */
export const inTerminal = (isThere: boolean) =>
  onlyIf(isThere && process.platform === 'linux', 'Linux with /usr/bin/script');
