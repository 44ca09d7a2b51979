import type { Declared } from '../records/declare/declare.js';
import type { Model, Served } from '../records/declare/endpoints.js';
import { memberName } from '../web/names.js';
import { served } from './routes.js';

/** Lists the models of a resource. Its own has the fields that both doors show. */
function modelsOf({
  model: type,
  rest,
  fields = {},
}: Served & Partial<Pick<Declared, 'fields'>>): [string, Model][] {
  const members = rest.members ?? Object.keys(fields).filter((name) => fields[name]?.door === 'both');
  const all: [string, Model][] = [[rest.model, { type, members }], ...Object.entries(rest.models ?? {})];
  return all.map(([name, { type, members }]) => [name, { type, members: members.map(memberName) }]);
}

/** The contract's models (section 2), member by member. */
export const contractModels: Readonly<Record<string, Model>> = {
  CustomFieldModel: { type: 'CustomField', members: ['id', 'name', 'value'] },
  ...Object.fromEntries(served.flatMap(modelsOf)),
};

// Of two models of a type, the first one is what other records show.
const membersOfType = new Map<string, ReadonlySet<string>>(
  Object.values(contractModels)
    .reverse()
    .map(({ type, members }) => [type, new Set(members)]),
);

/** Checks that a type of the gateway has a member in the contract. */
export function isMember(type: string, member: string): boolean {
  return membersOfType.get(type)?.has(member) === true;
}

/** Returns a model of the contract. @throws Error for a name that no resource declares */
export function modelOf(name: string): Model {
  const model = contractModels[name];
  if (!model) throw new Error(`No resource declares the model ${name}.`);
  return model;
}

/** Checks that records of a model are files, or have some. */
export function hasFiles(name: string): boolean {
  const { type, members } = modelOf(name);
  return type === 'Attachment' || members.includes('attachments');
}
