import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

/** A metric with its current samples. */
type SampledMetric = MetricObjectWithValues<MetricValue<string>>;

/** The metrics of one process. */
export interface Measured {
  /** Metrics of the process, and of the requests that it answered. */
  readonly own: readonly SampledMetric[];
  /** Metrics of state that all processes share. Each declares how several values are combined. */
  readonly shared: readonly SampledMetric[];
  /** Id of the serving process, if there are several. */
  readonly worker?: string;
}

/** The media type of the text. */
export const expositionType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Labels a process's own metrics with its id. When one process restarts, only its own counters reset. */
function labelProcess({ own, worker }: Measured): SampledMetric[] {
  return own.map((metric) => ({
    ...metric,
    // The labels differ per process, so there is nothing to combine.
    aggregator: 'first',
    values: metric.values.map((value) => ({
      ...value,
      labels: worker === undefined ? value.labels : { ...value.labels, worker },
    })),
  }));
}

/** Writes the metrics of processes in Prometheus' text format 0.0.4. */
export function exposition(processes: readonly Measured[]): Promise<string> {
  const metrics = processes.flatMap((measured) => [labelProcess(measured), [...measured.shared]]);
  return AggregatorRegistry.aggregate(metrics).metrics();
}
