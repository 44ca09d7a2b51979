import { createSecretKey, randomBytes } from 'node:crypto';
import { type DocumentNode, type ExecutionResult, execute as executeByGraphql } from 'graphql';
import { authenticate } from '../../src/access/callers.js';
import type { TimeSlices } from '../../src/db/connection/bounds.js';
import { Session } from '../../src/db/connection/session.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { signInWays } from '../../src/domain/caller.js';
import type { Context, Door } from '../../src/graphql/context.js';
import { execute } from '../../src/graphql/execution/execute.js';
import { ResponseSize } from '../../src/graphql/limits/response-size.js';
import { schema } from '../../src/graphql/schema.js';
import { createReceivers } from '../../src/outbound/outbound.js';
import { createMailServer, createMailService } from '../../src/reminders/mail-server.js';
import type { SignInAttempt } from '../../src/sign-in/attempts.js';
import { relyingPartyOf } from '../../src/sign-in/factors/passkeys.js';
import { createPasswordHasher } from '../../src/sign-in/password-hasher.js';
import type { TestGateway } from './gateway.js';
import { ShortSlices } from './short-slices.js';

/** The operation to execute. */
export interface Executed {
  readonly document: DocumentNode;
  readonly variables?: Record<string, unknown>;
  readonly token?: string;
  readonly rootValue?: unknown;
}

/** Hashes cheaply, because random operations change passwords. */
const hasher = createPasswordHasher({ ln: 4 });

const secrets = createSecrets({ secretKey: createSecretKey(randomBytes(32)), dataDir: '' });

/** Counts nothing: random operations may send any number of test mails. */
const unused = { cost: 0, until: 0 };
const quotas = { of: () => unused, use: () => unused };

/** Creates a session of a caller. */
export async function sessionOf(
  { database, clock, admin }: TestGateway,
  token = admin,
  slices?: TimeSlices,
): Promise<Session> {
  const caller = await authenticate(database, token, clock.now);
  if (!caller) throw new Error('The token is unknown.');
  return new Session(database, { caller, now: clock.now, bearer: token, secrets, slices });
}

/** Returns the context of a GraphQL operation, with a session of its own. */
async function contextFor(gateway: TestGateway, token?: string, slices?: TimeSlices): Promise<Context> {
  const { database } = gateway;
  const session = await sessionOf(gateway, token, slices);
  const door: Door = {
    naming: (field) => field,
    shows: () => true,
    leaf: (type) => type,
    word: (value) => value,
    isContract: false,
    changes: (type) => `update${type}`,
  };
  const signIn = {
    context: {
      ...{
        database,
        secrets,
        hasher,
        ways: signInWays,
        issuerClient: undefined,
        sendsMail: async () => false,
      },
      attempts: {
        during: (_: SignInAttempt, work: () => Promise<never>) => work(),
        fail: () => false,
        ask: () => {},
        takeMail: () => false,
      },
      log: { info: () => {} },
    },
    party: () => relyingPartyOf('http://localhost', undefined),
  };
  const answer = new ResponseSize(Infinity);
  const server = createMailServer(database, secrets, { mail: undefined, origin: undefined });
  const mail = createMailService({ server, quotas, uptime: () => 0 });
  const receivers = createReceivers([]);
  const about = { signIn, services: { mail, webhooks: receivers, chat: receivers } };
  const origin = gateway.url;
  return { session, schema, door, origin, ...about, fileContent: 'base64', answer, outcome: {} };
}

/**
 * Executes like the gateway does.
 * @param slices of the event loop, instead of the usual ones
 */
export async function executeByPlan(
  gateway: TestGateway,
  { token, variables, ...rest }: Executed,
  slices?: TimeSlices,
) {
  const contextValue = await contextFor(gateway, token, slices);
  return execute({ schema, contextValue, variableValues: variables ?? {}, ...rest });
}

/** Executes like the gateway does for a large request. */
export const executeInSlices: typeof executeByPlan = (gateway, executed) =>
  executeByPlan(gateway, executed, new ShortSlices());

/** Executes with graphql-js, which has no plans: rows are read whole, and linked records are loaded. */
export async function executeWithoutPlan(
  gateway: TestGateway,
  { token, variables, ...rest }: Executed,
): Promise<ExecutionResult> {
  const contextValue = await contextFor(gateway, token);
  return executeByGraphql({ schema, contextValue, variableValues: variables ?? {}, ...rest });
}
