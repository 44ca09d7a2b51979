import * as acknowledgements from '../rest/rows/acknowledgements.js';
import * as attachments from '../rest/rows/attachments.js';
import * as categories from '../rest/rows/categories.js';
import * as companies from '../rest/rows/companies.js';
import * as contactTypes from '../rest/rows/contact-types.js';
import * as contacts from '../rest/rows/contacts.js';
import * as deliveries from '../rest/rows/deliveries.js';
import * as eventLogs from '../rest/rows/event-logs.js';
import * as expirationItems from '../rest/rows/expiration-items.js';
import * as locations from '../rest/rows/locations.js';
import * as notes from '../rest/rows/notes.js';
import * as reminderPolicies from '../rest/rows/reminder-policies.js';
import * as renewals from '../rest/rows/renewals.js';
import * as tags from '../rest/rows/tags.js';
import * as teams from '../rest/rows/teams.js';
import * as uploads from '../rest/rows/uploads.js';
import * as users from '../rest/rows/users.js';
import * as vehicles from '../rest/rows/vehicles.js';

/** Rows and headings of REST, by resource. Written by scripts/build.mjs. */
export const resources = [
  acknowledgements,
  attachments,
  categories,
  companies,
  contactTypes,
  contacts,
  deliveries,
  eventLogs,
  expirationItems,
  locations,
  notes,
  reminderPolicies,
  renewals,
  tags,
  teams,
  uploads,
  users,
  vehicles,
];
