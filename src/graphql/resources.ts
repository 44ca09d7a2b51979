import { accessTokens } from '../access/access-tokens.js';
import { complianceLinks } from '../access/compliance-links.js';
import { compliances } from '../compliance/compliances.js';
import { exemptions } from '../compliance/exemptions.js';
import { requirements } from '../compliance/requirements.js';
import { acknowledgementEndpoints } from '../items/acknowledgements.js';
import { attachments } from '../items/attachments.js';
import { expirationItems } from '../items/expiration-items.js';
import { renewals } from '../items/renewals.js';
import { watches } from '../items/watches.js';
import { binEntries } from '../records/bin.js';
import { channels } from '../reminders/chat/channels.js';
import { deliveries } from '../reminders/queries/deliveries.js';
import { reminders } from '../reminders/queries/reminders.js';
import { suppressions } from '../reminders/queries/suppressions.js';
import { documentRequests } from '../requests/document-requests.js';
import { categories } from '../resources/categories.js';
import { companies } from '../resources/companies.js';
import { contactTypes } from '../resources/contact-types.js';
import { contacts } from '../resources/contacts.js';
import { eventLogs } from '../resources/event-logs.js';
import { locations } from '../resources/locations.js';
import { mailTexts } from '../resources/mail-texts.js';
import { notes } from '../resources/notes.js';
import { reminderPolicies } from '../resources/reminder-policies.js';
import { tags } from '../resources/tags.js';
import { teams } from '../resources/teams.js';
import { users } from '../resources/users.js';
import { vehicles } from '../resources/vehicles.js';
import { uploadNotifications } from '../uploads/notifications.js';
import { webhookDeliveries, webhookMessages } from '../webhooks/deliveries.js';
import { webhookEndpoints } from '../webhooks/endpoints.js';

/** Every resource, and further endpoints. A new one is added here. */
export const resources = [
  accessTokens,
  acknowledgementEndpoints,
  attachments,
  binEntries,
  categories,
  channels,
  companies,
  complianceLinks,
  compliances,
  contactTypes,
  contacts,
  deliveries,
  documentRequests,
  eventLogs,
  exemptions,
  expirationItems,
  locations,
  mailTexts,
  notes,
  reminderPolicies,
  reminders,
  renewals,
  requirements,
  suppressions,
  tags,
  teams,
  uploadNotifications,
  users,
  vehicles,
  watches,
  webhookDeliveries,
  webhookEndpoints,
  webhookMessages,
] as const;
