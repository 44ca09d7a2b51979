import type { GatewayError } from '../../domain/errors.js';
import type { Answer } from '../../web/answer.js';
import { errorAnswer, graphqlErrorAnswer } from '../../web/errors.js';
import { withVary } from '../answers/answer.js';
import { hasRefusalPage, refusalPageAnswer } from '../pages/pages.js';
import { acceptedTypes, prefersPage } from '../request/accept.js';
import type { Asked } from '../request/request.js';
import type { RequestedEndpoint } from '../routing/exchange.js';

/**
 * The media type of GraphQL responses with any status. Clients trust plain JSON less when the status is not
 * 200.
 */
const graphqlResponse = 'application/graphql-response+json';

/** Picks the media type of a GraphQL error. Some clients look for errors only in GraphQL's own type. */
function graphqlTypeFor(accept: string | null): string {
  return accept !== null && acceptedTypes(accept).includes(graphqlResponse)
    ? graphqlResponse
    : 'application/json';
}

/**
 * Renders an error in the format of the door that the request is for. Browsers that open an address get an
 * HTML page, except at the REST door, where the contract has one format for errors whatever `Accept` says.
 */
export async function errorAnswerFor(
  { door }: RequestedEndpoint,
  asked: Asked,
  error: GatewayError,
): Promise<Answer> {
  const { header, method } = asked;
  const accept = header('accept');
  const answer = door === 'graphql' ? graphqlErrorAnswer(error, graphqlTypeFor(accept)) : errorAnswer(error);
  const mayBePage = door !== 'rest' && (method === 'GET' || method === 'HEAD');
  if (!mayBePage || !hasRefusalPage(error.code)) return answer;
  return withVary('Accept', prefersPage(accept) ? await refusalPageAnswer(error) : answer);
}
