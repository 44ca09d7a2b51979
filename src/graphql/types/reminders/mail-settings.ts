import type { Secrets } from '../../../db/secrets/secrets.js';
import { GatewayError } from '../../../domain/errors.js';
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
} from '../../../reminders/mail-server.js';
import { notSetUp, type TrialResult } from '../../../reminders/shown/mail-door.js';
import { builder } from '../../builder.js';
import type { Context } from '../../context.js';

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
async function mailOf({ session, mail }: Context): Promise<{ server: MailServer; secrets: Secrets }> {
  await checkRunsGateway(session);
  const { secrets } = session;
  if (!mail || !secrets) throw new GatewayError('FORBIDDEN', 'Mail cannot be set up here.');
  return { server: mail.server, secrets };
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
    throw new GatewayError('CONFLICT', 'The mail server is set in the environment (SMTP_URL), which wins.');
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
      const { session, mail } = context;
      if (!mail) return { isSent: false, answer: notSetUp };
      return mail.tryOut(session, to, await untried(context, settings));
    },
  }),
);
