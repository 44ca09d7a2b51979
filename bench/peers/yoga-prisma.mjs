// graphql-yoga, Pothos and its Prisma plugin, the way of their documentation, with the gateway's own versions of them
// and its Prisma client. No authentication, no scopes, no limits.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import { createYoga } from 'graphql-yoga';
import { getDatamodel } from '../../dist/generated/pothos.js';
import { PrismaClient } from '../../dist/generated/prisma/client.js';
import { vehicleMembers } from '../lib/workloads.mjs';
import { owner } from './sql.mjs';

const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10, options: '-c timezone=UTC' }),
});
const builder = new SchemaBuilder({
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
const ItemFilter = input('ItemFilter', { categoryId: 'ID' });
const VehicleFilter = input('VehicleFilter', {}, { term: 'String' });
const Field = builder.enumType('VehicleField', { values: ['NAME', 'YEAR'] });
const Direction = builder.enumType('Direction', { values: ['ASC', 'DESC'] });
const VehicleOrder = input('VehicleOrder', { field: Field, direction: Direction });
const names = { name: 'String', expirationDate: 'DateTime', details: 'String' };
const Replace = input('ReplaceExpirationItemInput', { ...names, category: Reference, assignedTo: Reference });
const Receive = input(
  'ReceiveUploadInput',
  {},
  { id: 'Float', action: 'String', timestamp: 'Float', text: 'JSON' },
);

builder.objectType('Items', {
  fields: (t) => ({
    nodes: t.prismaField({
      type: ['ExpirationItem'],
      resolve: (query, { categoryId, first, offset }) =>
        prisma.expirationItem.findMany({
          ...query,
          where: { categoryId },
          orderBy: [{ expirationDate: 'asc' }, { id: 'asc' }],
          take: first,
          skip: offset,
        }),
    }),
  }),
});

builder.objectType('Vehicles', {
  fields: (t) => ({
    totalCount: t.int({ resolve: ({ where }) => prisma.vehicle.count({ where }) }),
    nodes: t.prismaField({
      type: ['Vehicle'],
      resolve: (query, { where, orderBy, first, offset }) =>
        prisma.vehicle.findMany({ ...query, where, orderBy, take: first, skip: offset }),
    }),
  }),
});

const searched = ['name', 'vin', 'licensePlate', 'make', 'model'];
builder.queryType({
  fields: (t) => ({
    expirationItems: t.field({
      type: 'Items',
      args: {
        first: t.arg.int({ required: true }),
        offset: t.arg.int({ required: true }),
        filter: t.arg({ type: ItemFilter, required: true }),
      },
      resolve: (_, { first, offset, filter }) => ({ first, offset, categoryId: filter.categoryId }),
    }),
    expirationItem: t.prismaField({
      type: 'ExpirationItem',
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _, { id }) => prisma.expirationItem.findUnique({ ...query, where: { id } }),
    }),
    vehicles: t.field({
      type: 'Vehicles',
      args: {
        first: t.arg.int(),
        offset: t.arg.int(),
        filter: t.arg({ type: VehicleFilter }),
        orderBy: t.arg({ type: VehicleOrder }),
      },
      resolve: (_, { first, offset, filter: { term: contains }, orderBy: { field, direction: way } }) => {
        const direction = way.toLowerCase();
        const where = { OR: searched.map((name) => ({ [name]: { contains, mode: 'insensitive' } })) };
        return { first, offset, where, orderBy: [{ [field.toLowerCase()]: direction }, { id: direction }] };
      },
    }),
  }),
});

const { organizationId, teamId, userId, tokenId } = owner;

async function replaceItem(tx, id, { category, assignedTo, ...values }, query) {
  const before = await tx.expirationItem.findUniqueOrThrow({ where: { id }, select: { details: true } });
  const data = { ...values, categoryId: category.id, assignedToId: assignedTo.id, modified: new Date() };
  const item = await tx.expirationItem.update({ ...query, where: { id }, data });
  await tx.eventLog.create({
    data: {
      id: randomUUID(),
      organizationId,
      teamId,
      typeId: 2,
      description: `Expiration item "${values.name}" was updated: details`,
      details: JSON.stringify({ details: { before: before.details, after: values.details } }),
      userId,
      userName: 'Administrator',
      entities: { create: { entityId: id, typeId: 1, position: 0 } },
    },
  });
  return item;
}

builder.mutationType({
  fields: (t) => ({
    replaceExpirationItem: t.prismaField({
      type: 'ExpirationItem',
      args: { id: t.arg.id({ required: true }), input: t.arg({ type: Replace, required: true }) },
      resolve: (query, _, args) => prisma.$transaction((tx) => replaceItem(tx, args.id, args.input, query)),
    }),
    receiveUpload: t.field({
      type: builder.objectRef('Upload').implement({ fields: (fields) => ({ id: fields.exposeID('id') }) }),
      args: { input: t.arg({ type: Receive, required: true }) },
      resolve: (_, { input: { id: notificationId, action, timestamp, text } }) =>
        prisma.uploadNotification.create({
          select: { id: true },
          data: {
            ...text,
            id: randomUUID(),
            organizationId,
            teamId,
            userId,
            accessTokenId: tokenId,
            notificationId,
            action,
            timestamp,
            dedupeKey: `${notificationId}:${action}`,
            dueAt: new Date(),
          },
        }),
    }),
  }),
});

const server = createServer(
  createYoga({ schema: builder.toSchema(), graphiql: false, landingPage: false, logging: false }),
);
server.listen(0, '127.0.0.1', () => console.log(`"url":"http://127.0.0.1:${server.address().port}"`));
