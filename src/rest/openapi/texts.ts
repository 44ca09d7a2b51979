import { type GraphQLSchema, isEnumType } from 'graphql';
import type { Route } from '../../domain/doors/route.js';
import { largestBodies, reference, takesForm } from '../routes.js';

/** Writes the introduction of the document, which applies to every operation. */
export function introduction(table: readonly Route[]): string {
  const methods = [...new Set(table.map(({ method }) => method))].filter((method) => method !== 'GET');
  return `Tracks things that expire, and the records around them.

**Requests.** Every request carries an access token. Bodies are JSON in UTF-8, at most ${largestBodies.standard} bytes, ${largestBodies.files} where files can be sent. Member names are matched ignoring case. Unknown members are ignored, and so are those that the server sets (\`id\` of an existing record, \`created\`, \`modified\`). Values beyond a limit are refused, never truncated. Texts may not contain NUL characters.

**Workspaces.** Without \`team_id\`, a new record goes to the caller's own workspace, and a stored one stays where it is. An id of another record, such as \`location_id\` or \`assigned_to.id\`, must be one that the token can access. Other ids are stored as sent.

**Responses.** Every member of a model is always present. A member without a value is \`null\`, and an empty collection is \`[]\`. Every response has an \`X-Request-Id\`, which is also in the service's log.

**Errors.** \`code\` is for programs, \`message\` for people. Paths that are not listed here return 404 \`NOT_FOUND\`. Methods that a path does not support return 405 \`METHOD_NOT_ALLOWED\` with \`Allow\`. Records in workspaces that the token cannot access look as if they did not exist.

**Versions of a record.** Single records come with a strong \`ETag\`. Send it back in \`If-Match\` to avoid overwriting someone else's changes.

**Retries.** A ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(methods)} with an \`Idempotency-Key\` chosen by the caller can be sent again. It is executed only once, and repeats get the first response for 24 hours. Error responses are not kept, because nothing was written. The same key with a different request returns 422, or 409 while the first request is still running.

**Methods.** \`HEAD\` works wherever \`GET\` does. \`OPTIONS\` returns \`Allow\`.`;
}

/**
 * Describes a heading of the reference.
 * @throws Error if the heading has no description
 */
export function aboutTag(tag: string): string {
  const text = reference.about[tag];
  if (text === undefined) throw new Error(`The heading ${tag} has no description.`);
  return text;
}

/** Writes the remarks that apply to every operation of a kind. */
export function remarksOn(route: Route): string {
  switch (route.kind) {
    case 'list':
      return [
        'Ties are broken by `id`, so pages never overlap. A page past the end is empty. `Link` has the addresses of the other pages.',
        'Use `cursor` or the `next` links to get each row exactly once, even if rows are added or removed meanwhile.',
        'With `If-None-Match`, an unchanged page returns 304.',
        'Parameter names are matched ignoring case. Unknown parameters are ignored, and empty ones count as omitted.',
      ].join(' ');
    case 'read':
      return 'With `If-None-Match`, an unchanged record returns 304.';
    case 'write':
      return takesForm(route)
        ? 'The body is a form with the part `file`, or JSON with `content`. Each other member may be omitted. A worker then reads the document, unless its date was sent.'
        : "`null` sets a member's default.";
    case 'delete':
      return 'If other records require it, it is not deleted and the response is 409.';
    case 'act':
      return 'The request needs no body. If there is one, it is ignored.';
    case 'receive':
      return [
        'All members and the body itself are optional. 64-bit integers are not rounded.',
        'Notifications with the same `id` and `action`, or without an `id` the same content, are stored once.',
        'Files with the action `fp.upload` are filed later. Other notifications are only stored.',
      ].join(' ');
    case 'patch':
      return patching(route.errors.includes('NOT_MODIFIED'));
  }
}

function patching(saysNotModified: boolean): string {
  return [
    'Applies a JSON Patch (RFC 6902) or, depending on the media type, a JSON Merge Patch (RFC 7396) to the record as this API shows it.',
    'Either all operations apply or none does.',
    "`remove`, and null in a merge patch, sets a member's default. The result is checked like the body of a PUT.",
    'Members that the server sets can be tested and copied from, but not changed. A failed `test` returns 409.',
    'A patch that changes nothing returns',
    saysNotModified ? '304.' : '200 and the record.',
  ].join(' ');
}

/** Describes access tokens and roles. */
export function security(gateway: GraphQLSchema): string {
  const role = gateway.getType('Role');
  if (!isEnumType(role)) throw new Error('The gateway has no roles.');
  const lines = role
    .getValues()
    .map(({ name, description }) => `- \`${name.toLowerCase()}\`: ${description}`);
  return `An access token, which is created and revoked with GraphQL or the command line, or a JWT from the OpenID Connect issuer that the gateway accepts. It has one of these roles:\n\n${lines.join('\n')}\n\nA signed token works only for the bulk scan receiver, and its requests must be signed.`;
}
