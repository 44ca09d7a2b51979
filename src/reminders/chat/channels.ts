import type { RowOf } from '../../db/sql/columns.js';
import { declareList } from '../../records/declare/declare.js';
import { computed, inGraphql, inNeither } from '../../records/declare/fields.js';
import { link } from '../../records/declare/linked-fields.js';

/** Chat channels. Members see their names; the address is a secret that nobody reads again. */
export const channels = declareList('Channel', {
  fields: {
    id: inGraphql(),
    kind: inGraphql(undefined, {
      enum: {
        about: 'The service of a chat channel.',
        values: {
          NTFY: 'A topic of ntfy.',
          SLACK: 'Slack, Mattermost or Rocket.Chat: an incoming webhook.',
          DISCORD: 'Discord: a webhook of a channel.',
          TEAMS: 'Microsoft Teams: a workflow that receives webhook requests.',
          GOTIFY: 'A server of Gotify.',
          APPRISE: 'The API of an Apprise server, which sends to over a hundred services.',
        },
      },
    }),
    name: inGraphql(),
    host: inGraphql(),
    sealedUrl: inNeither(),
    sealedToken: inNeither(),
    hasToken: computed(
      'Boolean!',
      ['sealedToken'],
      'True if it has a token. Nobody can read it again.',
      ({ sealedToken }: RowOf<'Channel'>) => sealedToken !== null,
    ),
    tellsFailures: inGraphql(),
    quietFrom: inGraphql(),
    quietTo: inGraphql(),
    isActive: inGraphql(),
    lastOkAt: inGraphql(),
    lastError: inGraphql(),
    teamId: inGraphql(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace that it belongs to.', {
      ...{ ordered: false, hasNone: false, list: 'The chat channels of the workspace.' },
    }),
    created: inGraphql(),
    modified: inGraphql(),
  },
  filter: {
    term: { in: ['name', 'host'], description: 'Part of the name or host, ignoring case.' },
    teamId: 'Channels of this workspace.',
    isActive: 'Channels that are in use, or not.',
  },
  sortable: ['id', 'name', 'created'],
  order: { field: 'name', direction: 'asc' },
  indexed: ['name'],
  ranges: [],
});
