import { isAccepted, type PostResult } from '../../outbound/outbound.js';
import { load } from '../../records/loaders.js';
import { recoverEndpoint, replayMessage, type SendAttempt } from '../../webhooks/deliveries.js';
import {
  type CreatedEndpoint,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
  webhookTypes,
} from '../../webhooks/endpoints.js';
import { builder, type InputFields, typeOf } from '../builder.js';
import { servicesOf } from '../context.js';
import type { Former } from '../define/former.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { ExpirationStatus } from './items.js';

const WebhookEndpointType = typeOf('webhookEndpoint');

const texts = {
  name: "The endpoint's name.",
  url: 'The address. It must begin with `https://`, and lead to the public internet unless `WEBHOOK_PRIVATE_HOSTS` names it.',
  eventTypes: 'The types of events: `*`, `expiration_item.*` or a whole name of `webhookEventTypes`.',
  teamIds: 'The workspaces. Empty for the whole organization.',
} as const;

const WebhookHeaderInput = builder.inputType('WebhookHeaderInput', {
  description: "A header of an endpoint's messages. It is stored encrypted, and never shown.",
  fields: (t) => ({
    name: t.string({ required: true, description: "The header's name." }),
    value: t.string({ required: true, description: "The header's value." }),
  }),
});

/** Defines the input fields that narrow and shape the messages of an endpoint. */
const choices = (t: InputFields) => ({
  // The declaration of endpoints defines this enum, under the name that Prisma gives it.
  payload: t.field({
    type: 'WebhookPayload' as never,
    description: 'What the messages have. Default: `FULL`.',
  }),
  categoryIds: t.idList({ description: 'Document types whose items it hears of. Empty for all.' }),
  tagIds: t.idList({ description: 'Tags whose items it hears of. Empty for all.' }),
  statuses: t.field({
    type: [ExpirationStatus],
    description: 'States whose items it hears of. Empty for all.',
  }),
  headers: t.field({
    type: [WebhookHeaderInput],
    description: 'Further headers of its messages, at most 5. They replace the earlier ones.',
  }),
  ratePerSecond: t.int({ description: 'The most messages per second, from 1 to 100. Default: 10.' }),
});

const CreateWebhookEndpointInput = builder.inputType('CreateWebhookEndpointInput', {
  description: 'A new webhook endpoint.',
  fields: (t) => ({
    name: t.string({ required: true, description: texts.name }),
    url: t.string({ required: true, description: texts.url }),
    eventTypes: t.stringList({ description: `${texts.eventTypes} Default: all.` }),
    teamIds: t.idList({ description: `${texts.teamIds} Default: empty.` }),
    ...choices(t),
  }),
});

const UpdateWebhookEndpointInput = builder.inputType('UpdateWebhookEndpointInput', {
  description: 'Changes of a webhook endpoint. What is missing stays as it is.',
  fields: (t) => ({
    name: t.string({ description: texts.name }),
    url: t.string({ description: texts.url }),
    eventTypes: t.stringList({ description: texts.eventTypes }),
    teamIds: t.idList({ description: texts.teamIds }),
    ...choices(t),
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

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'How to replace the secret of a webhook endpoint.',
  fields: (t) => ({
    graceHours: t.int({
      description: 'Hours for which the old secret still signs, from 0 to 168. Default: 24.',
    }),
  }),
});

const ReplayWebhookMessageInput = builder.inputType('ReplayWebhookMessageInput', {
  description: 'Where to send a message again.',
  fields: (t) => ({ endpointId: t.id({ required: true, description: "The endpoint's id." }) }),
});

const ResendWebhookMessagesInput = builder.inputType('ResendWebhookMessagesInput', {
  description: 'Which messages to send again.',
  fields: (t) => ({
    since: t.field({
      type: 'DateTime',
      required: true,
      description: 'Messages queued at or after this time, at most 14 days ago.',
    }),
  }),
});

const ResendWebhookMessagesPayload = builder
  .objectRef<{ readonly id: string; readonly messageCount: number }>('ResendWebhookMessagesPayload')
  .implement({
    description: 'Messages that are sent to an endpoint again.',
    fields: (t) => ({
      messageCount: t.exposeInt('messageCount', { description: 'The number of messages.' }),
      endpoint: t.field({
        type: WebhookEndpointType,
        nullable: true,
        description: 'The endpoint.',
        resolve: ({ id }, _args, { session }) => load(session, 'webhookEndpoint', id),
      }),
    }),
  });

const TestWebhookResult = builder.objectRef<PostResult>('TestWebhookResult').implement({
  description: 'The result of a test message.',
  fields: (t) => ({
    isAccepted: t.boolean({
      description: 'True if the receiver accepted it, with a status from 200 to 299.',
      resolve: isAccepted,
    }),
    status: t.exposeInt('status', { nullable: true, description: 'The status of the answer, if any.' }),
    error: t.exposeString('error', { nullable: true, description: 'What prevented an answer.' }),
    ms: t.exposeInt('ms', { description: 'Milliseconds until the answer or the failure.' }),
    responseStart: t.exposeString('responseStart', { description: "The beginning of the answer's body." }),
  }),
});

builder.objectRef<SendAttempt>('WebhookAttempt').implement({
  description: 'An attempt to send a message to a webhook endpoint.',
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Its number, from 1.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it began.' }),
    statusCode: t.exposeInt('statusCode', {
      nullable: true,
      description: 'The status of the answer, if any.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'What prevented an answer.' }),
    ms: t.exposeInt('ms', { description: 'Milliseconds until the answer or the failure.' }),
    responseStart: t.exposeString('responseStart', { description: "The beginning of the answer's body." }),
  }),
});

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
      resolve: (_root, { input }, context) =>
        createEndpoint(context.session, servicesOf(context).webhooks, input),
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
          updateEndpoint(context.session, servicesOf(context).webhooks, args.id, args.input),
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
      extensions: { loose: ['graceHours'] },
      args: {
        ...one,
        input: t.arg({ type: RotateWebhookSecretInput, description: 'How to replace it.' }),
      },
      resolve: async (_root, args, { session }) => ({
        secret: await onVersion(session, args.ifVersion, () =>
          rotateSecret(session, args.id, args.input?.graceHours ?? 24),
        ),
      }),
    }),
    replayWebhookMessage: t.field({
      type: typeOf('webhookDelivery'),
      nullable: true,
      description:
        'Sends a message to an endpoint again, with the same id and body. One that waits is sent now.',
      ...administer,
      extensions: { loose: ['endpointId'] },
      args: {
        id: t.arg.id({ required: true, description: "The message's id." }),
        input: t.arg({ type: ReplayWebhookMessageInput, required: true, description: 'Where to send it.' }),
      },
      resolve: (_root, args, { session }) => replayMessage(session, args.id, args.input.endpointId),
    }),
    resendWebhookMessages: t.field({
      type: ResendWebhookMessagesPayload,
      nullable: true,
      description: 'Sends everything again that an endpoint did not accept, the oldest first.',
      ...administer,
      extensions: {
        formerly: {
          ...{ name: 'recoverWebhookEndpoint', type: 'Int', loose: ['since'] },
          answer: ({ messageCount }: { readonly messageCount: number }) => messageCount,
        } satisfies Former,
      },
      args: {
        ...one,
        input: t.arg({
          type: ResendWebhookMessagesInput,
          required: true,
          description: 'Which messages to send again.',
        }),
      },
      resolve: async (_root, { id, input, ifVersion }, { session }) => ({
        id,
        messageCount: await onVersion(session, ifVersion, () => recoverEndpoint(session, id, input.since)),
      }),
    }),
    testWebhookEndpoint: t.field({
      type: TestWebhookResult,
      nullable: true,
      description: 'Sends a message of type `webhook.test` at once, and returns what the receiver answered.',
      ...administer,
      args: { id },
      resolve: (_root, args, context) => testEndpoint(context.session, servicesOf(context).webhooks, args.id),
    }),
  };
});
