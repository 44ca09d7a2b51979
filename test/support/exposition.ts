/** One sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** A metric with its samples. */
export interface Family {
  readonly help: string | undefined;
  readonly type: string | undefined;
  readonly samples: Sample[];
}

const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let read = 0;
  for (const [whole, name = '', value = ''] of text.matchAll(labelForm)) {
    if (name in labels) throw new Error(`A label is there twice: ${text}`);
    labels[name] = value;
    read += whole.length;
  }
  if (read !== text.length) throw new Error(`These are no labels: ${text}`);
  return labels;
}

function numberOf(text: string): number {
  const value = Number(text.replace('+Inf', 'Infinity').replace('-Inf', '-Infinity'));
  if (Number.isNaN(value) && text.toLowerCase() !== 'nan') throw new Error(`This is no number: ${text}`);
  return value;
}

/**
 * Parses Prometheus' text format 0.0.4.
 * @throws {Error} for an invalid line, and for metrics that are repeated or split
 */
export function familiesOf(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const families = new Map<string, Family>();
  let name = '';
  let family: Family | undefined;
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, named = '', said = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (families.has(named)) throw new Error(`${named} is there twice.`);
      name = named;
      family = { help: said, type: undefined, samples: [] };
      families.set(named, family);
    } else if (kind === 'TYPE') {
      if (named !== name || !family) throw new Error(`TYPE without HELP: ${named}`);
      family = { ...family, type: said };
      families.set(named, family);
    } else {
      const [, sample = '', labels = '', value = ''] = sampleForm.exec(line) ?? [];
      const base = family?.type === 'histogram' ? sample.replace(/_(bucket|sum|count)$/, '') : sample;
      if (!family || base !== name) throw new Error(`This is not where it belongs: ${line}`);
      family.samples.push({ name: sample, labels: labelsOf(labels), value: numberOf(value) });
    }
  }
  return families;
}

/** Returns violations of Prometheus' conventions on names and units, like `promtool check metrics`. */
export function problemsOf(text: string): string[] {
  const problems: string[] = [];
  for (const [name, { help, type, samples }] of familiesOf(text)) {
    const refuse = (wrong: boolean, why: string) => wrong && problems.push(`${name} ${why}`);
    refuse(!help, 'has no help');
    refuse(!['counter', 'gauge', 'histogram', 'summary'].includes(type ?? ''), 'has no type');
    refuse(
      (type === 'counter') !== name.endsWith('_total'),
      'must end in _total if and only if it is a counter',
    );
    refuse(/_(count|sum|bucket)$/.test(name), 'ends as a part of a histogram');
    refuse(/[A-Z]/.test(name) || name.includes(':'), 'is not in snake case');
    refuse(
      /_(ms|milliseconds|microseconds|minutes|hours|kilobytes|kb|mb|percent)(_|$)/.test(name),
      'is in no base unit',
    );
    refuse(/_(counter|gauge|histogram|summary)(_|$)/.test(name), 'names its type');
    const keys = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
    refuse(new Set(keys).size !== keys.length, 'has a sample twice');
    for (const label of samples.flatMap(({ labels }) => Object.keys(labels))) {
      refuse(!/^[a-z][a-z0-9_]*$/.test(label), `has the label ${label}`);
    }
    if (type === 'histogram') problems.push(...bucketProblems(name, samples));
  }
  return problems;
}

/** Checks that the buckets of a histogram include the smaller ones, and the last one everything. */
function bucketProblems(name: string, samples: readonly Sample[]): string[] {
  const series = new Map<string, number[]>();
  for (const { name: part, labels, value } of samples) {
    const { le: _, ...rest } = labels;
    const key = JSON.stringify(rest);
    const values = series.get(key) ?? [];
    if (part !== `${name}_sum`) series.set(key, [...values, value]);
  }
  // In the order of the text: the buckets, and then the count, which equals the last one.
  const wrong = [...series].filter(([, values]) =>
    values.some(
      (value, at) => value < (values[at - 1] ?? 0) || (at === values.length - 1 && value !== values[at - 1]),
    ),
  );
  return wrong.map(([key]) => `${name}${key} has buckets that do not grow up to its count`);
}
