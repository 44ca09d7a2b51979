import { type GraphQLSchema, isEnumType } from 'graphql';
import type { Route } from '../../domain/doors/route.js';
import { largestBodies } from '../route.js';
import { reference } from '../routes.js';

/** Writes the introduction of the document, which applies to every operation. */
export function introduction(table: readonly Route[]): string {
  const methods = [...new Set(table.map(({ method }) => method))].filter((method) => method !== 'GET');
  return `Tracks things that expire, and the records around them.

**Requests.** Every request carries an access token. Bodies are JSON in UTF-8, at most ${largestBodies.standard} bytes, ${largestBodies.files} where files can be sent. Member names match in any letter case. Unknown members are ignored, and so are those that the server sets (\`id\` of an existing record, \`created\`, \`modified\`). A value beyond a limit is refused, never cut. Texts may not contain NUL characters.

**Workspaces.** The default of \`team_id\` is the caller's own workspace. An id of another record, such as \`location_id\` or \`assigned_to.id\`, must be one that the token reaches. Other ids are kept as sent.

**Answers.** Every member of a model is always there: one without a value is \`null\`, an empty collection \`[]\`. Every answer has an \`X-Request-Id\`, which is also in the service's log.

**Errors.** \`code\` is for programs, \`message\` for people. A path that is not listed here is answered with 404 \`NOT_FOUND\`, a method that a path does not have with 405 \`METHOD_NOT_ALLOWED\` and \`Allow\`. Records of workspaces that the token does not reach are answered as if they did not exist.

**Versions of a record.** Single records come with a strong \`ETag\`. Sent back in \`If-Match\`, it keeps a write from undoing someone else's.

**Retries.** A ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(methods)} with an \`Idempotency-Key\` of the caller's own choice can be sent again: it is done once, and answered for 24 hours as it was first. An answer that is an error is not kept, as nothing was written. The same key with another request is answered with 422, and with 409 while the first one is at work.

**Methods.** \`HEAD\` works wherever \`GET\` does. \`OPTIONS\` answers \`Allow\`.`;
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
        'Ties are broken by `id`, so pages never overlap. A page past the end is empty. `Link` leads to the others.',
        'While rows come and go, `cursor=` and the links `next` meet each row once.',
        'With `If-None-Match`, a page that is as the caller knows it is answered with 304.',
        'Parameter names match in any letter case. Unknown parameters are ignored; an empty one counts as not sent.',
      ].join(' ');
    case 'read':
      return 'With `If-None-Match`, a record that is as the caller knows it is answered with 304.';
    case 'write':
      return "`null` stands for a member's default.";
    case 'delete':
      return 'Records that cannot be without it keep it from being deleted: the answer is 409.';
    case 'act':
      return 'Nothing else is needed: a body is ignored.';
    case 'receive':
      return [
        'Every member may be missing, and so may the body. Whole numbers of 64 bits are not rounded.',
        'One of the same `id` and `action` (without an `id`: of the same content) is kept once, however often it comes.',
        'Files of the action `fp.upload` are filed later; other notifications are kept, and nothing more.',
      ].join(' ');
    case 'patch':
      return patching(route.errors.includes('NOT_MODIFIED'));
  }
}

function patching(saysNotModified: boolean): string {
  return [
    'JSON Patch (RFC 6902), or by its media type JSON Merge Patch (RFC 7396), over the record as this API shows it.',
    'All operations apply, or none does.',
    "`remove`, and null in a merge patch, sets a member's default. The result is checked like the body of a PUT.",
    'A member that the server sets can be tested and copied from, not changed. A failed `test` is answered with 409.',
    'An empty patch, or one that leaves the record as it was, is answered with',
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
  return `An access token, made and revoked with GraphQL or the command line, or a JWT of the OpenID Connect issuer that the gateway accepts. It has one of these roles:\n\n${lines.join('\n')}\n\nA signed token is good for the bulk scan receiver alone, and what it sends there must be signed.`;
}
