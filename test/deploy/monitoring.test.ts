import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type MetricLabels, metricLabels } from '../support/gateway-metrics.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

let metrics: MetricLabels;
beforeAll(async () => {
  metrics = await metricLabels();
});

/** Labels that Prometheus adds, or a process that is one of several. */
const further = ['job', 'instance', 'worker', 'le'];

/**
 * Returns what is wrong with the names of an expression in PromQL: of metrics, and of labels that are
 * matched.
 */
function problemsOf(expression: string): string[] {
  const used = [...expression.matchAll(/\b((?:gateway|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  if (used.length === 0 && !expression.startsWith('up{')) return [`no metric in ${expression}`];
  return used.flatMap(([, name = '', matchers = '']) => {
    const labels = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''));
    if (!labels) return [`${name} is no metric`];
    const matched = [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
    const unknown = matched.filter((label) => !labels.includes(label) && !further.includes(label));
    return unknown.map((label) => `${name} has no label ${label}`);
  });
}

/** Returns the anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

test('invalid names and labels are found', () => {
  expect(problemsOf('rate(gateway_nothing_total[5m])')).toEqual(['gateway_nothing_total is no metric']);
  expect(problemsOf('gateway_uploads{stat="failed"}')).toEqual(['gateway_uploads has no label stat']);
});

describe('the alert rules', () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly for?: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly runbook: string };
  }
  const { groups } = parse(read('deploy/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);

  test('are there, each once', () => {
    expect(rules.length).toBeGreaterThan(15);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s', (_name, rule) => {
    expect(Object.keys(rule).filter((key) => key !== 'for')).toEqual([
      'alert',
      'expr',
      'labels',
      'annotations',
    ]);
    expect(rule.alert).toMatch(/^Gateway[A-Z]\w+$/);
    expect(rule.for ?? '0m').toMatch(/^\d+[mh]$/);
    expect(rule.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning|info)$/) });
    expect(Object.keys(rule.annotations)).toEqual(['summary', 'runbook']);
    expect(rule.annotations.summary).toMatch(/\.$/);
    const [page = '', anchor] = rule.annotations.runbook.split('#');
    const headings = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    expect(headings).toContain(anchor);
    expect(problemsOf(rule.expr)).toEqual([]);
  });

  test('are in the table of docs/run/monitoring.md', () => {
    const rows = [...read('docs/run/monitoring.md').matchAll(/^\| `(Gateway\w+)` \| (\w+) \|/gm)];
    expect(rows.map(([, alert, severity]) => [alert, severity])).toEqual(
      rules.map(({ alert, labels }) => [alert, labels.severity]),
    );
  });

  test.each([['check', 'alerts.yml'] as const, ['test', 'alerts.test.yml'] as const])(
    'promtool %ss them, where it is installed',
    (verb, file) => {
      const cwd = new URL('../../deploy/prometheus', import.meta.url);
      const { error, status, stdout, stderr } = spawnSync('promtool', [verb, 'rules', file], { cwd });
      if (error) expect(error).toMatchObject({ code: 'ENOENT' });
      else
        expect({ status, told: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, told: '' });
    },
  );
});

describe("Grafana's dashboard", () => {
  interface Panel {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly datasource?: object;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: { readonly expr: string; readonly datasource: object; readonly refId: string }[];
  }
  const dashboard = JSON.parse(read('deploy/grafana/dashboard.json'));
  const panels: Panel[] = dashboard.panels;
  const shown = panels.filter(({ type }) => type !== 'row');

  test('is one that any Grafana can import: the data source is chosen there', () => {
    expect(dashboard).toMatchObject({ uid: 'expiration-gateway', schemaVersion: 39 });
    expect(dashboard).not.toHaveProperty('id');
    expect(
      dashboard.templating.list.map(({ name, type }: { name: string; type: string }) => [name, type]),
    ).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own placeholder.
    const source = { type: 'prometheus', uid: '${datasource}' };
    for (const { datasource, targets } of shown) {
      expect(datasource).toEqual(source);
      for (const target of targets ?? []) expect(target.datasource).toEqual(source);
    }
  });

  test('has panels that do not lie on one another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  });

  test.each(shown.map((panel) => [panel.title, panel] as const))('%s', (_title, { description, targets }) => {
    expect(description).toMatch(/\.$/);
    expect(targets?.map(({ refId }) => refId)).toEqual(['A', 'B', 'C', 'D'].slice(0, targets?.length));
    expect(targets?.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  });

  test('shows each metric of the gateway that an alert or a person looks at', () => {
    const all = JSON.stringify(dashboard);
    const own = [...metrics.keys()].filter((name) => name.startsWith('gateway_'));
    // The queue's length is in `gateway_uploads`, by state; tries to file are for who looks closer.
    // Stages are for who looks for the slow part of a request.
    const left = [
      'gateway_stage_duration_seconds',
      'gateway_upload_queue_notifications',
      'gateway_upload_filing_duration_seconds',
    ];
    expect(own.filter((name) => !all.includes(name)).sort()).toEqual(left.sort());
  });
});
