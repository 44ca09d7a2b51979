export { callerRole, callerSettings, settingNames } from './caller-query.js';

/**
 * Installs the role and policies of row-level security. `policies.ts` is loaded only when it is needed.
 * @throws {Error} if the user may not create the role, with instructions for an administrator
 */
export async function installPolicies(url: string): Promise<void> {
  const policies = await import('./policies.js');
  await policies.installRoleAndPolicies(url);
}
