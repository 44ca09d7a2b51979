import type { Registry } from 'prom-client';
import { type OnStage, type StagedDoor, stageNames } from '../../domain/doors/stages.js';

/** Upper bounds of the histogram's buckets, in seconds. Most stages take microseconds. */
const bounds = [
  0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 2.5, 10,
] as const;

/** Histogram of one stage's durations. */
class Durations {
  /** Counts by the index of the bound; the last one counts everything beyond. */
  readonly counts = new Array<number>(bounds.length + 1).fill(0);
  sum = 0;

  add(seconds: number): void {
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] as number)) at++;
    this.counts[at] = (this.counts[at] as number) + 1;
    this.sum += seconds;
  }
}

const name = 'gateway_stage_duration_seconds';

/** Builds the histogram samples of one door and stage. Buckets are cumulative. */
function histogramSamples(durations: Durations, labels: { door: string; stage: string }) {
  let below = 0;
  const buckets = [...bounds, '+Inf'].map((le, at) => {
    below += durations.counts[at] as number;
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below, exemplar: null };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: durations.sum },
    { metricName: `${name}_count`, labels, value: below },
  ];
}

/**
 * Measures how long the stages of requests take. It has counters of its own, because prom-client's histogram
 * takes microseconds to find a label set, and a request has up to ten stages.
 */
export function measureStages(registers: readonly Registry[]): OnStage {
  const doors = Object.entries(stageNames).map(
    ([door, stages]) =>
      [door, new Map<string, Durations>(stages.map((stage) => [stage, new Durations()]))] as const,
  );
  const byDoor = Object.fromEntries(doors) as Record<StagedDoor, Map<string, Durations>>;
  const metric = {
    name,
    help: 'Time that each stage of a request took, by door; docs/architecture.md lists the stages.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({
      ...head,
      values: doors.flatMap(([door, stages]) =>
        [...stages].flatMap(([stage, durations]) => histogramSamples(durations, { door, stage })),
      ),
    }),
    reset() {},
  };
  const { get: _, reset: __, ...head } = metric;
  // prom-client's types accept only its own classes, but it calls only these members.
  for (const register of registers) register.registerMetric(metric as never);
  return (door, stage, started, ended) => byDoor[door].get(stage)?.add((ended - started) / 1_000);
}
