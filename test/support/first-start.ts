import { createToken } from '../../src/access/tokens.js';
import type { Database } from '../../src/db/connection/database.js';
import type { Role } from '../../src/domain/caller.js';
import { bootstrap } from '../../src/setup/bootstrap.js';
import { startGateway, type Tenant, type TestGateway, testTime } from './gateway.js';

/** Creates what a first start creates: the administrator, and the demo. */
async function makeFirst(database: Database): Promise<Tenant> {
  const { token: admin = '' } = await bootstrap(database, { token: undefined, demo: true, now: testTime });
  const { id: userId, organizationId, teamId } = await database.prisma.user.findFirstOrThrow();
  const { id: otherTeamId } = await database.prisma.team.findFirstOrThrow({ where: { name: 'Demo' } });
  const tokenOf = async (role: Role) => {
    const owner = { organizationId, userId, name: role, role, expiresAt: null };
    return (await createToken(database, owner, testTime)).token;
  };
  const [member, viewer, uploader] = [
    await tokenOf('MEMBER'),
    await tokenOf('VIEWER'),
    await tokenOf('UPLOADER'),
  ];
  return { organizationId, teamId, otherTeamId, userId, admin, member, viewer, uploader };
}

/** Starts a gateway as somebody would for the first time. */
export function startFirstTime(env: Record<string, string> = {}): Promise<TestGateway> {
  return startGateway(env, undefined, { makeTenant: makeFirst });
}
