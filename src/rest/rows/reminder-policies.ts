import type { Heading, Route } from '../route.js';

const tag = 'Reminder policies';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  about: {
    [tag]:
      'When people are told of what expires, and who: the steps of a workspace, a document type or an item.',
  },
  records: { '/v1/reminderpolicies': { kind: 'policy', name: 'Driver licences', deleted: 'Leases' } },
  terms: { reminder_policies: 'licences' },
};

/** Rows of /v1 about reminder policies. */
export const rows: readonly Route[] = [
  {
    kind: 'list',
    method: 'GET',
    path: '/v1/reminderpolicies',
    origin: 'addition',
    field: 'reminderPolicies',
    model: 'ReminderPolicyModel',
    list: 'reminder_policies',
    parameters: ['term', 'page', 'sort', 'sortDirection'],
    order: { field: 'name', direction: 'asc' },
    errors: ['BAD_REQUEST'],
    tag,
    summary: 'Lists reminder policies with their steps.',
  },
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/reminderpolicies',
    origin: 'addition',
    field: 'createReminderPolicy',
    model: 'ReminderPolicyModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag,
    summary: 'Creates a reminder policy.',
    example: {
      name: 'Permits',
      time_of_day: '07:30',
      deliver_on: 'working_days',
      steps: [
        { offset_days: -30 },
        { offset_days: -7, only_unacknowledged: true, recipients: ['assignee', 'admins'] },
        { offset_days: 1, repeat_every_days: 7, addresses: ['office@example.com'] },
      ],
    },
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    field: 'reminderPolicy',
    model: 'ReminderPolicyModel',
    errors: ['NOT_FOUND'],
    tag,
    summary: 'Reads a reminder policy with its steps.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    field: 'updateReminderPolicy',
    model: 'ReminderPolicyModel',
    errors: ['NOT_FOUND'],
    tag,
    summary:
      'Updates a reminder policy: a field left out is kept, null clears it, steps that are sent replace the old ones.',
    example: { deliver_on: 'working_days', steps: [{ offset_days: -60 }, { offset_days: -14 }] },
  },
  {
    kind: 'patch',
    method: 'PATCH',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    field: 'patchReminderPolicy',
    model: 'ReminderPolicyModel',
    errors: ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'],
    tag,
    summary: 'Patches a reminder policy.',
    example: [{ op: 'replace', path: '/time_of_day', value: '09:00' }],
  },
  {
    kind: 'delete',
    method: 'DELETE',
    path: '/v1/reminderpolicies/{id}',
    origin: 'addition',
    field: 'deleteReminderPolicy',
    model: 'ReminderPolicyModel',
    errors: ['NOT_FOUND', 'CONFLICT'],
    tag,
    summary: 'Deletes a reminder policy that nothing follows, and answers it as it was.',
  },
];
