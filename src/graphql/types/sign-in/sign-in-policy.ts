import { resetSecondFactor } from '../../../sign-in/factors/reset.js';
import { createSignInLink } from '../../../sign-in/links/links.js';
import { changePolicy, possibleWays, readPolicy, type SignInPolicy } from '../../../sign-in/policy.js';
import { builder } from '../../builder.js';
import type { Former } from '../../define/former.js';
import { linkTo } from '../../define/links.js';
import { Organization } from '../organization/organization.js';
import { SignInWayEnum, signInOf } from './sign-in.js';

const ways = 'The ways in which people may sign in.';
const secondFactorRequired = 'True if everybody needs a second factor.';
const issuerAlone = 'True if people who are bound to a subject at an issuer sign in only there.';

const SignInPolicyType = builder.objectRef<SignInPolicy>('SignInPolicy').implement({
  description: "An organization's decisions on how its people sign in.",
  fields: (t) => ({
    ways: t.expose('ways', { type: [SignInWayEnum], description: ways }),
    possibleWays: t.field({
      type: [SignInWayEnum],
      description: 'The ways that the settings of the gateway allow (`SIGN_IN`, `OIDC_ISSUER`).',
      resolve: (_policy, _args, context) => possibleWays(signInOf(context).context),
    }),
    secondFactorRequired: t.exposeBoolean('secondFactorRequired', { description: secondFactorRequired }),
    issuerAlone: t.exposeBoolean('issuerAlone', { description: issuerAlone }),
  }),
});

builder.objectField(Organization, 'signInPolicy', (t) =>
  t.field({
    type: SignInPolicyType,
    description: 'How people of the organization sign in.',
    resolve: (_organization, _args, { session }) => readPolicy(session),
  }),
);

const UpdateSignInPolicyInput = builder.inputType('UpdateSignInPolicyInput', {
  description: 'Changes of a sign-in policy. Omitted fields keep their values.',
  fields: (t) => ({
    ways: t.field({ type: [SignInWayEnum], description: ways }),
    secondFactorRequired: t.boolean({ description: secondFactorRequired }),
    issuerAlone: t.boolean({ description: issuerAlone }),
  }),
});

const CreateSignInLinkPayload = builder
  .objectRef<{ readonly link: string }>('CreateSignInLinkPayload')
  .implement({
    description: 'A link for signing in, which is not shown again.',
    fields: (t) => ({
      link: t.exposeString('link', {
        description: 'The address of a page where the user signs in, once and within 24 hours.',
      }),
    }),
  });

/** Returns the input type of what an administrator does for one user. */
const aboutUser = (name: string, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      userId: t.id({ required: true, description: 'The id of a user of the organization.' }),
    }),
  });

const CreateSignInLinkInput = aboutUser('CreateSignInLinkInput', 'A user who gets a link.');
const RemoveSecondFactorInput = aboutUser(
  'RemoveSecondFactorInput',
  'A user who has lost the second factor.',
);

const RemoveSecondFactorPayload = builder
  .objectRef<{ readonly userId: string; readonly wasSet: boolean }>('RemoveSecondFactorPayload')
  .implement({
    description: 'A user without a second factor.',
    fields: (t) => ({
      user: t.field(linkTo('user', 'userId', 'The user.')),
      wasSet: t.exposeBoolean('wasSet', { description: 'True if there was a second factor.' }),
    }),
  });

const confirmed = 'In a session, only within ten minutes after signing in or `POST /session/confirm`.';

builder.mutationFields((t) => ({
  updateSignInPolicy: t.field({
    type: SignInPolicyType,
    nullable: true,
    description: `Changes how people of the organization sign in. Sessions of ways that are turned off end, except the one of this request. ${confirmed}`,
    authScopes: { administer: true },
    args: { input: t.arg({ type: UpdateSignInPolicyInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, context) => changePolicy(signInOf(context).context, context.session, input),
  }),
  removeSecondFactor: t.field({
    type: RemoveSecondFactorPayload,
    nullable: true,
    description: `Removes the authenticator app, recovery codes and passkeys of a user who has lost them, and ends the sessions. ${confirmed}`,
    authScopes: { administer: true },
    extensions: {
      formerly: {
        ...{ name: 'resetSecondFactor', type: 'Boolean', loose: ['userId'] },
        answer: ({ wasSet }: { readonly wasSet: boolean }) => wasSet,
      } satisfies Former,
    },
    args: { input: t.arg({ type: RemoveSecondFactorInput, required: true, description: 'The user.' }) },
    resolve: async (_root, { input }, { session }) => ({
      userId: input.userId.toLowerCase(),
      wasSet: await resetSecondFactor(session, input.userId),
    }),
  }),
  createSignInLink: t.field({
    type: CreateSignInLinkPayload,
    nullable: true,
    description: `Creates a link for a user who cannot sign in any more, to be passed on by an administrator. The user chooses a new password with it, or signs in if passwords are turned off. Earlier links stop working. ${confirmed}`,
    authScopes: { administer: true },
    extensions: { loose: ['userId'] },
    args: { input: t.arg({ type: CreateSignInLinkInput, required: true, description: 'The user.' }) },
    resolve: async (_root, { input: { userId } }, context) => {
      const { session, origin = '' } = context;
      return { link: await createSignInLink(signInOf(context).context, session, userId, origin) };
    },
  }),
}));
