import { trustedDate } from '../../../src/domain/documents/finding.js';
import { type CorpusCase, type CorpusKind, corpusKinds } from './corpus.js';

/** What is judged of a finding. */
interface JudgedFinding {
  readonly field: string;
  readonly value: string;
  readonly confidence: number;
}

/** Reads a text as the product does. */
export type CorpusReading = (
  text: string,
  today: string,
) => readonly JudgedFinding[] | Promise<readonly JudgedFinding[]>;

/** How many texts were read how. The wrong ones include those that were trusted. */
export interface CorpusCounts {
  texts: number;
  right: number;
  none: number;
  wrong: number;
  wrongTrusted: number;
}

export interface CorpusFailure {
  readonly outcome: 'none' | 'wrong' | 'wrongTrusted';
  readonly failed: CorpusCase;
  readonly suggested: readonly string[];
}

export interface CorpusResult {
  readonly total: CorpusCounts;
  readonly kinds: ReadonlyMap<CorpusKind, CorpusCounts>;
  readonly failures: readonly CorpusFailure[];
}

/** Says whether a text was read as a careful reader reads it, and how it was not. */
export function judge(
  { expected }: Pick<CorpusCase, 'expected'>,
  findings: readonly JudgedFinding[],
): CorpusFailure['outcome'] | 'right' {
  const suggested = new Set(
    findings.filter(({ field }) => field === 'expiration_date').map(({ value }) => value),
  );
  const trusted = trustedDate(findings);
  const allowed = 'date' in expected ? [expected.date] : 'question' in expected ? expected.question : [];
  if (trusted !== null && !('date' in expected && trusted === expected.date)) return 'wrongTrusted';
  if ([...suggested].some((date) => !allowed.includes(date))) return 'wrong';
  return 'date' in expected && suggested.size === 0 ? 'none' : 'right';
}

/** Counts of nothing. */
export const noCounts = (): CorpusCounts => ({ texts: 0, right: 0, none: 0, wrong: 0, wrongTrusted: 0 });

/** Counts, by kind, how the texts of a corpus are read. */
export async function judgeCorpus(cases: readonly CorpusCase[], read: CorpusReading): Promise<CorpusResult> {
  const total = noCounts();
  const kinds = new Map<CorpusKind, CorpusCounts>();
  const failures: CorpusFailure[] = [];
  for (const one of cases) {
    const findings = await read(one.text, one.today);
    const outcome = judge(one, findings);
    const ofKind = kinds.get(one.kind) ?? noCounts();
    kinds.set(one.kind, ofKind);
    for (const counts of [total, ofKind]) {
      counts.texts += 1;
      counts[outcome] += 1;
      if (outcome === 'wrongTrusted') counts.wrong += 1;
    }
    if (outcome === 'right') continue;
    const suggested = findings
      .filter(({ field }) => field === 'expiration_date')
      .map(({ value, confidence }) => `${value} (${confidence})`);
    failures.push({ outcome, failed: one, suggested });
  }
  return { total, kinds, failures };
}

/** Writes a result as a table, a line for each kind and one for all. */
export function formatCorpusTable({ total, kinds }: CorpusResult): string {
  const columns = ['texts', 'right', 'none', 'wrong', 'wrongTrusted'] as const;
  const percent = (count: number, texts: number): string => `${((100 * count) / texts).toFixed(1)} %`;
  const line = (name: string, counts: CorpusCounts): string =>
    [
      name.padEnd(12),
      ...columns.map((column) => {
        const share = column === 'texts' ? '' : ` (${percent(counts[column], counts.texts)})`;
        return `${counts[column]}${share}`.padStart(column === 'texts' ? 6 : 16);
      }),
    ].join('');
  const head = ['kind'.padEnd(12), ...columns.map((name) => name.padStart(name === 'texts' ? 6 : 16))].join(
    '',
  );
  const rows = corpusKinds.flatMap((kind) => {
    const counts = kinds.get(kind);
    return counts ? [line(kind, counts)] : [];
  });
  return [head, ...rows, line('all', total)].join('\n');
}
