import { expect } from 'vitest';
import { type ClientOptions, createClient, GatewayError } from '../../clients/typescript/src/index.js';
import type { TestGateway } from '../support/gateway.js';

/** Creates a client of a gateway. */
export const clientOf = ({ url, admin }: TestGateway, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: `${url}/`, token: admin, ...options });

/** Returns the platform's fetch, with what it has sent and the statuses that came; 0 for none. */
export function watchedFetch(onAnswer: (answer: Response) => unknown = () => {}) {
  const sent: Request[] = [];
  const answers: Response[] = [];
  const watched = async (request: Request) => {
    sent.push(request);
    const answer = await fetch(request);
    answers.push(answer);
    await onAnswer(answer);
    return answer;
  };
  return {
    sent,
    answers,
    /** Returns how often each key of a write was sent. */
    keys: () => new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))),
    fetch: watched,
  };
}

/** Gets the error that a request ends with. */
export async function refusalOf(request: PromiseLike<unknown>): Promise<GatewayError> {
  const error = await Promise.resolve(request).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
}
