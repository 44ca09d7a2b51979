import { type GraphQLInterfaceType, getNamedType, isObjectType } from 'graphql';
import { recordKinds } from '../../src/db/sql/models.js';
import { newId } from '../../src/domain/rules.js';
import { resources as declarations } from '../../src/graphql/resources.js';
import { schema } from '../../src/graphql/schema.js';
import { type Declared, kindNamed } from '../../src/records/declare/declare.js';
import { type Door, doors } from './schema-walk.js';
import { type Ids, type Kind, receiver, signInPassword } from './world.js';

/** The right that an operation requires. */
export type Needs = 'nothing' | 'read' | 'write' | 'administer' | 'upload';

/** What the tests know about a GraphQL operation. */
export interface Row {
  readonly needs: Needs;
  /** Kinds of the record that its own id names; undefined if it takes none. */
  readonly of?: readonly Kind[];
  /** Kinds of the records that its other ids name, or references to records, with the message that rejects a foreign one. */
  readonly others?: Readonly<Record<string, readonly [kind: Kind, refusal: 'NOT_FOUND' | 'BAD_REQUEST']>>;
  /** True if its own id names something that is no record, and that only its user has. */
  readonly ofNoRecord?: true;
  /** True if what its own id names has to be created first, so that it finds nothing. */
  readonly findsNothing?: true;
  /** True if it says with its answer, and not by an error, which of many records cannot be written. */
  readonly refusesEach?: true;
  /** True if it changes nothing that has a version. */
  readonly isUnversioned?: true;
  /** True if only somebody who has just signed in with a browser may use it, and nobody with a token. */
  readonly isForSession?: true;
  /** Arguments with which it succeeds on these records. */
  readonly args: (ids: Ids) => Record<string, unknown>;
}

/** A resource: its type, its kind, and its list query. */
type Resource = readonly [type: string, kind: Kind, many: string];

/** Returns the query for a list of a type. */
function listOf(type: string): string {
  const isList = ({ type: answer }: (typeof doors.query)[string]) => {
    const named = getNamedType(answer);
    return isObjectType(named) && getNamedType(named.getFields().nodes?.type)?.name === type;
  };
  const found = Object.values(doors.query).filter(isList);
  if (found.length !== 1) throw new Error(`Which query lists ${type}?`);
  return found[0]?.name ?? '';
}

const smallFirst = (name: string) => `${name[0]?.toLowerCase()}${name.slice(1)}`;

/** Every resource, which can be replaced as a whole. */
const resources: readonly Resource[] = Object.keys(doors.mutation)
  .filter((name) => name.startsWith('replace'))
  .map((name) => name.slice('replace'.length))
  .map((type) => [type, smallFirst(type) as Kind, listOf(type)]);

/** Required values of a type's records, besides a name. */
const needed: Readonly<Record<string, () => object>> = {
  Contact: () => ({ email: `${newId()}@example.com` }),
  ExpirationItem: () => ({ expirationDate: '2028-01-31' }),
};

const callersOwn: Row = {
  ...{ needs: 'read', ofNoRecord: true, findsNothing: true, isUnversioned: true },
  args: () => ({ id: newId() }),
};
const renewed = { expirationDate: '2029-01-31' };
const all: readonly Kind[] = recordKinds;

function readRows(one: string, many: string, kind: Kind, needs: Needs = 'read'): Record<string, Row> {
  return {
    [one]: { needs, of: [kind], args: (ids) => ({ id: ids[kind] }) },
    [many]: { needs, args: () => ({ first: 5 }) },
  };
}

/** The types of records that have an id of their own. */
const nodes = schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).map(({ name }) => name);

/** Returns the right that reading a type requires. Only admins read who may enter, and who is not written to. */
export const rightFor = (type: string) =>
  ['AccessToken', 'Suppression'].includes(type) || type.startsWith('Webhook')
    ? 'administer'
    : ('read' as const);

const named = () => ({ name: `new ${newId()}` });

/** The field of a type that its writes change. */
const changedField = (type: string) => (type === 'MailText' ? 'senderName' : 'name');

/** Kinds that only admins create and delete, or write at all. */
const ownedBy: Readonly<Record<string, 'administer'>> = { team: 'administer', mailText: 'administer' };

const capital = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`;

function writeRows([type, kind, many]: Resource): Record<string, Row> {
  const field = changedField(type);
  const change = () => ({ [field]: `new ${newId()}` });
  const asked = ({ category }: Ids) => type === 'Requirement' && { holderKind: 'VEHICLE', anyOf: [category] };
  const whole = (ids: Ids) => ({ ...change(), ...needed[type]?.(), ...asked(ids) });
  // There is one mail text for each workspace.
  const created = (ids: Ids) => ({ ...whole(ids), ...(kind === 'mailText' && { teamId: ids.team }) });
  const owns = ownedBy[kind] ?? 'write';
  const [of, needs] = [[kind], kind === 'mailText' ? owns : ('write' as const)];
  const operations = () => [{ op: 'add', path: `/${field}`, value: change()[field] }];
  return {
    [`create${type}`]: { needs: owns, args: (ids) => ({ input: created(ids) }) },
    [`update${type}`]: { needs, of, args: (ids) => ({ id: ids[kind], input: change() }) },
    [`replace${type}`]: { needs, of, args: (ids) => ({ id: ids[kind], input: whole(ids) }) },
    [`patch${type}`]: { needs, of, args: (ids) => ({ id: ids[kind], operations: operations() }) },
    [`delete${type}`]: { needs: owns, of, args: (ids) => ({ id: ids[kind] }) },
    [`restore${type}`]: { needs: owns, of: ['binEntry'], args: (ids) => ({ id: ids.binEntry }) },
    [`update${capital(many)}`]: { needs, of, args: (ids) => ({ ids: [ids[kind]], input: change() }) },
    [`delete${capital(many)}`]: { needs: owns, of, args: (ids) => ({ ids: [ids[kind]] }) },
  };
}

const forSession = { needs: 'read', isForSession: true, isUnversioned: true } as const;
const webhook = { needs: 'administer', of: ['webhookEndpoint'] } as const;
const asked: Pick<Row, 'needs' | 'of'> = { needs: 'write', of: ['documentRequest'] };
const item: Pick<Row, 'needs' | 'of'> = { needs: 'write', of: ['expirationItem'] };
const upload: Pick<Row, 'needs' | 'of'> = { needs: 'write', of: ['uploadNotification'] };

const digest: Pick<Row, 'needs' | 'of' | 'isUnversioned'> = {
  ...{ needs: 'administer', of: ['contact'], isUnversioned: true },
};
const person: Pick<Row, 'needs'> = { needs: 'administer' };
const member: Row['others'] = { teamId: ['team', 'NOT_FOUND'], userId: ['user', 'NOT_FOUND'] };
const membership: Row['args'] = ({ team, user }) => ({ input: { teamId: team, userId: user } });

/** Every GraphQL operation. */
export const rows: Readonly<Record<Door, Readonly<Record<string, Row>>>> = {
  query: {
    ...Object.assign(
      {},
      ...nodes.map((type) =>
        readRows(smallFirst(type), listOf(type), smallFirst(type) as Kind, rightFor(type)),
      ),
    ),
    acknowledgement: { needs: 'read', of: ['expirationItem'], args: (ids) => ({ id: ids.expirationItem }) },
    itemHolders: { needs: 'read', of: ['expirationItem'], args: (ids) => ({ id: ids.expirationItem }) },
    noticePeriod: { needs: 'read', of: ['expirationItem'], args: (ids) => ({ id: ids.expirationItem }) },
    compliance: {
      ...{ needs: 'read', others: { holder: ['vehicle', 'NOT_FOUND'] } },
      args: (ids) => ({ holder: { kind: 'VEHICLE', id: ids.vehicle } }),
    },
    complianceSummary: { needs: 'read', args: () => ({}) },
    documentRequestCounts: { needs: 'read', args: () => ({}) },
    stoppedAddresses: { needs: 'write', args: () => ({ addresses: ['someone@example.com'] }) },
    previewRequirement: {
      needs: 'read',
      args: (ids) => ({ input: { holderKind: 'VEHICLE', anyOf: [ids.category] } }),
    },
    repetition: { needs: 'read', of: ['expirationItem'], args: (ids) => ({ id: ids.expirationItem }) },
    upcomingReminders: { needs: 'read', of: ['team'], args: () => ({ days: 90 }) },
    previewReminder: {
      needs: 'read',
      of: ['expirationItem'],
      // A step is not a record, so the id of a record never names one.
      others: { stepId: ['reminderPolicy', 'NOT_FOUND'] },
      args: (ids) => ({ itemId: ids.expirationItem }),
    },
    previewMailText: { needs: 'read', args: () => ({ input: { words: { language: 'en' } } }) },
    reminderHealth: { needs: 'read', args: () => ({}) },
    import: callersOwn,
    imports: { needs: 'read', args: () => ({}) },
    teamExport: callersOwn,
    teamExports: { needs: 'read', args: () => ({}) },
    exportUrl: { needs: 'read', args: () => ({ kind: 'ITEMS', filter: { term: 'zzelsewhere' } }) },
    webhookEventTypes: { needs: 'administer', args: () => ({}) },
    personalData: { ...person, of: ['contact'], args: (ids) => ({ id: ids.contact }) },
    mailSettings: { needs: 'administer', args: () => ({}) },
    digestSetting: { ...digest, args: (ids) => ({ id: ids.contact }) },
    userSessions: {
      needs: 'administer',
      others: { userId: ['user', 'NOT_FOUND'] },
      args: (ids) => ({ userId: ids.user }),
    },
    calendarFeeds: {
      needs: 'administer',
      others: { userId: ['user', 'NOT_FOUND'] },
      args: (ids) => ({ userId: ids.user }),
    },
    gatewayHealth: { needs: 'administer', args: () => ({}) },
    me: { needs: 'nothing', args: () => ({}) },
    organization: { needs: 'read', args: () => ({}) },
    search: { needs: 'read', args: () => ({ term: 'zzelsewhere' }) },
    node: { needs: 'read', of: all, args: (ids) => ({ id: ids.vehicle }) },
    nodes: { needs: 'read', of: all, args: (ids) => ({ ids: [ids.vehicle, ids.contact] }) },
    expirationSummary: { needs: 'read', args: () => ({}) },
    changes: { needs: 'read', of: ['team'], args: () => ({ first: 5, kinds: ['VEHICLE'] }) },
  },
  mutation: {
    ...Object.assign({}, ...resources.map(writeRows)),
    renewExpirationItem: { ...item, args: (ids) => ({ id: ids.expirationItem, input: renewed }) },
    renewExpirationItems: { ...item, args: (ids) => ({ ids: [ids.expirationItem], ...renewed }) },
    copyExpirationItem: { ...item, args: (ids) => ({ id: ids.expirationItem }) },
    purgeBinEntry: { needs: 'administer', of: ['binEntry'], args: (ids) => ({ id: ids.binEntry }) },
    addAttachment: { ...item, args: (ids) => ({ input: { itemId: ids.expirationItem, content: 'aGk=' } }) },
    restoreAttachment: { ...item, of: ['binEntry'], args: (ids) => ({ id: ids.binEntry }) },
    removeAttachment: { ...item, of: ['attachment'], args: (ids) => ({ id: ids.attachment }) },
    attachToExpirationItem: {
      ...item,
      args: (ids) => ({ id: ids.expirationItem, input: { content: 'aGk=' } }),
    },
    setExpirationItemContacts: {
      ...item,
      args: (ids) => ({ id: ids.expirationItem, input: { contacts: [{ id: ids.contact }] } }),
    },
    ...Object.fromEntries(
      ['addHolders', 'removeHolders', 'setHolders'].map((name): [string, Row] => [
        name,
        {
          ...item,
          // Nothing can be removed twice.
          args: (ids) => ({ id: ids.expirationItem, input: { holders: [] } }),
        },
      ]),
    ),
    removeHolder: {
      ...item,
      others: { holderId: ['vehicle', 'NOT_FOUND'] },
      args: (ids) => ({ id: ids.expirationItem, holderId: ids.vehicle }),
    },
    acknowledgeExpirationItem: { ...item, args: (ids) => ({ id: ids.expirationItem, note: 'Seen' }) },
    setAcknowledgement: {
      ...item,
      args: (ids) => ({ id: ids.expirationItem, input: { note: 'Seen' } }),
    },
    setNoticePeriod: {
      ...item,
      args: (ids) => ({ id: ids.expirationItem, input: { noticeDate: '2027-01-01' } }),
    },
    deleteNoticePeriod: { ...item, args: (ids) => ({ id: ids.expirationItem }) },
    setRepetition: { ...item, args: (ids) => ({ id: ids.expirationItem, input: { renewalsLeft: 3 } }) },
    deleteRepetition: { ...item, args: (ids) => ({ id: ids.expirationItem }) },
    deleteAcknowledgement: { ...item, args: (ids) => ({ id: ids.expirationItem }) },
    applyReminderPolicy: {
      ...{ needs: 'write', of: ['reminderPolicy'] },
      args: (ids) => ({ id: ids.reminderPolicy, applyTo: 'NOW' }),
    },
    setDigestSetting: { ...digest, args: (ids) => ({ id: ids.contact, input: { mode: 'DAILY' } }) },
    deleteDigestSetting: { ...digest, findsNothing: true, args: (ids) => ({ id: ids.contact }) },
    retryDelivery: { needs: 'write', of: ['delivery'], args: (ids) => ({ id: ids.delivery }) },
    resendReminder: { needs: 'write', of: ['reminder'], args: (ids) => ({ id: ids.reminder }) },
    createExemption: {
      ...{ needs: 'write', isUnversioned: true },
      args: (ids) => ({
        input: {
          ...{ requirementId: ids.requirement, holderKind: 'VEHICLE', holderId: ids.vehicle },
          reason: 'In the workshop',
        },
      }),
    },
    createComplianceLink: {
      ...{ needs: 'write', isUnversioned: true },
      args: (ids) => ({ input: { holderKind: 'VEHICLE', holderId: ids.vehicle } }),
    },
    createMissingComplianceLinks: {
      ...{ needs: 'write', isUnversioned: true },
      args: (ids) => ({ input: { holderKind: 'VEHICLE', holderIds: [ids.vehicle] } }),
    },
    revokeComplianceLink: {
      ...{ needs: 'write', of: ['complianceLink'] },
      args: (ids) => ({ id: ids.complianceLink }),
    },
    endExemption: { needs: 'write', of: ['exemption'], args: (ids) => ({ id: ids.exemption }) },
    createDocumentRequest: {
      ...{ needs: 'write', isUnversioned: true },
      args: (ids) => ({
        input: {
          ...{ categoryId: ids.category, holderKind: 'VEHICLE', holderId: ids.vehicle },
          email: `${newId()}@example.com`,
        },
      }),
    },
    createDocumentRequests: {
      ...{ needs: 'write', isUnversioned: true, refusesEach: true },
      args: (ids) => ({
        input: {
          requests: [
            {
              categoryId: ids.category,
              holderKind: 'VEHICLE',
              holderId: ids.vehicle,
              email: `${newId()}@example.com`,
            },
          ],
        },
      }),
    },
    resendDocumentRequest: { ...asked, args: (ids) => ({ id: ids.documentRequest }) },
    declineDocumentRequest: {
      ...asked,
      args: (ids) => ({ id: ids.documentRequest, input: { reason: 'It cannot be read' } }),
    },
    acceptDocumentRequest: { ...asked, args: (ids) => ({ id: ids.documentRequest, input: {} }) },
    cancelDocumentRequest: { ...asked, args: (ids) => ({ id: ids.documentRequest }) },
    createSuppression: {
      needs: 'administer',
      args: () => ({ input: { address: `${newId()}@example.com` } }),
    },
    deleteSuppression: { needs: 'administer', of: ['suppression'], args: (ids) => ({ id: ids.suppression }) },
    sendTestMail: { needs: 'administer', args: () => ({ to: 'someone@example.com' }) },
    goLive: { needs: 'administer', args: () => ({}) },
    updateMailSettings: { needs: 'administer', args: () => ({}) },
    createWebhookEndpoint: {
      ...{ needs: 'administer', isUnversioned: true },
      args: () => ({ input: { ...named(), url: receiver } }),
    },
    updateWebhookEndpoint: {
      ...webhook,
      args: (ids) => ({ id: ids.webhookEndpoint, input: named() }),
    },
    ...Object.fromEntries(
      ['delete', 'enable'].map((verb) => [
        `${verb}WebhookEndpoint`,
        { ...webhook, args: (ids: Ids) => ({ id: ids.webhookEndpoint }) },
      ]),
    ),
    testWebhookEndpoint: {
      ...{ needs: 'administer', ofNoRecord: true, isUnversioned: true },
      args: (ids) => ({ id: ids.webhookEndpoint }),
    },
    createChannel: {
      ...{ needs: 'administer', isUnversioned: true },
      args: () => ({ input: { ...named(), kind: 'NTFY', url: receiver } }),
    },
    updateChannel: {
      ...{ needs: 'administer', of: ['channel'] },
      args: (ids) => ({ id: ids.channel, input: named() }),
    },
    deleteChannel: { needs: 'administer', of: ['channel'], args: (ids) => ({ id: ids.channel }) },
    testChannel: {
      ...{ needs: 'administer', ofNoRecord: true, isUnversioned: true, findsNothing: true },
      args: () => ({ id: newId() }),
    },
    resendWebhookMessages: {
      ...webhook,
      args: (ids) => ({ id: ids.webhookEndpoint, input: { since: '2026-11-20T00:00:00Z' } }),
    },
    recoverWebhookEndpoint: {
      ...webhook,
      args: (ids) => ({ id: ids.webhookEndpoint, since: '2026-11-20T00:00:00Z' }),
    },
    replayWebhookMessage: {
      ...{ needs: 'administer', ofNoRecord: true, isUnversioned: true },
      others: { endpointId: ['webhookEndpoint', 'NOT_FOUND'] },
      args: (ids) => ({ id: ids.webhookMessage, input: { endpointId: ids.webhookEndpoint } }),
    },
    rotateWebhookSecret: { ...webhook, args: (ids) => ({ id: ids.webhookEndpoint }) },
    receiveUpload: { needs: 'upload', args: () => ({ input: { action: newId() } }) },
    addUpload: {
      needs: 'write',
      args: () => ({ input: { ...named(), content: 'eA==' } }),
    },
    retryUpload: { ...upload, args: (ids) => ({ id: ids.uploadNotification }) },
    confirmUpload: { ...upload, args: (ids) => ({ id: ids.uploadNotification, input: named() }) },
    createAccessToken: { needs: 'administer', args: () => ({ input: { ...named(), role: 'VIEWER' } }) },
    updateAccessToken: {
      needs: 'administer',
      of: ['accessToken'],
      args: (ids) => ({ id: ids.accessToken, ...named() }),
    },
    updateMe: {
      needs: 'read',
      others: { teamId: ['team', 'BAD_REQUEST'] },
      args: () => ({ input: { language: 'it' } }),
    },
    changePassword: {
      needs: 'read',
      args: () => ({ input: { currentPassword: signInPassword, newPassword: signInPassword } }),
    },
    ...Object.fromEntries(
      [
        ...['startPasskey', 'beginPasskey', 'beginTotp', 'removeAuthenticatorApp', 'removeTotp'],
        ...['renewRecoveryCodes', 'createRecoveryCodes'],
      ].map((name) => [name, { ...forSession, args: () => ({}) }]),
    ),
    addPasskey: { ...forSession, args: () => ({ input: { name: 'Phone', response: {} } }) },
    removePasskey: { ...forSession, ofNoRecord: true, args: () => ({ id: newId() }) },
    deletePasskey: { ...forSession, ofNoRecord: true, args: () => ({ id: newId() }) },
    confirmAuthenticatorApp: { ...forSession, args: () => ({ input: { code: '000000' } }) },
    confirmTotp: { ...forSession, args: () => ({ code: '000000' }) },
    updatePasskey: {
      ...{ needs: 'read', ofNoRecord: true, isUnversioned: true, findsNothing: true },
      args: () => ({ id: newId(), input: { name: 'Phone' } }),
    },
    renamePasskey: {
      ...{ needs: 'read', ofNoRecord: true, isUnversioned: true },
      args: () => ({ id: newId(), name: 'Phone' }),
    },
    createSavedView: {
      ...{ needs: 'read', isUnversioned: true },
      args: () => ({ input: { ...named(), list: 'items' } }),
    },
    updateSavedView: { ...callersOwn, isUnversioned: false, args: () => ({ id: newId(), input: named() }) },
    deleteSavedView: { ...callersOwn, isUnversioned: false },
    createCalendarFeed: { ...{ needs: 'read', isUnversioned: true }, args: () => ({ input: named() }) },
    createImport: {
      ...{ needs: 'write', isUnversioned: true },
      args: () => ({ input: { kind: 'CONTACTS', content: btoa(`email\n${newId()}@example.com\n`) } }),
    },
    changeImport: { ...callersOwn, needs: 'write', args: () => ({ id: newId(), input: {} }) },
    runImport: { ...callersOwn, needs: 'write' },
    cancelImport: { ...callersOwn, needs: 'write' },
    undoImport: { ...callersOwn, needs: 'write' },
    createTeamExport: {
      ...{ needs: 'read', isUnversioned: true },
      others: { teamId: ['team', 'NOT_FOUND'] },
      args: (ids) => ({ input: { teamId: ids.team } }),
    },
    removeTeamExport: callersOwn,
    deleteTeamExport: callersOwn,
    rotateCalendarFeed: callersOwn,
    removeCalendarFeed: callersOwn,
    deleteCalendarFeed: callersOwn,
    closeSession: callersOwn,
    endSession: callersOwn,
    removeSecondFactor: {
      ...{ needs: 'administer', isUnversioned: true },
      others: { userId: ['user', 'NOT_FOUND'] },
      args: (ids) => ({ input: { userId: ids.user } }),
    },
    resetSecondFactor: {
      ...{ needs: 'administer', isUnversioned: true },
      others: { userId: ['user', 'NOT_FOUND'] },
      args: (ids) => ({ userId: ids.user }),
    },
    createSignInLink: {
      ...{ needs: 'administer', isUnversioned: true },
      others: { userId: ['user', 'NOT_FOUND'] },
      args: (ids) => ({ input: { userId: ids.user } }),
    },
    updateSignInPolicy: { needs: 'administer', args: () => ({ input: { secondFactorRequired: false } }) },
    closeOtherSessions: { needs: 'read', args: () => ({}) },
    endOtherSessions: { needs: 'read', args: () => ({}) },
    removeDemo: { needs: 'administer', args: () => ({}) },
    updateOrganization: { needs: 'administer', args: () => ({ input: named() }) },
    inviteUser: {
      needs: 'administer',
      others: { teamIds: ['team', 'BAD_REQUEST'] },
      args: () => ({ input: { email: `${newId()}@example.com`, role: 'VIEWER' } }),
    },
    resendInvitation: {
      ...person,
      of: ['user'],
      isUnversioned: true,
      args: (ids) => ({ id: ids.user }),
    },
    updateUser: {
      ...person,
      of: ['user'],
      others: { teamId: ['team', 'BAD_REQUEST'] },
      args: (ids) => ({ id: ids.user, input: { name: 'own' } }),
    },
    erasePerson: { ...person, of: ['contact'], isUnversioned: true, args: (ids) => ({ id: ids.contact }) },
    deactivateUser: { ...person, of: ['user'], args: (ids) => ({ id: ids.user }) },
    addTeamMember: { ...person, others: member, args: membership },
    removeTeamMember: { ...person, others: member, args: membership },
    revokeAccessToken: { needs: 'administer', of: ['accessToken'], args: (ids) => ({ id: ids.accessToken }) },
  },
  subscription: {
    documentRequestChanged: { needs: 'read', args: () => ({}) },
    complianceChanged: { needs: 'read', args: () => ({}) },
    deliverySettled: { needs: 'read', args: () => ({}) },
    eventLogged: { needs: 'read', of: all, args: () => ({}) },
    expirationItemChanged: { needs: 'read', of: item.of ?? [], args: (ids) => ({ id: ids.expirationItem }) },
    uploadFiled: { needs: 'read', args: () => ({}) },
    recordsChanged: { needs: 'read', of: ['team'], args: () => ({}) },
  },
};

/** Kinds that a whole organization shares. */
export const shared: readonly Kind[] = [
  ...(['user', 'accessToken', 'suppression'] as const),
  ...(['webhookEndpoint', 'webhookMessage', 'webhookDelivery'] as const),
];

/** Ids that resources declare to name other records. */
const declaredReferences: Readonly<Record<string, Kind>> = Object.fromEntries(
  (declarations as readonly Partial<Declared>[]).flatMap(({ model, fields = {}, columns = {} }) =>
    Object.entries(fields).flatMap(([name, field]) => {
      const column = columns[name];
      if (field.kind !== 'column' || !field.rule || field.door === 'hidden' || !column) return [];
      const to = kindNamed(field, column);
      return to ? [[`${model}.${name}`, to]] : [];
    }),
  ),
);

/** Paths of ids in inputs that must be our records, by kind. Others get 400. */
export const references: Readonly<Record<string, Kind>> = {
  'AccessToken.userId': 'user',
  'CategoryReference.id': 'category',
  'AddUpload.companyId': 'company',
  'AddUpload.expirationItemId': 'expirationItem',
  'AddUpload.holderId': 'vehicle',
  // It is no record, so the id of a record never names one.
  'AddUpload.resumableUploadId': 'uploadNotification',
  'AddUpload.teamId': 'team',
  'ConfirmUpload.expirationItemId': 'expirationItem',
  'ConfirmUpload.teamId': 'team',
  'ContactReference.id': 'contact',
  'HolderReference.id': 'vehicle',
  'DocumentRequest.categoryId': 'category',
  'DocumentRequest.expirationItemId': 'expirationItem',
  'DocumentRequest.holderId': 'vehicle',
  'DocumentRequest.recipientId': 'contact',
  'DocumentRequest.requirementId': 'requirement',
  'DocumentRequest.teamId': 'team',
  'ComplianceLink.holderId': 'vehicle',
  'MissingComplianceLinks.holderIds': 'vehicle',
  'Exemption.holderId': 'vehicle',
  'Exemption.requirementId': 'requirement',
  'Requirement.anyOf': 'category',
  'WatchedItems.categoryIds': 'category',
  'WatchedItems.locationId': 'location',
  'WatchedItems.tagIds': 'tag',
  'WatchedItems.contactTypeId': 'contactType',
  'WatchedItems.contactIds': 'contact',
  'WatchedHolders.requirementIds': 'requirement',
  'WatchedHolders.locationId': 'location',
  'PreviewMailText.categoryId': 'category',
  'PreviewMailText.itemId': 'expirationItem',
  'PreviewMailText.teamId': 'team',
  'PreviewRequirement.anyOf': 'category',
  'PreviewRequirement.id': 'requirement',
  'PreviewRequirement.teamId': 'team',
  'Import.resumableUploadId': 'uploadNotification',
  'Import.teamId': 'team',
  'LocationReference.id': 'location',
  'TagReference.id': 'tag',
  'Attachment.id': 'attachment',
  'Suppression.categoryId': 'category',
  'Suppression.expirationItemId': 'expirationItem',
  'UserReference.id': 'user',
  'Channel.teamId': 'team',
  'SavedView.teamId': 'team',
  'ReminderStep.channelIds': 'channel',
  'WebhookEndpoint.teamIds': 'team',
  'WebhookEndpoint.categoryIds': 'category',
  'WebhookEndpoint.tagIds': 'tag',
  ...declaredReferences,
};

/** Ids that are kept as sent and never looked up, by the kind of our records that they could be. */
export const kept: Readonly<Record<string, Kind>> = {
  'CategoryCustomField.id': 'category',
  'Company.countryId': 'company',
  'Company.typeId': 'contactType',
  'CustomField.id': 'note',
  // They narrow what is asked for, like a filter.
  'DocumentRequestGaps.holderIds': 'vehicle',
  'DocumentRequestGaps.requirementIds': 'requirement',
  'NoteRelation.entityId': 'vehicle',
  'Vehicle.folderId': 'location',
  'Vehicle.statusId': 'category',
  'Vehicle.typeId': 'contactType',
  'Vehicle.vehicleFuelTypeId': 'tag',
};

/** What an entry of a list requires besides its id. */
export const beside: Readonly<Record<string, readonly [member: string, value: unknown]>> = {
  'CategoryCustomField.id': ['name', 'Shelf'],
  'CustomField.id': ['name', 'Depot'],
  'HolderFilter.id': ['kind', 'VEHICLE'],
  'HolderReference.id': ['kind', 'VEHICLE'],
  'NoteRelation.entityId': ['entityType', 3],
};

/** Ids that filter a list and whose names do not reveal their kind (cases.ts). */
export const filters: Readonly<Record<string, Kind>> = {
  'BinFilter.recordId': 'binEntry',
  'CustomFieldFilter.id': 'note',
  'DocumentRequestFilter.holderId': 'vehicle',
  'EventLogFilter.entityId': 'expirationItem',
  'ExemptionFilter.holderId': 'vehicle',
  'HolderFilter.id': 'vehicle',
  'NoteFilter.entityId': 'expirationItem',
  'WebhookDeliveryFilter.endpointId': 'webhookEndpoint',
  'WebhookDeliveryFilter.endpointIds': 'webhookEndpoint',
  'WebhookDeliveryFilter.messageId': 'webhookMessage',
  'WebhookDeliveryFilter.messageIds': 'webhookMessage',
  'WebhookMessageFilter.eventId': 'eventLog',
};

/** Ids that callers choose for new records: those of resources, and of records that are never replaced. */
export const chosen: readonly string[] = [
  ...resources.map(([type]) => `${type}.id`),
  'Exemption.id',
  'ComplianceLink.id',
  'DocumentRequest.id',
];
