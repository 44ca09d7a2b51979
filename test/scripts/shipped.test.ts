import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { binaries, nameOf, shippedPackages } from '../../scripts/shipped.mjs';

let shipped: ReturnType<typeof shippedPackages>;
beforeAll(async () => {
  await build();
  shipped = shippedPackages();
}, 300_000);

test('what is shipped is what is installed for production, and what is bundled', () => {
  const names = Object.keys(shipped).map(nameOf);
  for (const name of ['graphql-yoga', 'pg', 'preact', 'swagger-ui-dist', 'zxing-wasm', 'koffi'])
    expect(names).toContain(name);
  const needless = ['vitest', 'typescript', 'rolldown', 'vite', 'fast-check', 'oidc-provider'];
  expect(names.filter((name) => needless.includes(name))).toEqual([]);
});

test('shipped packages have licences that require only attribution', () => {
  const allowed = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MIT-0'];
  const others = Object.entries(shipped).filter(([, { license = '' }]) => !allowed.includes(license));
  expect(others.map(([path]) => nameOf(path))).toEqual([]);
});

test('the SBOM names each of them, and the programs and libraries in them', async () => {
  const program = fileURLToPath(new URL('../../scripts/shipped.mjs', import.meta.url));
  const options = { maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'sbom'], options);
  const { packages } = JSON.parse(stdout) as { packages: { name: string }[] };
  const named = new Set(packages.map(({ name }) => name));
  expect(Object.keys(shipped).filter((path) => !named.has(nameOf(path)))).toEqual([]);
  expect(binaries.filter(({ name }) => !named.has(name))).toEqual([]);
});
