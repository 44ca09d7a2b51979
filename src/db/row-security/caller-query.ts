import { type Caller, seesAllTeams } from '../../domain/caller.js';

/** PostgreSQL role for callers' statements. Policies apply to it, but not to the tables' owner. */
export const callerRole = 'expiration_gateway_caller';

/** Session settings that the policies read. While they are unset, policies let no row through. */
export const settingNames = { organization: 'gateway.organization', teams: 'gateway.teams' } as const;

/**
 * Returns the settings of a caller for the policies. Callers with equal settings see the same rows: as in
 * scope.ts, an admin sees all workspaces of the organization.
 */
export const callerSettings = (caller: Caller): [organization: string, teams: string] => [
  caller.organizationId,
  seesAllTeams(caller) ? 'all' : `{${caller.teamIds.join(',')}}`,
];
