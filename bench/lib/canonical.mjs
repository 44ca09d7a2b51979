// Normalizes answers, so that those of peers can be compared.
import { contactMembers, vehicleMembers } from './workloads.mjs';

const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const link = (...members) => ({
  id: true,
  name: true,
  ...Object.fromEntries(members.map((name) => [name, true])),
});
const item = {
  id: true,
  name: true,
  expirationDate: (date) => date.slice(0, 10),
  details: true,
  isActive: true,
  teamId: true,
  category: link(),
  assignedTo: link('email'),
  contacts: [link('email', 'phone')],
  locations: [link()],
  tags: [link()],
};
const vehicle = {
  ...Object.fromEntries(vehicleMembers.map((name) => [name, true])),
  modified: (moment) => new Date(moment).toISOString(),
  assignedTo: link('email', 'teamId'),
  customFields: [link('value')],
};
const dated = { ...item, modified: vehicle.modified };
const { id: _id, ...created } = item;

const shapes = {
  ...Object.fromEntries(['W1', 'W1a', 'W1d', 'W1p', 'W6'].map((name) => [name, [dated]])),
  ...Object.fromEntries(['W2', 'W2a', 'W2d'].map((name) => [name, dated])),
  W3: { total: true, nodes: [vehicle] },
  // Modification times and new records' ids differ.
  W4: item,
  W7: Object.fromEntries(contactMembers.map((name) => [name, true])),
  W8: { ...created, contacts: [{ name: true, email: true, phone: true }] },
  W9: item,
  W10: { total: true, nodes: [dated] },
  W12: {
    compliant: true,
    state: true,
    until: true,
    gaps: [{ requirement: link(), state: true, itemId: true }],
    requirements: [{ requirement: link(), state: true, until: true, itemId: true }],
  },
  W12v: vehicle,
  W13: { total: true, nodes: [{ holderId: true, name: true, state: true, until: true, gapIds: true }] },
};

/** Returns the part of a value that a shape describes, with members in the shape's order. */
function fit(shape, value) {
  if (value === null) return null;
  if (shape === true) return value;
  if (typeof shape === 'function') return shape(value);
  if (Array.isArray(shape)) return value.map((entry) => fit(shape[0], entry));
  const named = Object.fromEntries(Object.entries(value).map(([name, member]) => [camelCase(name), member]));
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, fit(inner, named[name])]));
}

/** Returns as text what must be equal among peers in a workload's answer. */
export function canonical(workload, answer) {
  const shape = shapes[workload];
  return shape ? JSON.stringify(fit(shape, answer)) : '';
}
