import { acknowledgementEndpoints } from '../items/endpoints.js';
import { attachmentEndpoints } from '../items/endpoints.js';
import { categories } from '../resources/categories.js';
import { companies } from '../resources/companies.js';
import { contactTypes } from '../resources/contact-types.js';
import { contacts } from '../resources/contacts.js';
import { deliveryEndpoints } from '../reminders/shown/deliveries.js';
import { eventLogEndpoints } from '../records/event-logs.js';
import { itemEndpoints } from '../items/endpoints.js';
import { locations } from '../resources/locations.js';
import { notes } from '../resources/notes.js';
import { reminderPolicies } from '../resources/reminder-policies.js';
import { renewalEndpoints } from '../items/endpoints.js';
import { tags } from '../resources/tags.js';
import { teams } from '../resources/teams.js';
import { uploadEndpoints } from '../uploads/notifications.js';
import { users } from '../resources/users.js';
import { vehicles } from '../resources/vehicles.js';
import { watches } from '../resources/watches.js';

/** Every resource, and further endpoints. Written by scripts/build.mjs. */
export const resources = [
  acknowledgementEndpoints,
  attachmentEndpoints,
  categories,
  companies,
  contactTypes,
  contacts,
  deliveryEndpoints,
  eventLogEndpoints,
  itemEndpoints,
  locations,
  notes,
  reminderPolicies,
  renewalEndpoints,
  tags,
  teams,
  uploadEndpoints,
  users,
  vehicles,
  watches,
] as const;
