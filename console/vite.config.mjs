import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';
import { textsPlugin } from './scripts/texts.mjs';

/** The gateway that the development server passes requests on to. */
const gateway = process.env.GATEWAY ?? 'http://127.0.0.1:4000';
const passedOn = ['/graphql', '/attachments', '/v1', '/health', '/console/config.json', '/favicon.svg'];

/** Writes the documents beside the program, for the gateway to know them. @returns {import('vite').Plugin} */
const operationsPlugin = () => ({
  name: 'operations',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(new URL('src/generated/operations.json', import.meta.url), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'operations.json', source });
  },
});

/** Writes the list of the bundled packages, as the lockfile names them. @returns {import('vite').Plugin} */
const packagesPlugin = () => ({
  name: 'packages',
  apply: 'build',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const found = modules.map((id) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0]);
    const source = `${JSON.stringify([...new Set(found.filter(Boolean))].sort(), null, 2)}\n`;
    this.emitFile({ type: 'asset', fileName: 'packages.json', source });
  },
});

export default defineConfig(({ command }) => {
  // A build is the same whoever starts it. For tests, Vite would keep what only helps to develop.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    // The gateway serves the files below this path, and the page itself at each screen's address.
    base: command === 'build' ? '/console/' : '/',
    plugins: [textsPlugin(), operationsPlugin(), packagesPlugin()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: '../dist/console',
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'THIRD-PARTY.md' },
      target: ['chrome123', 'firefox128', 'safari17.5'],
      reportCompressedSize: false,
    },
    server: { proxy: Object.fromEntries(passedOn.map((path) => [path, gateway])) },
  };
});
