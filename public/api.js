/** A reason why nothing was answered, told in words for people. */
export class Problem extends Error {
  /** Says that the token is at fault: another one is needed. */
  refused = false;

  constructor(message, refused = false) {
    super(message);
    this.refused = refused;
  }
}

const unreachable = 'The gateway cannot be reached. Is it running, and are you online?';

function unanswered(status, retryAfter) {
  const again = retryAfter ? ` Try again in ${retryAfter} seconds.` : ' Try again in a moment.';
  if (status === 429) return new Problem(`There were too many requests.${again}`);
  if (status === 503) return new Problem(`The gateway or its database is not available now.${again}`);
  return new Problem(`The gateway answered with the status ${status}, which this page does not understand.`);
}

/**
 * Sends a GraphQL query.
 * @returns its data, and the time of the answer by the gateway's clock
 * @throws Problem
 */
export async function ask(query, variables, token) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query, variables }),
    cache: 'no-store',
    credentials: 'omit',
  }).catch(() => {
    throw new Problem(unreachable);
  });
  const { data, errors: [error] = [] } = await response.json().catch(() => ({}));
  if (response.status === 401) {
    throw new Problem('This token is not valid: it is mistyped, expired or revoked.', true);
  }
  if (response.status === 429 || response.status === 503) {
    throw unanswered(response.status, response.headers.get('retry-after'));
  }
  if (error) throw new Problem(error.message, error.extensions?.code === 'FORBIDDEN');
  if (!data) throw unanswered(response.status);
  return { data, now: new Date(response.headers.get('date') ?? Date.now()) };
}
