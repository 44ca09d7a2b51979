// The peer PostGraphile 5: the Amber preset with simplify-inflection and connection-filter. It requires
// Node.js 22 or later; on 20 it lacks only Promise.withResolvers.
import { createServer } from 'node:http';
import { PgSimplifyInflectionPreset } from '@graphile/simplify-inflection';
import { postgraphile } from 'postgraphile';
import { TYPES } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { PostGraphileConnectionFilterPreset } from 'postgraphile-plugin-connection-filter';

Promise.withResolvers ??= () => {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
};

/** Reads `xid8`, which PostGraphile does not know, as the bigint that it is. */
const transactionIds = {
  name: 'TransactionIds',
  gather: {
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        if (event.pgType.typname === 'xid8') event.pgCodec ??= TYPES.bigint;
      },
    },
  },
};

const instance = postgraphile({
  extends: [PostGraphileAmberPreset, PgSimplifyInflectionPreset, PostGraphileConnectionFilterPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public', 'bench'],
      poolConfig: { max: 10 },
    }),
  ],
  plugins: [transactionIds],
  // With it, lists could be ordered only by indexed columns.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  schema: { defaultBehavior: '+list +connection' },
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false, websockets: false },
  grafast: { explain: false },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => console.log(`"url":"http://127.0.0.1:${server.address().port}"`));
