import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { ask } from './support.js';

const fields = 'id name email role isActive language timezone teams { name }';

export const invite = `mutation ($email: String!, $name: String, $role: Role!, $teamIds: [ID!], $language: String) {
  inviteUser(email: $email, name: $name, role: $role, teamIds: $teamIds, language: $language) { user { ${fields} } link isMailed } }`;
export const update = `mutation ($id: ID!, $name: String, $email: String, $role: Role, $isActive: Boolean, $language: String, $timezone: String, $teamId: ID) {
  updateUser(id: $id, name: $name, email: $email, role: $role, isActive: $isActive, language: $language, timezone: $timezone, teamId: $teamId) { ${fields} } }`;
export const deactivate = `mutation ($id: ID!) { deactivateUser(id: $id) { ${fields} } }`;
export const add = `mutation ($teamId: ID!, $userId: ID!) {
  addTeamMember(teamId: $teamId, userId: $userId) { ${fields} } }`;
export const remove = add.replace('addTeamMember', 'removeTeamMember');

/** Invites somebody through the API; the answer contains the link. */
export async function inviteOne(gateway: TestGateway, email: string, given: object = {}) {
  return (await ask(gateway, invite, { email, role: 'MEMBER', ...given })).inviteUser;
}

/** Opens a link, and presses its button. */
export async function accept(link: string) {
  const response = await fetch(link, { method: 'POST' });
  const text = await response.text();
  return { status: response.status, text, token: /egw_[\w-]{43}/.exec(text)?.[0] ?? '' };
}

/** Creates a user who has accepted an invitation. */
export async function makeUser(gateway: TestGateway, email: string, given: object = {}) {
  const { user, link } = await inviteOne(gateway, email, given);
  const { token } = await accept(link);
  return { id: user.id as string, token };
}

/** Expects that an operation is rejected. */
export async function expectRefused(
  gateway: TestGateway,
  document: string,
  variables: object,
  [code, message]: readonly [string, RegExp],
  token = gateway.admin,
) {
  const { errors = [] } = await gateway.graphql(document, variables, token);
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.code, errors[0].message).toBe(code);
  expect(errors[0].message).toMatch(message);
}
