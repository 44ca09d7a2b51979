// The peer graphql-yoga with Pothos and its Prisma plugin, as their documentation recommends, with the
// gateway's versions of them and its Prisma client. It has no authentication, scopes or limits.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createYoga } from 'graphql-yoga';
import { persisted } from '../lib/requests.mjs';
import { owner } from './sql.mjs';
import {
  builder,
  ItemFilter,
  prisma,
  Receive,
  Replace,
  VehicleFilter,
  VehicleOrder,
} from './yoga-prisma-types.mjs';

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
        orderBy: t.arg({ type: [VehicleOrder] }),
      },
      resolve: (_, { first, offset, filter: { term: contains }, orderBy: [{ field, direction: way }] }) => {
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

/** Finds the document that a request names by its hash. */
const persistedDocuments = {
  onParams({ params, setParams }) {
    const query = persisted[params.extensions?.persistedQuery?.sha256Hash];
    if (query) setParams({ ...params, query });
  },
};

const server = createServer(
  createYoga({
    schema: builder.toSchema(),
    plugins: [persistedDocuments],
    graphiql: false,
    landingPage: false,
    logging: false,
  }),
);
server.listen(0, '127.0.0.1', () => console.log(`"url":"http://127.0.0.1:${server.address().port}"`));
