import type { Secrets } from '../../db/secrets/secrets.js';
import { GatewayError } from '../../domain/errors.js';
import { reasonCode, reasonText } from '../../domain/reminders/reasons.js';
import { load } from '../../records/loaders.js';
import {
  type ChannelTrial,
  createChannel,
  deleteChannel,
  testChannel,
  updateChannel,
} from '../../reminders/chat/channels.js';
import {
  type CurrentMail,
  changeMailServer,
  checkRunsGateway,
  type MailInput,
  type MailServer,
  type MailSource,
  type mailSecurities,
  readMailInput,
  securityOf,
  type TrialResult,
  withoutServer,
} from '../../reminders/mail-server.js';
import { resendReminder, retryDelivery } from '../../reminders/queries/deliveries.js';
import { remindersOfDelivery, shownAddress, type Target } from '../../reminders/queries/reminders.js';
import {
  createSuppression,
  deleteSuppression,
  type NewSuppression,
  suppressionRules,
} from '../../reminders/queries/suppressions.js';
import { builder, type InputFields, typeOf } from '../builder.js';
import { type Context, servicesOf } from '../context.js';
import { nest } from '../define/nested.js';
import { listOf } from '../define/records.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { NotNotifiedReasonEnum } from './records.js';

builder.objectRef<Target>('ReminderTarget').implement({
  description: 'A recipient of a reminder.',
  fields: (t) => ({
    address: t.string({
      description: 'The address. For a contact that the caller may not see, only a word.',
      resolve: (target, _args, { session }) => shownAddress(session, target),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why they are not notified, in plain words. Null if they are.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotNotifiedReasonEnum,
      nullable: true,
      description: 'The code for why they are not notified. Null if they are.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    delivery: t.field({
      type: typeOf('delivery'),
      nullable: true,
      description: 'The delivery that notifies them.',
      resolve: ({ deliveryId }, _args, { session }) => load(session, 'delivery', deliveryId),
    }),
  }),
});

nest({
  on: typeOf('delivery'),
  field: 'reminders',
  description: 'The reminders that it contains.',
  list: { ...listOf('reminder'), kind: 'reminder' },
  link: remindersOfDelivery,
});

builder.mutationField('resendReminder', (t) =>
  t.field({
    type: typeOf('reminder'),
    nullable: true,
    description:
      'Sends a reminder again, to the current recipients of its step. Returns a new reminder for the same date.',
    args: { id: t.arg.id({ required: true, description: "The reminder's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => resendReminder(session, id)),
  }),
);

builder.mutationField('retryDelivery', (t) =>
  t.field({
    type: typeOf('delivery'),
    nullable: true,
    description: 'Retries a failed delivery for up to one day from now.',
    args: { id: t.arg.id({ required: true, description: "The delivery's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => retryDelivery(session, id)),
  }),
);

const CreateSuppressionInput = builder.inputRef<NewSuppression>('CreateSuppressionInput').implement({
  description: 'Stops mails to an address. It stops all mails unless it names an item or a document type.',
  extensions: { rules: suppressionRules },
  fields: (t) => ({
    address: t.string({ required: true, description: 'The address.' }),
    categoryId: t.id({ description: 'Stops only mails about items of this document type.' }),
    expirationItemId: t.id({ description: 'Stops only mails about this item.' }),
    until: t.field({
      type: 'DateTime',
      description: 'When the suppression ends. If omitted, it never ends.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createSuppression: t.field({
    type: typeOf('suppression'),
    nullable: true,
    description: 'Stops mails to an address. If this suppression already exists, returns it unchanged.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: CreateSuppressionInput, required: true, description: 'Its values.' }) },
    resolve: (_root, { input }, { session }) => createSuppression(session, input),
  }),
  deleteSuppression: t.field({
    type: typeOf('suppression'),
    nullable: true,
    description: 'Allows mails to an address again and returns the suppression as it was.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: "The suppression's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => deleteSuppression(session, id)),
  }),
}));

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
      resolve: (_root, { input }, context) => createChannel(context.session, servicesOf(context).chat, input),
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
          updateChannel(context.session, servicesOf(context).chat, args.id, args.input),
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
      resolve: (_root, args, context) => testChannel(context.session, servicesOf(context).chat, args.id),
    }),
  };
});

const MailSecurityEnum = builder.enumType('MailSecurity', {
  description: 'The security of the connection to a mail server.',
  values: {
    TLS: { description: 'TLS from the start, usually on port 465.' },
    STARTTLS: { description: 'TLS after the greeting (`STARTTLS`), usually on port 587. It is required.' },
    NONE: { description: 'No TLS. Only for a server on a trusted network.' },
  } satisfies Record<(typeof mailSecurities)[number], object>,
});

const MailSourceEnum = builder.enumType('MailSource', {
  description: 'Where the mail server was set up.',
  values: {
    ENVIRONMENT: { description: 'In the environment (`SMTP_URL`). It can be changed only there.' },
    DATABASE: { description: 'In the database, by an administrator (`updateMailSettings`).' },
    NONE: { description: 'Nowhere. No mail is sent.' },
  } satisfies Record<MailSource, object>,
});

const MailSettingsType = builder.objectRef<CurrentMail>('MailSettings').implement({
  description: 'The mail server of the gateway, without its password.',
  fields: (t) => ({
    source: t.expose('source', { type: MailSourceEnum, description: 'Where it was set up.' }),
    problem: t.string({
      nullable: true,
      description:
        'Why the stored settings cannot be used, which is when the key that encrypted them is lost. No mail is sent then.',
      resolve: ({ problem }) => problem ?? null,
    }),
    host: t.string({
      nullable: true,
      description: 'The host of the mail server.',
      resolve: ({ mail }) => mail?.server.host ?? null,
    }),
    port: t.int({
      nullable: true,
      description: 'The port of the mail server.',
      resolve: ({ mail }) => mail?.server.port ?? null,
    }),
    security: t.field({
      type: MailSecurityEnum,
      nullable: true,
      description: 'The security of the connection.',
      resolve: ({ mail }) => (mail ? securityOf(mail) : null),
    }),
    user: t.string({
      nullable: true,
      description: 'The user at the mail server. Null if it needs none.',
      resolve: ({ mail }) => mail?.server.login?.user ?? null,
    }),
    from: t.string({
      nullable: true,
      description: 'The sender of all mail.',
      resolve: ({ mail }) => mail?.from ?? null,
    }),
    replyTo: t.string({
      nullable: true,
      description: 'The address that replies go to. If null, they go to the sender.',
      resolve: ({ mail }) => mail?.replyTo ?? null,
    }),
    publicUrl: t.string({
      nullable: true,
      description: 'Address at which people reach the gateway. Links in mails begin with it.',
      resolve: ({ origin }) => origin ?? null,
    }),
  }),
});

const MailSettingsInput = builder.inputType('MailSettingsInput', {
  description: 'A mail server.',
  fields: (t) => ({
    host: t.string({ required: true, description: 'The host name or IP address.' }),
    port: t.int({ description: 'The port. Default: 465 with TLS, 587 with STARTTLS, 25 without.' }),
    security: t.field({ type: MailSecurityEnum, description: 'The security. Default: `STARTTLS`.' }),
    user: t.string({ description: 'The user, if the server needs one.' }),
    password: t.string({
      description: 'Its password. If missing, the stored one is kept, unless host, port or user change.',
    }),
    from: t.string({
      required: true,
      description: 'The sender of all mail, as an address or in the form `Name <address>`.',
    }),
    replyTo: t.string({ description: 'The address that replies go to.' }),
    publicUrl: t.string({
      description:
        'Address at which people reach the gateway, such as `https://expiry.example.com`. Without it, mails have no links.',
    }),
  }),
});

/** Returns what mail settings need, after checking that the caller may see and change them. */
async function mailOf({ session, services }: Context): Promise<{ server: MailServer; secrets: Secrets }> {
  await checkRunsGateway(session);
  const { secrets } = session;
  if (!services || !secrets) throw new GatewayError('FORBIDDEN', 'Mail cannot be set up here.');
  return { server: services.mail.server, secrets };
}

builder.queryField('mailSettings', (t) =>
  t.field({
    type: MailSettingsType,
    nullable: true,
    description:
      'Returns the mail server of the gateway. Only the organization that set up the gateway sees it.',
    authScopes: { administer: true },
    resolve: async (_root, _args, context) => (await mailOf(context)).server.read(),
  }),
);

/** Changes the mail server unless it is set in the environment. */
async function update(context: Context, input: MailInput | null | undefined) {
  const { server, secrets } = await mailOf(context);
  const before = await server.read();
  if (before.source === 'ENVIRONMENT') {
    throw new GatewayError('CONFLICT', 'The mail server is set where the gateway is started, which wins.');
  }
  await changeMailServer(context.session, secrets, input ? readMailInput(input, before) : undefined);
  return server.read();
}

builder.mutationField('updateMailSettings', (t) =>
  t.field({
    type: MailSettingsType,
    nullable: true,
    description:
      'Sets the mail server of the gateway. It is stored encrypted; workers use it within seconds. Without `input`, it is removed. A mail server in the environment cannot be changed.',
    authScopes: { administer: true },
    args: { input: t.arg({ type: MailSettingsInput, description: 'The mail server.' }) },
    resolve: (_root, { input }, context) => update(context, input),
  }),
);

const TestMailResult = builder.objectRef<TrialResult>('TestMailResult').implement({
  description: 'The result of a test mail.',
  fields: (t) => ({
    isSent: t.exposeBoolean('isSent', { description: 'True if the mail server accepted it.' }),
    answer: t.exposeString('answer', {
      description: "The mail server's response, or what prevented the mail from reaching it.",
    }),
    reasonCode: t.field({
      type: NotNotifiedReasonEnum,
      nullable: true,
      description: 'What went wrong, as a code. Null if nothing did, or if no server was asked.',
      resolve: ({ reason }) => reason,
    }),
  }),
});

/** Reads a mail server that is to be tested before it is stored. */
async function untried(context: Context, input: MailInput | null | undefined) {
  if (!input) return undefined;
  const { server } = await mailOf(context);
  return readMailInput(input, await server.read()).mail;
}

const SendTestMailInput = builder.inputType('SendTestMailInput', {
  description: 'A test mail.',
  fields: (t) => ({
    to: t.string({ required: true, description: 'The address.' }),
    settings: t.field({
      type: MailSettingsInput,
      description: 'Settings to test before they are stored. Default: the current ones.',
    }),
  }),
});

builder.mutationField('sendTestMail', (t) =>
  t.field({
    type: TestMailResult,
    nullable: true,
    description:
      "Sends a mail to test the settings and returns the mail server's response. Limit: five per minute.",
    authScopes: { administer: true },
    extensions: { loose: ['to', 'settings'] },
    args: { input: t.arg({ type: SendTestMailInput, required: true, description: 'The mail.' }) },
    resolve: async (_root, { input: { to, settings } }, context) => {
      const { session, services } = context;
      if (!services) return withoutServer;
      return services.mail.tryOut(session, to, await untried(context, settings));
    },
  }),
);
