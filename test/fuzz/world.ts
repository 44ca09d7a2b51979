import { expect } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

const kinds = [
  'Category',
  'Company',
  'Contact',
  'ContactType',
  'ExpirationItem',
  'Location',
  'Note',
  'Tag',
  'Vehicle',
] as const;

/** A kind of records that requests are about. */
type Kind = (typeof kinds)[number];

/**
 * Returns the ids that requests use: three for each kind, of which some exist at any time, as requests make
 * and delete.
 */
export const idsOf = (kind: Kind): string[] =>
  [1, 2, 3].map((n) => `00000000-0000-4000-8000-${String(kinds.indexOf(kind) * 10 + n).padStart(12, '0')}`);

/** What names no record. */
const nowhere = ['00000000-0000-4000-8000-999999999999'];

/** What a member's or an argument's name says that its id is of; the first that fits. */
const hints: readonly (readonly [RegExp, Kind])[] = [
  [/contact_?type/i, 'ContactType'],
  [/contact|company_?contact/i, 'Contact'],
  [/location/i, 'Location'],
  [/categor|any_?of/i, 'Category'],
  [/vehicle/i, 'Vehicle'],
  [/compan/i, 'Company'],
  [/item/i, 'ExpirationItem'],
  [/note/i, 'Note'],
  [/tag/i, 'Tag'],
];

/** A gateway with records under ids that are known before it runs, so that a failure can be found again. */
export interface World {
  readonly gateway: TestGateway;
  /** Ids that the server gave: of another world's records as of this one's, in this order. */
  readonly given: readonly string[];
  /** Ids that are worth trying where a name says what they are of. */
  ids(name: string): readonly string[];
}

/** What each kind is made with, beyond its id. */
const inputs: Record<Kind, (n: number) => object> = {
  Category: (n) => ({ name: `Document ${n}` }),
  Company: (n) => ({ name: `Haulage ${n}` }),
  Contact: (n) => ({ email: `contact-${n}@example.com` }),
  ContactType: (n) => ({ name: `Supplier ${n}` }),
  ExpirationItem: (n) => ({ name: `Licence ${n}`, expirationDate: '2027-06-01', tags: [{ name: 'yearly' }] }),
  Location: (n) => ({ name: `Yard ${n}` }),
  Note: (n) => ({ name: `Note ${n}`, body: '<p>Call</p>' }),
  Tag: (n) => ({ name: `Urgent ${n}` }),
  Vehicle: (n) => ({ name: `Van ${n}` }),
};

/**
 * Creates what is missing of the records: a run that deleted them shall not leave nothing to the next one.
 */
export async function fill(gateway: TestGateway): Promise<void> {
  for (const kind of kinds) {
    const mutation = `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`;
    for (const [n, id] of idsOf(kind).slice(0, 2).entries()) {
      const { errors } = await gateway.graphql(mutation, { input: { id, ...inputs[kind](n) } });
      if (errors) expect(errors[0].extensions.code).toBe('CONFLICT');
    }
  }
}

/** Ids that the server gave, of records that callers cannot name themselves. */
async function givenIds(gateway: TestGateway): Promise<(readonly [RegExp, readonly string[]])[]> {
  const add = `mutation ($id: ID!) { addAttachment(itemId: $id, input: {name: "a", content: "aGVsbG8="}) { id } }`;
  const receive = 'mutation { receiveUpload(input: {action: "fp.upload"}) { id } }';
  const read = '{ eventLogs(first: 3) { nodes { id } } accessTokens { nodes { id } } }';
  const added = await gateway.graphql(add, { id: idsOf('ExpirationItem')[0] });
  const received = await gateway.graphql(receive);
  const { data } = await gateway.graphql(read);
  const idOf = ({ id }: { id: string }) => id;
  return [
    [/attachment/i, [added.data.addAttachment.id]],
    [/upload/i, [received.data.receiveUpload.id]],
    [/event_?log/i, data.eventLogs.nodes.map(idOf)],
    [/token/i, data.accessTokens.nodes.map(idOf)],
  ];
}

/** Starts a gateway for random requests. */
export async function createWorld(): Promise<World> {
  const gateway = await startGateway();
  await fill(gateway);
  const given = await givenIds(gateway);
  const ids = (name: string): readonly string[] => {
    if (/team/i.test(name)) return [gateway.teamId, gateway.otherTeamId];
    if (/user|assigned_?to/i.test(name) && !/contact/i.test(name)) return [gateway.userId];
    const known = given.find(([hint]) => hint.test(name))?.[1];
    if (known) return [...known, ...nowhere];
    const kind = hints.find(([hint]) => hint.test(name))?.[1];
    return kind ? idsOf(kind) : [...kinds.flatMap(idsOf), ...nowhere];
  };
  const { teamId, otherTeamId, userId } = gateway;
  return { gateway, ids, given: [teamId, otherTeamId, userId, ...given.flatMap(([, some]) => some)] };
}
