import { type CompanyFilter, companies } from '../../resources/companies.js';
import { builder, type InputFields, Node } from '../builder.js';
import { customFieldsField, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { defineWrites } from '../define/writes.js';
import { Contact } from './contacts.js';
import { CustomFieldInput } from './custom-fields.js';
import { Team } from './teams.js';
import { assigneeToId, User, UserReference } from './users.js';

/** A company. */
export const Company = builder.prismaObject('Company', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    doingBusinessAs: t.exposeString('doingBusinessAs', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    website: t.exposeString('website', { nullable: true }),
    addressLine1: t.exposeString('addressLine1', { nullable: true }),
    addressLine2: t.exposeString('addressLine2', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    province: t.exposeString('province', { nullable: true }),
    postalCode: t.exposeString('postalCode', { nullable: true }),
    countryId: t.expose('countryId', { type: 'UUID', nullable: true }),
    taxId: t.exposeString('taxId', { nullable: true }),
    taxTypeId: t.exposeInt('taxTypeId', { nullable: true }),
    typeId: t.expose('typeId', { type: 'UUID', nullable: true }),
    primaryContactId: t.exposeID('primaryContactId', { nullable: true }),
    teamId: t.exposeID('teamId'),
    isArchived: t.exposeBoolean('isArchived'),
    customFields: t.field(customFieldsField()),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
    assignedTo: t.field(linkTo(User, 'user', 'assignedToId', 'The user the company is assigned to.')),
    primaryContact: t.field(
      linkTo(
        Contact,
        'contact',
        'primaryContactId',
        'The contact to speak to first, when the caller may see it.',
      ),
    ),
    team: t.field(linkTo(Team, 'team', 'teamId', 'The workspace the company belongs to.')),
  }),
});

defineWrites({
  type: Company,
  resource: companies,
  inputFields: (t: InputFields) => ({
    name: t.string(),
    doingBusinessAs: t.string(),
    phone: t.string(),
    website: t.string(),
    addressLine1: t.string(),
    addressLine2: t.string(),
    city: t.string(),
    province: t.string(),
    postalCode: t.string(),
    countryId: t.field({ type: 'UUID' }),
    taxId: t.string(),
    taxTypeId: t.int(),
    typeId: t.field({ type: 'UUID' }),
    primaryContactId: t.id(),
    assignedTo: t.field({ type: UserReference }),
    teamId: t.id(),
    isArchived: t.boolean(),
    customFields: t.field({ type: [CustomFieldInput] }),
  }),
  toValues: assigneeToId,
});

const CompanyFilterInput = builder.inputRef<CompanyFilter>('CompanyFilter').implement({
  description: 'What a list of companies is narrowed to.',
  fields: (t) => ({
    term: t.string({
      description:
        'Part of the name, the name it trades under, tax number, telephone number or city, in any letter case.',
    }),
    isArchived: t.boolean({ description: 'Archived companies only, or none of them.' }),
    teamId: t.id({ description: 'Companies of a workspace.' }),
    primaryContactId: t.id({ description: 'Companies with this primary contact.' }),
    assignedToId: t.id({ description: 'Companies assigned to a user.' }),
  }),
});

/** The list of companies. */
export const companyList = defineReads({
  type: Company,
  resource: companies,
  names: ['company', 'companies'],
  filter: CompanyFilterInput,
  order: { field: 'name', direction: 'asc' },
});
