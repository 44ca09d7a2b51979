import type { Route } from '../route.js';

/** Rows of /v1 about notes. */
export const notes: readonly Route[] = [
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/notes/{id}',
    origin: 'addition',
    field: 'note',
    model: 'NoteModel',
    errors: ['NOT_FOUND'],
    tag: 'Notes',
    summary: 'Reads a note.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/notes/{id}',
    origin: 'contract',
    field: 'updateNote',
    model: 'NoteModel',
    errors: ['NOT_FOUND'],
    tag: 'Notes',
    summary: 'Updates a note: a field left out is kept, null clears it, a sent list replaces the old one.',
    example: { name: 'Phoned', body: '<p>They send the papers on Monday.</p>' },
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/notes/{id}',
    origin: 'contract',
    field: 'patchNote',
    model: 'NoteModel',
    errors: ['NOT_FOUND'],
    tag: 'Notes',
    summary: 'Patches a note.',
    example: [{ op: 'replace', path: '/name', value: 'Phoned twice' }],
  },
];
