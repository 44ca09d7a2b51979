// Which dates are found in pictures of made documents, and what that costs: npm run bench -- reading
import { readFileSync } from 'node:fs';
import { readDocument } from '../dist/reading.js';
import { makeDocument } from './lib/made-documents.mjs';
import { peakMemoryOf, watchChildren } from './lib/processes.mjs';
import { keep, median, quantile, table } from './lib/table.mjs';

const today = new Date('2026-11-26T00:00:00Z');

/** Seconds of a processor that ended children have used (Linux). */
function childSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Reads a document; answers whether its date was found. */
async function read(document, { locale, ocr }) {
  const before = childSeconds();
  const options = { ocr, ocrCommand: 'tesseract', today, locale: locale ?? document.language };
  const { findings, problem } = await readDocument({ bytes: document.bytes }, options);
  const dates = findings.filter(({ field }) => field === 'expiration_date');
  const isRight = dates[0]?.value === document.expires;
  const result = dates.length === 0 ? 'none' : dates.length > 1 ? 'several' : isRight ? 'right' : 'wrong';
  const { bytes, ...about } = document;
  return { ...about, size: bytes.length, result, dates, problem, seconds: childSeconds() - before };
}

/** Summarizes results by what they have in common. */
function summary(results, group) {
  const groups = Map.groupBy
    ? Map.groupBy(results, group)
    : results.reduce(
        (map, result) => map.set(group(result), [...(map.get(group(result)) ?? []), result]),
        new Map(),
      );
  return [...groups].map(([name, own]) => {
    const share = (result) => own.filter((one) => one.result === result).length;
    const seconds = own.map((one) => one.seconds);
    return [
      ...[name, own.length, `${Math.round((100 * share('right')) / own.length)} %`, share('wrong')],
      ...[share('several'), share('none'), median(seconds).toFixed(1), quantile(seconds, 0.95).toFixed(1)],
    ];
  });
}

export async function run({ count, every, locale, ocr }) {
  const results = [];
  const endWatch = watchChildren();
  for (let index = 0; index < count; index += every) {
    const result = await read(await makeDocument(index), { locale, ocr });
    results.push(result);
    if (result.result !== 'right') console.log(`${result.result}: ${result.name} (${result.written})`);
  }
  const head = ['', 'documents', 'right', 'wrong', 'several', 'none', 'CPU seconds', 'of 95 %'];
  const childPeak = endWatch();
  const wearOf = ({ wear, dpi }) => (wear === 'clean' ? 'clean' : `worn, ${dpi} dpi`);
  const groups = [({ wear }) => wear, wearOf, ({ kind }) => kind, ({ language }) => language, () => 'all'];
  console.log(
    table(
      head,
      groups.flatMap((group) => summary(results, group)),
    ),
  );
  const [own, child] = [peakMemoryOf(process.pid), childPeak].map(Math.round);
  console.log(
    `\nPeak memory: a reading process ${child} MiB, this process with the made documents ${own} MiB.`,
  );
  keep('reading', results);
}
