import type { TestGateway } from '../support/gateway.js';
import { made } from './records.js';
import { createLinked } from './support.js';

export const path = '/v1/contacts';

let count = 0;
/** Returns an unused address. */
export const email = () => `person-${count++}@example.com`;

/** Creates the records that a contact links to. */
export async function links(gateway: TestGateway, teamId = gateway.teamId) {
  const { locationId } = await createLinked(gateway, gateway, teamId);
  const { id } = await made(gateway, '/v1/contacttypes', { name: `Type ${count++}`, team_id: teamId });
  return { location_id: locationId, type_id: id };
}

/** A contact of the contract (section 2) with only its address set: every member with a plain default. */
export const blank = {
  name: null,
  timezone: null,
  mobile: null,
  phone: null,
  assigned_to: null,
  type_id: null,
  contact_id: null,
  location_id: null,
  is_active: true,
  custom_fields: [],
};

/** Non-default values. */
export const full = async (gateway: TestGateway) => ({
  name: 'Grace Hopper',
  email: 'Grace.Hopper@Example.com',
  timezone: 'America/New_York',
  mobile: '+1 555 0100',
  phone: '+1 555 0101',
  assigned_to: { id: gateway.userId },
  contact_id: 'any text: 7',
  team_id: gateway.teamId,
  is_active: false,
  custom_fields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Badge', value: '7' }],
  ...(await links(gateway)),
});
