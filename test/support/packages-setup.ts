import { installFolders } from '../../scripts/packages.mjs';

/** Vitest's global setup of the tests that need clients, servers and the browser of others: installs them. */
export default function setup(): Promise<void> {
  return installFolders('test/clients', 'test/browser');
}
