import type { Route } from './route.js';
import { attachments } from './rows/attachments.js';
import { categories } from './rows/categories.js';
import { companies } from './rows/companies.js';
import { contactTypes } from './rows/contact-types.js';
import { contacts } from './rows/contacts.js';
import { eventLogs } from './rows/event-logs.js';
import { expirationItems } from './rows/expiration-items.js';
import { locations } from './rows/locations.js';
import { notes } from './rows/notes.js';
import { renewals } from './rows/renewals.js';
import { tags } from './rows/tags.js';
import { teams } from './rows/teams.js';
import { uploads } from './rows/uploads.js';
import { users } from './rows/users.js';
import { vehicles } from './rows/vehicles.js';

/** Every row below `/v1`. Nothing else is routed there. */
export const routes: readonly Route[] = [
  ...expirationItems,
  ...renewals,
  ...attachments,
  ...vehicles,
  ...categories,
  ...companies,
  ...contacts,
  ...contactTypes,
  ...locations,
  ...notes,
  ...tags,
  ...teams,
  ...users,
  ...eventLogs,
  ...uploads,
];
