import type { Role } from '../../src/domain/caller.js';
import { createPasswordHasher, ownerAt, type PasswordHasher } from '../../src/sign-in/password-hasher.js';
import { startGateway, type TestGateway, type TestResponse } from '../support/gateway.js';

/** The password of everybody in these tests. */
export const password = 'autumn leaves on the pond';

export const ada = 'ada@example.com';
export const max = 'max@example.com';

/** A gateway whose people have roles and passwords. */
export interface SignInGateway extends TestGateway {
  readonly hasher: PasswordHasher;
  readonly memberId: string;
}

/** Gives a user the password of these tests. */
export async function givePassword({ database, clock }: TestGateway, userId: string): Promise<void> {
  const { organizationId } = await database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
  const phc = await createPasswordHasher({ ln: 4 }).hash(password, ownerAt(''));
  await database.prisma.password.create({ data: { userId, organizationId, phc, changedAt: clock.now } });
}

/** Starts a gateway whose admin is Ada and whose member is Max. */
export async function startSignIn(
  env: Record<string, string> = {},
  live?: Parameters<typeof startGateway>[1],
  options: Parameters<typeof startGateway>[2] = {},
): Promise<SignInGateway> {
  const hasher = createPasswordHasher({ ln: 4 });
  const gateway = await startGateway(env, live, { hasher, ...options });
  const { database, organizationId, userId } = gateway;
  const { prisma } = database;
  const { id: memberId } = await prisma.user.findFirstOrThrow({ where: { organizationId, email: max } });
  const people: [string, Role][] = [
    [userId, 'ADMIN'],
    [memberId, 'MEMBER'],
  ];
  for (const [id, role] of people) {
    await prisma.user.update({ where: { id }, data: { role } });
    await givePassword(gateway, id);
  }
  return { ...gateway, hasher, memberId };
}

/** Returns a gateway whose requests go to `localhost`, because passkeys belong to a host name. */
export function atHostName(gateway: TestGateway): TestGateway {
  const url = gateway.url.replace('127.0.0.1', 'localhost');
  const send: TestGateway['send'] = async (method, path, { body, headers = {} } = {}) => {
    const json = body !== undefined && { 'Content-Type': 'application/json' };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(url + path, { method, headers: { ...json, ...headers }, body: sent });
    const text = await response.text();
    const { status, headers: answered } = response;
    return { status, headers: answered, text, json: text && JSON.parse(text) };
  };
  return { ...gateway, url, send };
}

/** A browser with its cookies, which it sends from the gateway's own pages unless told otherwise. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly gateway: TestGateway;
  /** Headers of all of its requests. */
  readonly headers: Record<string, string>;

  constructor(gateway: TestGateway, headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' }) {
    this.gateway = gateway;
    this.headers = headers;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> {
    const cookie = this.cookies.size > 0 ? { Cookie: this.cookie } : undefined;
    const answer = await this.gateway.send(method, path, {
      token: null,
      ...(body !== undefined && { body }),
      headers: { ...cookie, ...this.headers, ...headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  signIn(email = ada, sent = password, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.send('POST', '/session/password', { email, password: sent }, headers);
  }

  /** Sends a GraphQL operation. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
  async graphql(query: string, variables: object = {}): Promise<any> {
    return (await this.send('POST', '/graphql', { query, variables })).json;
  }
}
