import * as z from 'zod';
import { acceptInvitation, findInvitation } from '../../access/invitations.js';
import { acceptInvited, askInvited, invalidInvitation } from '../../sign-in/links/invitation.js';
import type { Endpoint } from '../routing/endpoint.js';
import {
  arrivalOf,
  createHandlers,
  jsonAnswer,
  partyAt,
  type SessionDoorOptions,
  sessionEndpoint,
  signedInAnswer,
} from './session-door.js';

const text = z.string('must be a string');
const linkBody = z.object({ secret: text });
const acceptBody = z.object({ secret: text, password: text.optional(), passkey: z.unknown().optional() });

/** Creates the endpoints with which invited people choose how to sign in. They need the link's secret. */
export function invitationEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { database } = context;
  const { taking } = createHandlers(options);
  return [
    sessionEndpoint('/invitation', {
      POST: taking(acceptBody, async (call, body) =>
        signedInAnswer(
          call,
          await acceptInvited(context, body, partyAt(call, settings), arrivalOf(call)),
          201,
        ),
      ),
    }),
    sessionEndpoint('/invitation/passkey', {
      POST: taking(linkBody, async (call, { secret }) =>
        jsonAnswer(200, await askInvited(context, secret, partyAt(call, settings), arrivalOf(call))),
      ),
    }),
    sessionEndpoint('/invitation/check', {
      POST: taking(linkBody, async ({ now }, { secret }) => {
        const found = await findInvitation(database, secret, now);
        if (found?.state !== 'open') throw invalidInvitation();
        const { userName, email, organization } = found;
        return jsonAnswer(200, { userName, email, organization });
      }),
    }),
    sessionEndpoint('/invitation/token', {
      POST: taking(linkBody, async ({ now }, { secret }) => {
        const token = await acceptInvitation(database, secret, now);
        if (token === undefined) throw invalidInvitation();
        return jsonAnswer(201, { token });
      }),
    }),
  ];
}
