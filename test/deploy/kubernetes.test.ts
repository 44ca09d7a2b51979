import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/config/config.js';
import { healthEndpoints } from '../../src/http/worker-server.js';

const project = new URL('../../', import.meta.url);
const folder = new URL('deploy/kubernetes/', project);
const read = (path: string) => readFileSync(new URL(path, project), 'utf8');
const { version } = JSON.parse(read('package.json'));

const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const documents = files.flatMap((file) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => ({ file, value: document.toJS() })),
);
// biome-ignore lint/suspicious/noExplicitAny: what a manifest has is what these tests check.
const all = (kind: string): any[] =>
  documents.filter(({ value }) => value.kind === kind).map(({ value }) => value);
const named = (kind: string, name: string) => all(kind).find(({ metadata }) => metadata.name === name);

const gateway = named('Deployment', 'expiration-gateway');
const worker = named('Deployment', 'expiration-gateway-worker');
const [job] = all('Job');
const pods = [gateway, worker, job].map(({ spec }) => spec.template.spec);
const [backup] = all('CronJob');
const backupPod = backup.spec.jobTemplate.spec.template.spec;
const known = new Set(settings.map(({ name }) => name));

/** Modules of the types of Kubernetes' own kinds. */
const typeModules: Record<string, string> = {
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
};

/** Returns what the compiler finds wrong with manifests as values of the types of Kubernetes 1.30. */
function problemsOf(manifests: typeof documents): string[] {
  const checked = manifests.filter(({ value }) => value.apiVersion in typeModules);
  const lines = checked.map(({ value }, place) => {
    const type = `import('kubernetes-types/${typeModules[value.apiVersion]}').${value.kind}`;
    return `export const manifest${place}: ${type} = ${JSON.stringify(value)};`;
  });
  const name = new URL('test/deploy/manifests.ts', project).pathname;
  const options: ts.CompilerOptions = { strict: true, noEmit: true, types: [], lib: ['lib.es2022.d.ts'] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === name || fileExists(file);
  host.getSourceFile = (file, language) =>
    file === name ? ts.createSourceFile(file, lines.join('\n'), language) : getSourceFile(file, language);
  const resolved = {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const program = ts.createProgram([name], resolved, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('deploy/kubernetes', () => {
  test('manifests have the fields and types of the API', () => {
    expect(problemsOf(documents)).toEqual([]);
    const wrong = structuredClone(gateway);
    wrong.spec.template.spec.containers[0].readinessProbe.httpGet.pathh = '/';
    const [problem] = problemsOf([{ file: 'wrong', value: wrong }]);
    expect(problem).toContain('"pathh"\' does not exist');
  });

  test('kustomization.yaml names each file that everybody needs, and the image of this version', () => {
    const { resources, images } = parse(read('deploy/kubernetes/kustomization.yaml'));
    const optional = ['backup.yaml', 'monitoring.yaml', 'pooler.yaml'];
    const others = ['kustomization.yaml', 'secret.example.yaml', ...optional];
    expect([...resources, ...others].sort()).toEqual([...files].sort());
    expect(images).toEqual([{ name: 'registry.example.com/expiration-gateway', newTag: version }]);
    expect(job.metadata.name).toBe(`expiration-gateway-migrate-${version.replaceAll('.', '-')}`);
  });

  test('probes ask what the gateway answers, at a port that it listens on', () => {
    const paths = healthEndpoints(undefined, () => undefined).map(({ path }) => path);
    for (const { containers } of pods.slice(0, 2)) {
      const [container] = containers;
      for (const name of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        const { path, port } = container[name].httpGet;
        expect(paths).toContain(path);
        expect(container.ports.map((each: { name: string }) => each.name)).toContain(port);
      }
      expect(container.livenessProbe.httpGet.path).toBe('/health/live');
      expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    }
    const [{ ports }] = pods[0].containers;
    expect(ports[0].containerPort).toBe(4000);
    const metricsPort = pods[1].containers[0].env.find(
      ({ name }: { name: string }) => name === 'METRICS_PORT',
    );
    expect(metricsPort.value).toBe(String(pods[1].containers[0].ports[0].containerPort));
  });

  test('selectors match the labels of the pods', () => {
    for (const deployment of [gateway, worker]) {
      const { name } = deployment.metadata;
      const { labels } = deployment.spec.template.metadata;
      expect(deployment.spec.selector.matchLabels).toEqual(labels);
      expect(named('NetworkPolicy', name).spec.podSelector.matchLabels).toEqual(labels);
      for (const { labelSelector } of deployment.spec.template.spec.topologySpreadConstraints)
        expect(labelSelector.matchLabels).toEqual(labels);
    }
    const { labels } = gateway.spec.template.metadata;
    expect(all('Service')[0].spec.selector).toEqual(labels);
    expect(all('PodDisruptionBudget')[0].spec.selector.matchLabels).toEqual(labels);
    expect(all('HorizontalPodAutoscaler')[0].spec.scaleTargetRef.name).toBe(gateway.metadata.name);
  });

  test('pods have this version, a limit of memory, no rights, and settings that there are', () => {
    const secret = named('Secret', 'expiration-gateway');
    expect(Object.keys(secret.stringData).filter((name) => !known.has(name))).toEqual([]);
    const plain = named('ConfigMap', 'expiration-gateway');
    expect(Object.keys(plain.data).filter((name) => !known.has(name))).toEqual([]);
    for (const pod of [...pods, backupPod]) {
      const [container] = pod.containers;
      expect(container.image).toBe(`registry.example.com/expiration-gateway:${version}`);
      expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      const told: string[] = container.env.map(({ name }: { name: string }) => name);
      expect(told.filter((name) => !known.has(name))).toEqual(['DB_USER', 'DB_PASSWORD']);
      expect(container.envFrom).toEqual([
        { secretRef: { name: secret.metadata.name } },
        { configMapRef: { name: plain.metadata.name } },
      ]);
    }
  });

  test('the Job migrates, and gateways and workers wait for it; no gateway stops before another is ready', () => {
    const migrate = (pod: (typeof pods)[number]) =>
      pod.containers[0].env.find(({ name }: { name: string }) => name === 'MIGRATE')?.value;
    expect(pods.map(migrate)).toEqual(['off', 'off', undefined]);
    expect(job.spec.template.spec.containers[0].command).toEqual(['node', 'dist/main.js', 'migrate']);
    for (const { spec } of [gateway, worker]) expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
  });

  test('all connect to the cluster of CloudNativePG, as the owner of its database, and check its certificate', () => {
    const [cluster] = all('Cluster');
    const { name } = cluster.metadata;
    const { database, owner } = cluster.spec.bootstrap.initdb;
    expect([database, owner]).toEqual(['gateway', 'gateway']);
    for (const pod of [...pods, backupPod]) {
      const { env, volumeMounts } = pod.containers[0];
      const of = (wanted: string) => env.find((each: { name: string }) => each.name === wanted);
      expect(of('DB_PASSWORD').valueFrom.secretKeyRef).toEqual({ name: `${name}-app`, key: 'password' });
      expect(of('DATABASE_URL').value).toBe(
        `postgresql://$(DB_USER):$(DB_PASSWORD)@${name}-rw/${database}?sslmode=verify-full&sslrootcert=/etc/gateway-db/ca.crt`,
      );
      const { secret } = pod.volumes.find((volume: { name: string }) => volume.name === 'authority');
      expect(secret.secretName).toBe(`${name}-ca`);
      expect(volumeMounts.find((mount: { name: string }) => mount.name === 'authority').mountPath).toBe(
        '/etc/gateway-db',
      );
    }
    for (const kind of ['ScheduledBackup', 'Pooler']) expect(all(kind)[0].spec.cluster.name).toBe(name);
    expect(cluster.spec.certificates.serverAltDNSNames).toEqual([all('Pooler')[0].metadata.name]);
    // An acknowledged write is on two instances.
    expect(cluster.spec).toMatchObject({ instances: 3, postgresql: { synchronous: { number: 1 } } });
  });

  test('people reach the Service at the address of links, and Prometheus the ports of the pods', () => {
    const [ingress] = all('Ingress');
    const [rule] = ingress.spec.rules;
    expect(named('ConfigMap', 'expiration-gateway').data.PUBLIC_URL).toBe(`https://${rule.host}`);
    expect(ingress.spec.tls[0].hosts).toEqual([rule.host]);
    const { name, port } = rule.http.paths[0].backend.service;
    const service = named('Service', name);
    expect(service.spec.ports.map((each: { name: string }) => each.name)).toContain(port.name);
    const [monitor] = all('PodMonitor');
    const [{ key, values }] = monitor.spec.selector.matchExpressions;
    expect([gateway, worker].map(({ spec }) => spec.template.metadata.labels[key])).toEqual(values);
    const ports = [gateway, worker].map(({ spec }) => spec.template.spec.containers[0].ports[0].name);
    expect(monitor.spec.podMetricsEndpoints.map((each: { port: string }) => each.port)).toEqual(ports);
    for (const { authorization } of monitor.spec.podMetricsEndpoints) {
      const secret = named('Secret', authorization.credentials.name);
      expect(Object.keys(secret.stringData)).toContain(authorization.credentials.key);
    }
  });

  test('a backup is written into a volume that stays', () => {
    const { command, volumeMounts } = backupPod.containers[0];
    const [, , verb, folder] = command;
    expect([verb, folder]).toEqual(['backup', '/backups']);
    const mount = volumeMounts.find((each: { mountPath: string }) => each.mountPath === folder);
    const { persistentVolumeClaim } = backupPod.volumes.find(
      ({ name }: { name: string }) => name === mount.name,
    );
    expect(named('PersistentVolumeClaim', persistentVolumeClaim.claimName)).toBeTruthy();
  });
});
