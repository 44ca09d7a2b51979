/** An id of no record: an example that was tried as it stands must not change what somebody keeps. */
export const exampleId = '01a1fbb9-12cc-7677-b0bc-13353b4cb527';

const vehicle = { name: 'Van 12', license_plate: 'AB 1234', make: 'Ford', model: 'Transit', year: 2024 };
const contact = { name: 'Ada Lind', email: 'ada.lind@example.com', mobile: '+1 555 0100' };

const replacing = (path: string, value: unknown) => [{ op: 'replace', path, value }];

/** Gives the example body of an operation, by its root field. */
const bodies: Readonly<Record<string, unknown>> = {
  createVehicle: vehicle,
  replaceVehicle: { ...vehicle, color: 'white' },
  patchVehicle: replacing('/color', 'white'),
  createCompany: { name: 'Maple Ridge Ltd', city: 'Toronto', website: 'https://mapleridge.example' },
  createContact: contact,
  replaceContact: { ...contact, email: 'lind@example.com', timezone: 'America/Toronto' },
  patchContact: replacing('/phone', '+1 555 0101'),
  createContactType: { name: 'Inspector' },
  createLocation: { name: 'North depot' },
  patchLocation: replacing('/name', 'South depot'),
  patchTeam: replacing('/name', 'Fleet'),
  updateExpirationItem: {
    name: 'Trade licence',
    expiration_date: '2027-03-31',
    category_name: 'Licence',
    tags: [{ name: 'yearly' }],
  },
  renewExpirationItem: { expiration_date: '2028-03-31', details: 'Renewed for a year.' },
  updateCategory: { name: 'Trade licence', custom_fields: [{ name: 'Number' }] },
  updateNote: { name: 'Phoned', body: '<p>They send the papers on Monday.</p>' },
  patchNote: replacing('/name', 'Phoned twice'),
  receiveUpload: {
    id: 1,
    action: 'fp.upload',
    timestamp: 1_790_000_000,
    text: { filename: 'scan.pdf', type: 'application/pdf', size: 48_213 },
  },
};

/**
 * The example of an operation's body.
 * @throws Error for an operation without one
 */
export function exampleBody(field: string): unknown {
  if (!Object.hasOwn(bodies, field)) throw new Error(`${field} has no example of its body.`);
  return bodies[field];
}
