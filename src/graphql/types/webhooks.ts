import {
  type CreatedEndpoint,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../webhooks/endpoints.js';
import { webhookTypes } from '../../webhooks/event-types.js';
import type { PostResult } from '../../webhooks/post.js';
import { testEndpoint, type WebhookDoor } from '../../webhooks/webhook-door.js';
import { builder, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { onVersion, versionArgument } from '../define/versions.js';

const WebhookEndpointType = typeOf('webhookEndpoint');

const texts = {
  name: "The endpoint's name.",
  url: 'The address. It must begin with `https://`, and lead to the public internet unless `WEBHOOK_PRIVATE_HOSTS` names it.',
  eventTypes: 'The types of events: `*`, `expiration_item.*` or a whole name of `webhookEventTypes`.',
  teamIds: 'The workspaces. Empty for the whole organization.',
} as const;

const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new webhook endpoint.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    url: t.string({ required: true, description: texts.url }),
    eventTypes: t.stringList({ description: `${texts.eventTypes} Default: all.` }),
    teamIds: t.idList({ description: `${texts.teamIds} Default: empty.` }),
  }),
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'Changes of a webhook endpoint. What is missing stays as it is.',
  fields: (t) => ({
    name: t.string({ description: texts.name }),
    url: t.string({ description: texts.url }),
    eventTypes: t.stringList({ description: texts.eventTypes }),
    teamIds: t.idList({ description: texts.teamIds }),
    isPaused: t.boolean({ description: 'True to let messages wait, false to send them again.' }),
  }),
});

const CreateWebhookEndpointPayload = builder
  .objectRef<CreatedEndpoint>('CreateWebhookEndpointPayload')
  .implement({
    description: 'A new webhook endpoint, with its secret, which is not shown again.',
    fields: (t) => ({
      endpoint: t.expose('endpoint', { type: WebhookEndpointType, description: 'The endpoint.' }),
      secret: t.exposeString('secret', {
        description: 'The secret that signs messages (`whsec_…`), for the receiver.',
      }),
    }),
  });

const RotateWebhookSecretPayload = builder
  .objectRef<{ readonly secret: string }>('RotateWebhookSecretPayload')
  .implement({
    description: 'The new secret of a webhook endpoint, which is not shown again.',
    fields: (t) => ({ secret: t.exposeString('secret', { description: 'The secret.' }) }),
  });

const TestWebhookResult = builder.objectRef<PostResult>('TestWebhookResult').implement({
  description: 'The result of a test message.',
  fields: (t) => ({
    isAccepted: t.boolean({
      description: 'True if the receiver accepted it, with a status from 200 to 299.',
      resolve: ({ status }) => status !== null && status >= 200 && status < 300,
    }),
    status: t.exposeInt('status', { nullable: true, description: 'The status of the answer, if any.' }),
    error: t.exposeString('error', { nullable: true, description: 'What prevented an answer.' }),
    ms: t.exposeInt('ms', { description: 'Milliseconds until the answer or the failure.' }),
    responseStart: t.exposeString('responseStart', { description: "The beginning of the answer's body." }),
  }),
});

/** Returns what endpoints need of the gateway. */
function doorOf({ webhooks }: Context): WebhookDoor {
  if (!webhooks) throw new Error('This API has no webhooks.');
  return webhooks;
}

const administer = { authScopes: { administer: true } } as const;

builder.queryFields((t) => ({
  webhookEventTypes: t.stringList({
    description: 'Lists the types of events that webhook endpoints can hear of.',
    ...administer,
    resolve: () => [...webhookTypes],
  }),
}));

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The endpoint's id." });
  const one = { id, ...versionArgument() };
  return {
    createWebhookEndpoint: t.field({
      type: CreateWebhookEndpointPayload,
      nullable: true,
      description: 'Creates a webhook endpoint, and shows its secret only this once.',
      ...administer,
      args: {
        input: t.arg({ type: CreateWebhookEndpointInput, required: true, description: 'Its values.' }),
      },
      resolve: (_root, { input }, context) => createEndpoint(context.session, doorOf(context), input),
    }),
    updateWebhookEndpoint: t.field({
      type: WebhookEndpointType,
      nullable: true,
      description: 'Changes a webhook endpoint.',
      ...administer,
      args: {
        ...one,
        input: t.arg({ type: UpdateWebhookEndpointInput, required: true, description: 'The changes.' }),
      },
      resolve: (_root, args, context) =>
        onVersion(context.session, args.ifVersion, () =>
          updateEndpoint(context.session, doorOf(context), args.id, args.input),
        ),
    }),
    deleteWebhookEndpoint: t.field({
      type: WebhookEndpointType,
      nullable: true,
      description: 'Deletes a webhook endpoint. What waits for it is not sent.',
      ...administer,
      args: one,
      resolve: (_root, args, { session }) =>
        onVersion(session, args.ifVersion, () => deleteEndpoint(session, args.id)),
    }),
    enableWebhookEndpoint: t.field({
      type: WebhookEndpointType,
      nullable: true,
      description: 'Enables a webhook endpoint that was disabled or paused.',
      ...administer,
      args: one,
      resolve: (_root, args, { session }) =>
        onVersion(session, args.ifVersion, () => enableEndpoint(session, args.id)),
    }),
    rotateWebhookSecret: t.field({
      type: RotateWebhookSecretPayload,
      nullable: true,
      description: 'Creates a new secret. Messages are signed with the old one as well until the grace ends.',
      ...administer,
      args: {
        ...one,
        graceHours: t.arg.int({
          defaultValue: 24,
          description: 'Hours for which the old secret still signs, from 0 to 168.',
        }),
      },
      resolve: async (_root, args, { session }) => ({
        secret: await onVersion(session, args.ifVersion, () =>
          rotateSecret(session, args.id, args.graceHours ?? 24),
        ),
      }),
    }),
    testWebhookEndpoint: t.field({
      type: TestWebhookResult,
      nullable: true,
      description: 'Sends a message of type `webhook.test` at once, and returns what the receiver answered.',
      ...administer,
      args: { id },
      resolve: (_root, args, context) => testEndpoint(context.session, doorOf(context), args.id),
    }),
  };
});
