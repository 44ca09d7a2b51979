import * as z from 'zod';
import { GatewayError } from '../../domain/errors.js';
import { check, rules } from '../../domain/rules.js';
import { pickLanguage } from '../../mail/languages.js';
import { type MailInput, readMailInput } from '../../reminders/mail-server.js';
import { sendTrial } from '../../reminders/shown/mail-door.js';
import { askFirstPerson, checkSetup, setUp } from '../../setup/first-visit.js';
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
const optional = z.string().nullish();
/** A mail server, whose rules are those of `readMailInput`. */
const mailBody = z.custom<MailInput>(
  (sent) => typeof sent === 'object' && sent !== null,
  'must be an object',
);
const secretBody = z.object({ secret: text });
const personBody = z.object({ secret: text, name: text, email: text });
const setupBody = z.object({
  secret: text,
  organization: text,
  name: text,
  email: text,
  password: text.optional(),
  passkey: z.unknown().optional(),
  timezone: optional,
  language: optional,
  demo: z.boolean('must be true or false'),
  mail: mailBody.nullish(),
});
const trialBody = z.object({ secret: text, mail: mailBody, to: text, language: optional });

/** Creates the endpoints with which the setup page prepares a new gateway. They need the setup link. */
export function setupEndpoints(options: SessionDoorOptions): Endpoint[] {
  const { context, settings } = options;
  const { taking } = createHandlers(options);
  return [
    sessionEndpoint('/setup', {
      POST: taking(setupBody, async (call, body) =>
        signedInAnswer(call, await setUp(context, body, partyAt(call, settings), arrivalOf(call)), 201),
      ),
    }),
    sessionEndpoint('/setup/passkey', {
      POST: taking(personBody, async (call, body) =>
        jsonAnswer(200, await askFirstPerson(context, body, partyAt(call, settings), call.now)),
      ),
    }),
    sessionEndpoint('/setup/check', {
      POST: taking(secretBody, async (_call, { secret }) => {
        await checkSetup(context, secret);
        return { status: 204, headers: {}, body: null };
      }),
    }),
    sessionEndpoint('/setup/mail', {
      POST: taking(trialBody, async ({ now }, { secret, mail, to, language }) => {
        await checkSetup(context, secret);
        const address = check(rules.email, to, ['to']);
        const { mail: settings } = readMailInput(mail);
        if (!settings) throw new Error('A mail server was read without settings.');
        const { isSent, answer } = await sendTrial(settings, address, pickLanguage(language), now);
        if (!isSent) throw new GatewayError('BAD_REQUEST', answer);
        return jsonAnswer(200, { sent: true });
      }),
    }),
  ];
}
