import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'THIRD-PARTY.md' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
