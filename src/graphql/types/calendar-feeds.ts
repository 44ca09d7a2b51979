import {
  createCalendarFeed,
  deleteCalendarFeed,
  listAllFeeds,
  listCalendarFeeds,
  type OpenedFeed,
  rotateCalendarFeed,
  type ShownFeed,
} from '../../calendar/feeds.js';
import { builder } from '../builder.js';
import { linkTo, listOf } from '../define/records.js';
import { Me } from './organization.js';

const name = "The calendar's name.";
const alarms = "Days before an item expires on which an alarm rings, at the time of the item's reminders.";
const showDetails = 'True if the calendar has the details of items.';

const CalendarFeedType = builder.objectRef<ShownFeed>('CalendarFeed').implement({
  description:
    'A calendar of items that calendar programs subscribe to. It always shows what its user may see.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The calendar's id. It is not secret." }),
    name: t.exposeString('name', { description: name }),
    alarms: t.intList({ description: alarms, resolve: (feed) => [...feed.alarms] }),
    showDetails: t.exposeBoolean('showDetails', { description: showDetails }),
    isFiltered: t.exposeBoolean('isFiltered', {
      description: 'True if it has only items that match a filter.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a calendar program last read it, to the minute. Null if its address is unused.',
    }),
    created: t.expose('created', { type: 'DateTime', description: 'When it was created.' }),
    user: t.field(linkTo('user', 'userId', 'The user whose items it shows.')),
    endsWithToken: t.exposeBoolean('endsWithToken', {
      description:
        'True if it was created with an access token, of the gateway or of an issuer. It ends with that token.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends with its token. Null if the token does not expire, or if it has none.',
    }),
  }),
});

builder.objectField(Me, 'calendarFeeds', (t) =>
  t.field({
    type: [CalendarFeedType],
    description: "The caller's calendars for calendar programs, the newest first.",
    resolve: (_me, _args, { session }) => listCalendarFeeds(session),
  }),
);

builder.queryField('calendarFeeds', (t) =>
  t.field({
    type: [CalendarFeedType],
    nullable: true,
    description:
      "The organization's calendars for calendar programs, the newest first, and at most a thousand. `me { calendarFeeds }` has the caller's own.",
    authScopes: { administer: true },
    args: { userId: t.arg.id({ description: 'The id of a user. Only their calendars are returned.' }) },
    resolve: (_root, { userId }, { session }) => listAllFeeds(session, userId ?? null),
  }),
);

const CalendarFeedPayload = builder.objectRef<OpenedFeed>('CalendarFeedPayload').implement({
  description: 'A calendar with its address, which is not shown again.',
  fields: (t) => ({
    feed: t.field({ type: CalendarFeedType, description: 'The calendar.', resolve: ({ feed }) => feed }),
    url: t.exposeString('url', {
      description: 'The secret address. Whoever has it can read the calendar, and nothing else.',
    }),
  }),
});

const CreateCalendarFeedInput = builder.inputType('CreateCalendarFeedInput', {
  description: 'A new calendar for calendar programs.',
  fields: (t) => ({
    name: t.string({ required: true, description: name }),
    filter: t.field({
      type: listOf('expirationItem').filter,
      description:
        'Which items it has. If omitted, all. It never has archived or missing items, or items that expired more than 90 days ago or expire in more than three years.',
    }),
    alarms: t.intList({ description: `${alarms} Default: none.` }),
    showDetails: t.boolean({ description: `${showDetails} Default: false.` }),
  }),
});

/** Options of mutations that all people may use for themselves. */
const forOneself = { skipTypeScopes: true, authScopes: { read: true } } as const;

builder.mutationFields((t) => ({
  createCalendarFeed: t.field({
    type: CalendarFeedPayload,
    nullable: true,
    description:
      'Creates a calendar of items that calendar programs can subscribe to. It belongs to the caller. If it is created with an access token, of the gateway or of an issuer, it ends with that token.',
    ...forOneself,
    args: {
      input: t.arg({ type: CreateCalendarFeedInput, required: true, description: 'The calendar.' }),
    },
    resolve: (_root, { input }, { session, origin = '' }) => createCalendarFeed(session, input, origin),
  }),
  rotateCalendarFeed: t.field({
    type: CalendarFeedPayload,
    nullable: true,
    description: "Gives one of the caller's calendars a new address. The old one stops working at once.",
    ...forOneself,
    args: { id: t.arg.id({ required: true, description: "The calendar's id." }) },
    resolve: (_root, { id }, { session, origin = '' }) => rotateCalendarFeed(session, id, origin),
  }),
  removeCalendarFeed: t.field({
    type: CalendarFeedType,
    nullable: true,
    description:
      "Deletes one of the caller's calendars and returns it as it was; administrators also delete those of other users. Its address stops working at once.",
    ...forOneself,
    extensions: { formerly: { name: 'deleteCalendarFeed', type: 'Boolean', answer: () => true } },
    args: { id: t.arg.id({ required: true, description: "The calendar's id." }) },
    resolve: (_root, { id }, { session }) => deleteCalendarFeed(session, id),
  }),
}));
