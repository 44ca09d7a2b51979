import {
  erasePersonById,
  type PersonalData,
  type PersonalWork,
  readPersonalData,
} from '../../../personal-data/erase.js';
import type { PersonMention } from '../../../personal-data/mentions.js';
import { builder } from '../../builder.js';
import type { Context } from '../../context.js';

const Mention = builder.objectRef<PersonMention>('PersonMention').implement({
  description: 'A place where people or documents mention a person.',
  fields: (t) => ({
    kind: t.exposeString('kind', { description: 'The kind of record, such as `note`.' }),
    recordId: t.exposeString('id', { description: 'The id of the record.' }),
    field: t.exposeString('field', { description: 'The field, in the names of REST.' }),
    excerpt: t.exposeString('excerpt', {
      nullable: true,
      description: 'The words around it. Null for a document, which has to be opened.',
    }),
  }),
});

const PersonalDataType = builder.objectRef<PersonalData>('PersonalData').implement({
  description: 'What the organization has of a person.',
  fields: (t) => ({
    contactId: t.exposeID('contactId', {
      nullable: true,
      description: 'The id of the contact. Null if the person is none.',
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The id of the user with the same e-mail address. Null if there is none.',
    }),
    erased: t.exposeInt('erased', {
      description: 'The number of stored rows in which values were replaced. 0 before an erasure.',
    }),
    mentions: t.field({
      type: [Mention],
      description:
        'Texts and documents about the person, at most 1,000. They are never changed: somebody has to decide about them.',
      resolve: ({ mentions }) => mentions,
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'True if there are more mentions.' }),
  }),
});

const workOf = ({ session }: Pick<Context, 'session'>): PersonalWork => session;
const id = 'The id of a contact or a user. A contact in the bin has its id as well.';

builder.queryField('personalData', (t) =>
  t.field({
    type: PersonalDataType,
    nullable: true,
    description:
      'Tells who a contact or user is, and lists where the person is mentioned. The command `person export` writes all of it.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: id }) },
    resolve: (_root, args, context) => readPersonalData(workOf(context), args.id),
  }),
);

builder.mutationField('erasePerson', (t) =>
  t.field({
    type: PersonalDataType,
    nullable: true,
    description:
      'Erases a person for good: a contact, the user with the same e-mail address, or both. Name, addresses and numbers are replaced in everything that the gateway writes, what is still to be sent is cancelled, and a user can no longer sign in. Erasing again what is erased changes nothing.',
    authScopes: { administer: true },
    args: { id: t.arg.id({ required: true, description: id }) },
    resolve: async (_root, args, context) => {
      const erased = await erasePersonById(workOf(context), args.id);
      context.session.forgetLoaded();
      return erased;
    },
  }),
);
