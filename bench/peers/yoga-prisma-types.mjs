// The types of the yoga-prisma peer's schema.
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { getDatamodel } from '../../dist/datamodel.js';
import { PrismaClient } from '../../dist/prisma.js';
import { vehicleMembers } from '../lib/workloads.mjs';

export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c timezone=UTC' }),
});
export const builder = new SchemaBuilder({
  plugins: [PrismaPlugin],
  prisma: { client: prisma, dmmf: getDatamodel() },
});

builder.scalarType('JSON', { serialize: (value) => value, parseValue: (value) => value });
builder.scalarType('DateTime', {
  serialize: (moment) => moment.toISOString(),
  parseValue: (text) => new Date(text),
});

const exposed = (t, names) =>
  Object.fromEntries(names.map((name) => [name, t.exposeString(name, { nullable: true })]));
const simple = (model, names) =>
  builder.prismaObject(model, { fields: (t) => ({ id: t.exposeID('id'), ...exposed(t, names) }) });
simple('Category', ['name']);
simple('Contact', ['name', 'email', 'phone']);
simple('Location', ['name']);
simple('Tag', ['name']);
simple('User', ['name', 'email', 'teamId']);

const through = (t, list, member, type) =>
  t.field({
    type: [type],
    select: (_args, _context, nested) => ({
      [list]: { orderBy: { position: 'asc' }, select: { [member]: nested() } },
    }),
    resolve: (item) => item[list].map((entry) => entry[member]),
  });

builder.prismaObject('ExpirationItem', {
  fields: (t) => ({
    id: t.exposeID('id'),
    ...exposed(t, ['name', 'details', 'teamId']),
    isActive: t.exposeBoolean('isActive'),
    modified: t.expose('modified', { type: 'DateTime' }),
    expirationDate: t.expose('expirationDate', { type: 'DateTime', nullable: true }),
    category: t.relation('category'),
    assignedTo: t.relation('assignedTo', { nullable: true }),
    contacts: through(t, 'contacts', 'contact', 'Contact'),
    locations: through(t, 'locations', 'location', 'Location'),
    tags: through(t, 'tags', 'tag', 'Tag'),
  }),
});

builder.objectType('CustomField', { fields: (t) => exposed(t, ['id', 'name', 'value']) });
const integers = ['year', 'primaryMeterTypeId', 'primaryMeterReading', 'ownershipId'];
const others = ['id', 'msrp', 'isArchived', 'modified', ...integers];
builder.prismaObject('Vehicle', {
  fields: (t) => ({
    id: t.exposeID('id'),
    ...exposed(
      t,
      vehicleMembers.filter((name) => !others.includes(name)),
    ),
    ...Object.fromEntries(integers.map((name) => [name, t.exposeInt(name, { nullable: true })])),
    msrp: t.exposeFloat('msrp', { nullable: true }),
    isArchived: t.exposeBoolean('isArchived'),
    modified: t.expose('modified', { type: 'DateTime' }),
    assignedTo: t.relation('assignedTo', { nullable: true }),
    customFields: t.field({
      type: ['CustomField'],
      select: { customFields: true },
      resolve: (v) => v.customFields,
    }),
  }),
});

const input = (name, required, optional = {}) =>
  builder.inputType(name, {
    fields: (t) =>
      Object.fromEntries([
        ...Object.entries(required).map(([member, type]) => [member, t.field({ type, required: true })]),
        ...Object.entries(optional).map(([member, type]) => [member, t.field({ type })]),
      ]),
  });
const Reference = input('Reference', { id: 'ID' });
export const ItemFilter = input('ItemFilter', { categoryId: 'ID' });
export const VehicleFilter = input('VehicleFilter', {}, { term: 'String' });
const Field = builder.enumType('VehicleField', { values: ['NAME', 'YEAR'] });
const Direction = builder.enumType('Direction', { values: ['ASC', 'DESC'] });
export const VehicleOrder = input('VehicleOrder', { field: Field, direction: Direction });
const names = { name: 'String', expirationDate: 'DateTime', details: 'String' };
export const Replace = input('ReplaceExpirationItemInput', {
  ...names,
  category: Reference,
  assignedTo: Reference,
});
export const Receive = input(
  'ReceiveUploadInput',
  {},
  { id: 'Float', action: 'String', timestamp: 'Float', text: 'JSON' },
);
