// Recognizes words in pictures, with the packages of Tesseract.js or with a command.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** @typedef {(picture: Buffer) => Promise<string>} Recognize gives a table of words as Tesseract writes it (TSV) */

/** Settings of Tesseract. Each part of a page has its own threshold, because light is uneven. */
const settings = { tessedit_pageseg_mode: '3', thresholding_method: '2' };

/**
 * Starts Tesseract.js with the languages' data from their packages, so that it downloads nothing.
 * @param {readonly string[]} languages
 * @returns {Promise<Recognize>}
 */
async function startPackages(languages) {
  const { createWorker, OEM } = await import('tesseract.js');
  // It takes all languages from one folder; each has a package of its own.
  const langPath = mkdtempSync(join(tmpdir(), 'reading-'));
  try {
    for (const code of languages) {
      const file = `${code}.traineddata.gz`;
      const folder = dirname(require.resolve(`@tesseract.js-data/${code}/package.json`));
      copyFileSync(join(folder, '4.0.0_best_int', file), join(langPath, file));
    }
    const worker = await createWorker([...languages], OEM.LSTM_ONLY, { langPath, cacheMethod: 'none' });
    await worker.setParameters(/** @type {any} */ (settings));
    return async (picture) =>
      (await worker.recognize(picture, {}, { tsv: true, text: false })).data.tsv ?? '';
  } finally {
    rmSync(langPath, { recursive: true, force: true });
  }
}

/** Runs a command. @param {string} command @param {readonly string[]} args @param {Buffer} [input] @returns {Promise<string>} */
const run = (command, args, input) =>
  new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 24, env: { ...process.env, OMP_THREAD_LIMIT: '1' } };
    const child = execFile(command, args, options, (error, text) => (error ? reject(error) : resolve(text)));
    child.stdin?.on('error', () => {}).end(input);
  });

/**
 * Prepares a command with the same options as Debian's `tesseract`. Languages that it has no data of are left out.
 * @param {string} command
 * @param {readonly string[]} languages
 * @returns {Promise<Recognize>}
 */
async function startCommand(command, languages) {
  const installed = new Set((await run(command, ['--list-langs'])).split(/\s+/));
  const known = languages.filter((language) => installed.has(language));
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-', '-', '-l', known.join('+') || 'eng', '--dpi', '200', ...options, 'tsv'];
  return (picture) => run(command, args, picture);
}

/**
 * Starts a recognizer.
 * @param {readonly string[]} languages as Tesseract names them; the first is the likeliest
 * @param {string | null} command null for the packages
 */
export const startRecognizer = (languages, command) =>
  command === null ? startPackages(languages) : startCommand(command, languages);

/**
 * @typedef {object} Word
 * @property {string} text
 * @property {number} confidence
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 */

/**
 * Parses Tesseract's table: its rows of level 5 are words.
 * @param {string} tsv
 * @returns {Word[][]} the words of each line
 */
function wordsOf(tsv) {
  /** @type {Map<string, Word[]>} */
  const lines = new Map();
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] =
      row.split('\t');
    if (level !== '5' || text.trim() === '') continue;
    const place = { left: Number(left), top: Number(top), width: Number(width), height: Number(height) };
    const key = [page, block, paragraph, line].join();
    lines.set(key, [
      ...(lines.get(key) ?? []),
      { text: text.trim(), confidence: Number(confidence), ...place },
    ]);
  }
  return [...lines.values()];
}

/** Returns where a line is: its middle and its height, of its letters on average. @param {readonly Word[]} line */
function placeOf(line) {
  const sum = (/** @type {(word: Word) => number} */ of) => line.reduce((all, word) => all + of(word), 0);
  return {
    middle: sum(({ top, height }) => top + height / 2) / line.length,
    height: sum(({ height }) => height) / line.length,
  };
}

/**
 * Reads the rows of words in Tesseract's table. Tesseract takes columns for separate texts; here, what stands side by
 * side is a row, because a label and its date are often in two columns.
 * @param {string} tsv
 * @returns {Word[][]}
 */
export function rowsOf(tsv) {
  const lines = wordsOf(tsv)
    .map((words) => ({ words, ...placeOf(words) }))
    .sort((one, other) => one.middle - other.middle);
  /** @type {{ words: Word[], middle: number, height: number }[]} */
  const rows = [];
  for (const line of lines) {
    const last = rows.at(-1);
    const isBeside = last && line.middle - last.middle < 0.5 * Math.min(line.height, last.height);
    if (isBeside) last.words.push(...line.words);
    else rows.push(line);
  }
  return rows.map(({ words }) => words.sort((one, other) => one.left - other.left));
}
