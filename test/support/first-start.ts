import { createToken } from '../../src/access/tokens.js';
import type { Database } from '../../src/db/connection/database.js';
import type { Role } from '../../src/domain/caller.js';
import { demoId } from '../../src/domain/text/demo.js';
import { madeForExamples } from '../../src/rest/openapi/responses.js';
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

/** Makes what the examples of the reference need and the demo lacks: records, an answered request, a failed mail. */
export async function makeForExamples(gateway: TestGateway): Promise<void> {
  for (const { path, body } of madeForExamples()) {
    const { status, text } = await gateway.send('POST', path, { body });
    if (status !== 201) throw new Error(`${path}: ${text}`);
  }
  // Nobody answers a request of the demo, because its people are invented.
  const held = '00000000-0000-4000-8000-000000000001';
  await gateway.database.sql(`
    WITH kept AS (
      INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, is_active, created, modified)
      SELECT '${held}', organization_id, team_id, category_id, 'Key receipt', false, created, modified
      FROM document_requests WHERE id = '${demoId('request', 'Chloe Tremblay')}'
      RETURNING id
    )
    UPDATE document_requests SET state = 'RECEIVED', received_at = created, held_item_id = '${held}'
    WHERE id = '${demoId('request', 'Chloe Tremblay')}' AND EXISTS (SELECT FROM kept)`);
  // The demo sends no mail, so that none of it fails.
  await gateway.database.sql(`
    UPDATE deliveries SET state = 'FAILED', attempts = 9, first_tried_at = created,
      settled_at = created + interval '1 day', modified = created + interval '1 day', error_code = 'MAIL_SERVER_BUSY',
      last_error = '421 4.7.0 Too many connections, try again later', status_code = 421
    WHERE id = '${demoId('delivery', 'Trailer 501 rental insurance')}'`);
}
