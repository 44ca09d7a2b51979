import { builder } from './builder.js';

/** A workspace. */
export const Team = builder.prismaObject('Team', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    isActive: t.exposeBoolean('isActive'),
    timezone: t.exposeString('timezone'),
    reminderDays: t.exposeInt('reminderDays'),
    created: t.expose('created', { type: 'DateTime' }),
    modified: t.expose('modified', { type: 'DateTime' }),
  }),
});
