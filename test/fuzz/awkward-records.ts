import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { expectTold } from './answers.js';
import { shortTexts } from './awkward.js';

const edgeDates = ['0001-01-01', '9999-12-31', '2028-02-29', '2000-02-29', '1900-02-28'];
const edgeNumbers = [5e-324, 1e308, 0.1, -0, 123456.789012, 2 ** 53, 1e21, 1e-7];
const edgeMoments = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2028-02-29T12:00:00.001Z'];

/** Integers beyond what a double counts, in JSON. */
const edgeIntegers = ['9007199254740993', '9223372036854775807', '-9223372036854775808', '0'];

/** Numbers that a double would change, in JSON: digits, zeros and exponents are kept. */
const exactNumbers = ['12345678901234567890.123', '1.10', '-0', '1E5', '0.00000010', '18446744073709551616'];

/** Looks for what PostgreSQL cannot store: NUL and halves of characters. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

/** Creates a record, or expects a refusal with reason. @returns its id */
async function create(
  gateway: TestGateway,
  kind: string,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  const query = `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`;
  const { data, errors } = await gateway.graphql(query, { input });
  for (const { message, extensions } of errors ?? []) {
    expect(extensions.code, JSON.stringify(input)).toBe('BAD_REQUEST');
    expectTold(message);
  }
  return data?.[`create${kind}`]?.id;
}

/** Receives a message with numbers as only exact JSON has them. @returns the status */
async function receive(gateway: TestGateway, text: string, n: number): Promise<number> {
  const [integer, exact, quoted] = [pick(edgeIntegers, n), pick(exactNumbers, n), JSON.stringify(text)];
  const tags = `{${quoted}:${exact},"list":[${exactNumbers.join()},${quoted},null,true,{"a":{}}]}`;
  const file = `{"filename":${quoted},"size":${integer},"status":${quoted},"upload_Tags":${tags}}`;
  const raw = `{"action":${quoted},"id":${integer},"timestamp":${integer},"text":${file}}`;
  const headers = { 'Content-Type': 'application/json' };
  const { status, json } = await gateway.send('POST', '/v1/bulkscan/receive', { raw, headers });
  if (status >= 400) expectTold(json.message);
  return status;
}

/**
 * Creates records for each text that programs stumble over, with dates, times and numbers at the ends of what
 * they may be, and links them with one another. Both doors refuse what PostgreSQL cannot store.
 */
export async function createAwkward(gateway: TestGateway): Promise<void> {
  const made: [kind: string, id: string][] = [];
  for (const [n, text] of shortTexts.entries()) {
    const customFields = [{ name: text, value: text }];
    const expirationDate = pick(edgeDates, n);
    const values = { msrp: pick(edgeNumbers, n), year: 2 ** 31 - 1 - n };
    const contact = await create(gateway, 'Contact', {
      ...{ email: `awkward-${n}@example.com`, name: text, phone: text },
      customFields,
    });
    // Without a name, a contact is refused only for what cannot be stored.
    expect(contact !== undefined, JSON.stringify(text)).toBe(isStorable(text));
    const known = contact === undefined ? {} : { contacts: [{ id: contact }] };
    const others = [
      ['ExpirationItem', { name: text, details: text, expirationDate, tags: [{ name: text }], ...known }],
      ['Vehicle', { name: text, make: text, color: text, assignedToContactId: contact, ...values }],
      ['Note', { name: text, body: `<p>${text}</p>` }],
      ['Location', { name: text }],
    ] as const;
    for (const [kind, input] of others) {
      const id = await create(gateway, kind, kind === 'Note' ? input : { ...input, customFields });
      if (id) made.push([kind, id]);
    }
    expect(await receive(gateway, text, n), JSON.stringify(text)).toBe(isStorable(text) ? 204 : 400);
    const { status, json } = await gateway.send('POST', '/v1/vehicles', {
      body: { name: 'Van', make: text },
    });
    expect(status, JSON.stringify(text)).toBe(isStorable(text) ? 201 : 400);
    if (status >= 400) expectTold(json.message);
  }
  expect(made.length).toBeGreaterThan(2 * shortTexts.length);
  const vehicles = made.filter(([kind]) => kind === 'Vehicle');
  for (const [n, [, id]] of vehicles.slice(0, 3 * edgeMoments.length).entries()) {
    const data = { created: new Date(pick(edgeMoments, n)), modified: new Date(pick(edgeMoments, n + 1)) };
    await gateway.database.prisma.vehicle.update({ where: { id }, data });
  }
}
