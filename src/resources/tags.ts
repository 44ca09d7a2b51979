import { rules } from '../domain/rules.js';
import { declareResource } from '../records/declare/declare.js';
import { exposed, exposedInGraphql, link } from '../records/declare/fields.js';
import { noNotes, noneJoined } from '../records/lists/filter.js';

/** Words that group items. */
export const tags = declareResource('Tag', {
  fields: {
    id: exposed(),
    name: exposed(rules.name),
    teamId: exposed(rules.uuid),
    team: link('teamId', 'The workspace the tag belongs to.', { list: 'The tags of the workspace.' }),
    modified: exposed(),
    created: exposedInGraphql(),
    organizationId: exposed(),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    teamId: 'Tags in this workspace.',
  },
  hasNone: {
    EXPIRATION_ITEMS: noneJoined({
      kind: 'expirationItem',
      table: 'expiration_item_tags',
      own: 'tag_id',
      their: 'item_id',
    }),
    NOTES: noNotes('tag'),
  },
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  searchPlace: 7,
  title: (tag) => tag.name,
  rest: {
    tag: 'Tags',
    about: 'Words that group expiration items.',
    model: 'TagModel',
    records: { '/v1/tags': { kind: 'tag', name: 'fleet', deleted: 'office' } },
    term: 'fleet',
    routes: {
      'GET /v1/tags': { origin: 'addition' },
      'POST /v1/tags': {
        origin: 'addition',
        example: { name: 'quarterly' },
      },
      'GET /v1/tags/{id}': { origin: 'addition' },
      'PUT /v1/tags/{id}': {
        origin: 'addition',
        field: 'updateTag',
        example: { name: 'half-yearly' },
      },
      'PATCH /v1/tags/{id}': {
        origin: 'addition',
        example: [{ op: 'replace', path: '/name', value: 'every other month' }],
      },
      'DELETE /v1/tags/{id}': {
        origin: 'addition',
        summary: 'Deletes a tag and returns it as it was. Its items remain, without the tag.',
      },
    },
  },
});
