import type { GraphQLSchema } from 'graphql';
import type { EntityKind } from '../../domain/models.js';
import { limits } from '../../domain/rules.js';
import { kindsOfType, testType, webhookTypes } from '../../webhooks/endpoints.js';
import { maxBytes } from '../../webhooks/send/fan-out.js';
import { operationIdOf, routes } from '../routes.js';
import { type Components, nullable, type OpenApiNode } from './json-schema.js';
import type { Schemas } from './schemas.js';

const uuid = { type: 'string', format: 'uuid', maxLength: 36 } as const;
const moment = { type: 'string', format: 'date-time', maxLength: 30 } as const;

/** A text without line breaks. */
const line = { type: 'string', maxLength: limits.line } as const;
const optionalLine = { type: ['string', 'null'], maxLength: limits.line } as const;

/** The most entries of a list in a message. */
const maxListed = 1_000;

/** Schema of what all messages about events have. */
const message: OpenApiNode = {
  description: 'A message about an event.',
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { description: 'The type of the message.', ...line },
    timestamp: { description: 'When the event happened.', ...moment },
    data: {
      description: 'What happened, and to which record.',
      type: 'object',
      required: [
        'id',
        'kind',
        'workspace_id',
        'version',
        'link',
        'description',
        'actor',
        'related',
        'changes',
      ],
      properties: {
        id: { description: 'The id of the record.', ...nullable(uuid) },
        kind: { description: 'The kind of the record.', ...optionalLine },
        workspace_id: { description: 'The workspace of the event.', ...uuid },
        version: {
          description:
            'The version of the record when the message was made, in base 36. A receiver should ignore versions older than the one it has.',
          ...optionalLine,
        },
        link: {
          description: 'The page of the record in the console.',
          type: ['string', 'null'],
          maxLength: limits.address,
        },
        description: { description: 'What happened, in a sentence.', type: 'string', maxLength: maxBytes },
        actor: {
          description: 'Who did it.',
          type: 'object',
          required: ['type', 'id', 'name'],
          properties: {
            type: { type: 'string', enum: ['user', 'gateway'] },
            id: nullable(uuid),
            name: optionalLine,
          },
        },
        related: {
          description: 'Other records that the event is about.',
          type: 'array',
          maxItems: maxListed,
          items: {
            type: 'object',
            required: ['kind', 'id'],
            properties: { kind: line, id: uuid },
          },
        },
        changes: {
          description: 'The changed fields. Without their values if the message would be too large.',
          type: 'array',
          maxItems: maxListed,
          items: {
            type: 'object',
            required: ['field'],
            properties: { field: line, before: {}, after: {} },
          },
        },
        truncated: { description: 'True if the message would be too large.', type: 'boolean', const: true },
      },
    },
  },
};

/** Schema of the message that tests an endpoint. */
const trial: OpenApiNode = {
  description: 'A message that tests an endpoint.',
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', const: testType },
    timestamp: moment,
    data: {
      type: 'object',
      required: ['endpoint_id', 'endpoint_name'],
      properties: { endpoint_id: uuid, endpoint_name: line },
    },
  },
};

const headers = {
  'webhook-id': 'The id of the message, the same at each attempt.',
  'webhook-timestamp': 'When the attempt began, in seconds since 1970.',
  'webhook-signature': 'The signatures, separated by spaces: `v1,` and the base64 of an HMAC-SHA256.',
};

/** Describes the messages to webhook endpoints, with a schema for each type. */
export function describeWebhooks(
  projection: GraphQLSchema,
  components: Components,
  schemas: Schemas,
): OpenApiNode {
  const queries = projection.getQueryType()?.getFields() ?? {};
  const recordOf = (kinds: readonly EntityKind[]): OpenApiNode => {
    const models = kinds.flatMap((kind) => {
      const route = routes.find(({ kind: action, field }) => action === 'read' && field === kind);
      const shown = route && queries[operationIdOf(route)];
      return shown ? [schemas.present(shown.type)] : [];
    });
    const [model, ...others] = models;
    if (!model) return { type: 'null' };
    return others.length === 0 ? nullable(model) : { anyOf: [...models, { type: 'null' }] };
  };
  const about = (type: string): OpenApiNode => {
    const kinds = kindsOfType(type);
    const record = { description: 'The record. Null if it was deleted.', ...recordOf(kinds) };
    const [kind, ...others] = kinds;
    const shownKind = kind && { kind: others.length === 0 ? { const: kind } : { enum: kinds } };
    const data = { type: 'object', properties: { ...shownKind, record } };
    const base = components.ref('schemas', 'WebhookMessage', () => message);
    return { type: 'object', allOf: [base, { type: 'object', properties: { type: { const: type }, data } }] };
  };
  const parameters = Object.entries(headers).map(([name, description]) =>
    components.ref('parameters', name, () => {
      return {
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string', maxLength: 1_000 },
      };
    }),
  );
  const describe = (type: string, schema: OpenApiNode) => ({
    post: {
      operationId: `on_${type.replace('.', '_')}`,
      summary: `Receives messages of the type \`${type}\`.`,
      security: [],
      parameters,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The message was accepted.' } },
    },
  });
  return Object.fromEntries([
    ...webhookTypes.map((type) => [type, describe(type, about(type))]),
    [testType, describe(testType, trial)],
  ]);
}
