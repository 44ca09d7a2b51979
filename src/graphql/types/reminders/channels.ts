import type { ChatDoor } from '../../../reminders/chat/chat-door.js';
import {
  type ChannelTrial,
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from '../../../reminders/chat/write-channels.js';
import { builder, type InputFields, typeOf } from '../../builder.js';
import type { Context } from '../../context.js';
import { onVersion, versionArgument } from '../../define/versions.js';

const ChannelType = typeOf('channel');

/** Defines the input fields that new and changed channels share. */
const shared = (t: InputFields) => ({
  token: t.string({
    description: 'The token of ntfy, Gotify or Apprise. It is stored encrypted, and never shown.',
  }),
  tellsFailures: t.boolean({
    description: 'True to hear of mails that could not be delivered. Default: false.',
  }),
  quietFrom: t.string({ description: 'Local time from which messages wait, `HH:mm`, if they ever do.' }),
  quietTo: t.string({ description: 'Local time at which waiting messages are sent, `HH:mm`.' }),
  isActive: t.boolean({ description: 'True if it is in use. Default: true.' }),
});

const texts = {
  kind: 'The service.',
  name: "The channel's name.",
  url: 'The address that the service gave. It is stored encrypted, and only its host is shown.',
} as const;

// The declaration of channels defines this enum, under the name that Prisma gives it.
const ChannelKind = 'ChannelKind' as never;

const CreateChannelInput = builder.inputType('CreateChannelInput', {
  description: 'A new chat channel.',
  fields: (t) => ({
    kind: t.field({ type: ChannelKind, required: true, description: texts.kind }),
    name: t.string({ required: true, description: texts.name }),
    url: t.string({ required: true, description: texts.url }),
    teamId: t.id({ description: "The workspace. Default: the caller's own." }),
    ...shared(t),
  }),
});

const UpdateChannelInput = builder.inputType('UpdateChannelInput', {
  description: 'Changes of a chat channel. What is missing stays as it is.',
  fields: (t) => ({
    kind: t.field({ type: ChannelKind, description: texts.kind }),
    name: t.string({ description: texts.name }),
    url: t.string({ description: texts.url }),
    ...shared(t),
  }),
});

const TestChannelResult = builder.objectRef<ChannelTrial>('TestChannelResult').implement({
  description: 'The result of a test message to a chat channel.',
  fields: (t) => ({
    isSent: t.exposeBoolean('isSent', { description: 'True if the service accepted it.' }),
    answer: t.exposeString('answer', { description: 'What the service said, or why it was not reached.' }),
  }),
});

/** Returns the way to chat services. */
function doorOf({ chat }: Context): ChatDoor {
  if (!chat) throw new Error('This API has no chat channels.');
  return chat;
}

const administer = { authScopes: { administer: true } } as const;

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The channel's id." });
  const one = { id, ...versionArgument() };
  return {
    createChannel: t.field({
      type: ChannelType,
      nullable: true,
      description: 'Creates a chat channel.',
      ...administer,
      args: { input: t.arg({ type: CreateChannelInput, required: true, description: 'Its values.' }) },
      resolve: (_root, { input }, context) => createChannel(context.session, doorOf(context), input),
    }),
    updateChannel: t.field({
      type: ChannelType,
      nullable: true,
      description: 'Changes a chat channel.',
      ...administer,
      args: {
        ...one,
        input: t.arg({ type: UpdateChannelInput, required: true, description: 'The changes.' }),
      },
      resolve: (_root, args, context) =>
        onVersion(context.session, args.ifVersion, () =>
          updateChannel(context.session, doorOf(context), args.id, args.input),
        ),
    }),
    deleteChannel: t.field({
      type: ChannelType,
      nullable: true,
      description: 'Deletes a chat channel. Reminder policies go on without it.',
      ...administer,
      args: one,
      resolve: (_root, args, { session }) =>
        onVersion(session, args.ifVersion, () => deleteChannel(session, args.id)),
    }),
    testChannel: t.field({
      type: TestChannelResult,
      nullable: true,
      description: 'Sends a test message to a chat channel at once, and returns what the service said.',
      ...administer,
      args: { id },
      resolve: (_root, args, context) => testChannel(context.session, doorOf(context), args.id),
    }),
  };
});
