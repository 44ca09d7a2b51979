export { callerSettings, enableCallerStatements, prepareSql } from './caller-query.js';

/**
 * Installs the role and policies of row-level security. `policies.ts` is loaded when it is needed.
 * @throws {Error} when the user may not make the role, with what an administrator has to do once
 */
export async function installPolicies(url: string): Promise<void> {
  const policies = await import('./policies.js');
  await policies.installRoleAndPolicies(url);
}
