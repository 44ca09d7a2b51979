import { expect, test } from 'vitest';
import { kindsWithPage, recordPage } from '../../src/domain/doors/paths.js';

// The console's own build resolves its imports, so the compiler doesn't follow this one.
const addresses = new URL('../../console/src/app/addresses.ts', import.meta.url).href;
const { addressOf }: { addressOf: (kind: string, id: string) => string | undefined } = await import(
  addresses
);

test.each(kindsWithPage)('links to a record of kind %s lead to its screen of the console', (kind) => {
  const consoleKind = kind.replace(/[A-Z]/g, '_$&').toUpperCase();
  expect(recordPage('', kind, 'id-1')).toBe(addressOf(consoleKind, 'id-1'));
});
