import type { columns } from '../../prisma/generated/columns.js';

type Columns = typeof columns;
type Worded = 'String' | 'Json' | 'Bytes';

/** Fields of a model that have texts, JSON or bytes. */
type WordedFields<Model extends keyof Columns> = {
  [Field in keyof Columns[Model]]: Columns[Model][Field] extends { readonly type: Worded } ? Field : never;
}[keyof Columns[Model]];

/**
 * Writer of a column. It decides what an erasure does with the column:
 * - `gateway`: the gateway itself, so what is in it of a person is replaced
 * - `key`: the gateway, and no two rows have the same
 * - `addresses`: people, who chose where mail goes; the person's addresses are taken out
 * - `people`: people or documents, so it is listed for somebody to decide, and not changed
 * - `nothing`: it holds nothing of a person, or only what nobody can read
 */
export type Writer = 'gateway' | 'key' | 'addresses' | 'people' | 'nothing';

const customFields = 'people';

/**
 * The register of all columns with texts, JSON or bytes. It does not compile if one is missing. Rows that are the
 * person's alone, such as the contact and its sessions, are dealt with as a whole (`own-rows.ts`).
 */
// biome-ignore format: a table is read by its lines.
export const register: { readonly [Model in keyof Columns]: Readonly<Record<WordedFields<Model>, Writer>> } = {
  AccessToken: { name: 'people', hash: 'nothing', signingSecret: 'nothing' },
  Acknowledgement: { note: 'people' },
  Attachment: { name: 'people', contentType: 'nothing', sourceUrl: 'people' },
  AttachmentContent: { content: 'nothing', objectKey: 'nothing', digest: 'nothing' },
  BinEntry: { name: 'gateway' },
  BinRow: { tableName: 'nothing', pointer: 'nothing', row: 'gateway' },
  CalendarFeed: { name: 'people', hash: 'nothing', teams: 'nothing', filter: 'nothing' },
  Category: { name: 'people', customFields, autoRenew: 'nothing' },
  Channel: { name: 'people', sealedUrl: 'nothing', host: 'nothing', sealedToken: 'nothing', quietFrom: 'nothing', quietTo: 'nothing', lastError: 'gateway' },
  Company: { name: 'people', doingBusinessAs: 'people', phone: 'people', website: 'people', addressLine1: 'people', addressLine2: 'people', city: 'people', province: 'people', postalCode: 'people', taxId: 'people', customFields },
  Contact: { name: 'people', email: 'people', timezone: 'nothing', mobile: 'people', phone: 'people', contactId: 'people', customFields },
  ContactType: { name: 'people' },
  Delivery: { dedupeKey: 'key', subjectKind: 'nothing', payload: 'gateway', address: 'gateway', lastError: 'gateway', errorCode: 'nothing', messageId: 'gateway' },
  EventLog: { description: 'gateway', details: 'gateway', userName: 'gateway' },
  EventLogEntity: {},
  ExpirationItem: { name: 'people', timeOfDay: 'nothing', details: 'people', customFields },
  ExpirationItemContact: {},
  ExpirationItemLocation: {},
  ExpirationItemTag: {},
  // Encrypted, and deleted after a day.
  IdempotencyKey: { key: 'nothing', sealed: 'nothing' },
  Import: { teams: 'nothing', fileName: 'people', hash: 'nothing', options: 'people', content: 'people', error: 'gateway', preview: 'gateway' },
  ImportBatch: { results: 'gateway' },
  Invitation: { hash: 'nothing' },
  Location: { name: 'people', customFields },
  Membership: {},
  Note: { name: 'people', body: 'people', bodyText: 'people' },
  NoteRelation: {},
  Organization: { name: 'people', timezone: 'nothing', locale: 'nothing' },
  Passkey: { credentialId: 'nothing', publicKey: 'nothing', transports: 'nothing', name: 'people' },
  Password: { phc: 'nothing' },
  RecipientSetting: { recipientKey: 'key', digestTime: 'nothing', language: 'nothing' },
  RecoveryCode: { hash: 'nothing' },
  Reminder: { itemName: 'gateway', reason: 'gateway' },
  ReminderCheck: {},
  ReminderJob: {},
  ReminderMark: {},
  ReminderPolicy: { name: 'people', timeOfDay: 'nothing' },
  ReminderStep: { recipients: 'nothing', addresses: 'addresses' },
  ReminderTarget: { recipientKey: 'key', address: 'gateway', reason: 'gateway' },
  Renewal: { details: 'people' },
  ResumableUpload: { uploadMetadata: 'people' },
  SignInLink: { hash: 'nothing', email: 'gateway' },
  // Those of others say which browser and address they use.
  SignInSession: { hash: 'nothing', deviceHash: 'nothing', address: 'nothing', agent: 'nothing' },
  Suppression: { addressKey: 'gateway' },
  Tag: { name: 'people' },
  Team: { name: 'people', timezone: 'nothing', reminderFallbackAddress: 'addresses' },
  TeamExport: { teams: 'nothing', error: 'gateway' },
  TotpSecret: { sealed: 'nothing' },
  // The tags say who is to be reminded; suggestions are what was recognized in the document.
  UploadNotification: { action: 'people', container: 'people', url: 'people', filename: 'people', client: 'people', key: 'people', type: 'people', status: 'people', uploadTags: 'gateway', uploadTagsText: 'gateway', dedupeKey: 'nothing', error: 'gateway', errorCode: 'nothing', suggestedFrom: 'people', suggestions: 'people' },
  User: { name: 'people', email: 'people', language: 'nothing', timezone: 'nothing', issuer: 'nothing', subject: 'nothing' },
  Vehicle: { name: 'people', vin: 'people', licensePlate: 'people', make: 'people', model: 'people', trim: 'people', color: 'people', bodyType: 'people', registrationProvince: 'people', customFields },
  Watch: { name: 'people', filter: 'nothing' },
  WebhookAttempt: { error: 'gateway', responseStart: 'gateway' },
  WebhookDelivery: { lastError: 'gateway' },
  WebhookEndpoint: { name: 'people', url: 'people', eventTypes: 'nothing', statuses: 'nothing', sealedHeaders: 'nothing', disabledReason: 'gateway' },
  WebhookMessage: { type: 'nothing', body: 'gateway' },
  WebhookOutbox: {},
  WebhookSecret: { sealed: 'nothing' },
};
