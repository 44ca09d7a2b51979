import { describe, expect, it } from 'vitest';
import { formatDate } from '../../src/domain/dates.js';
import { trustedDate } from '../../src/domain/documents/finding.js';
import { GatewayError, messageOf } from '../../src/domain/errors.js';
import { suggestionOf, withNamedDate } from '../../src/domain/uploads/suggestions.js';
import {
  chooseDestination,
  tellsDate,
  trustsScan,
  type Upload,
  type UploadDecision,
} from '../../src/domain/uploads/upload.js';

const itemId = '0190a8c4-8a4e-7bb1-9d3c-2f2b6c1f0a01';
const otherId = '0190a8c4-8a4e-7bb1-9d3c-2f2b6c1f0a02';
const teamId = '0190a8c4-8a4e-7bb1-9d3c-2f2b6c1f0a03';
const day = new Date('2031-07-15T00:00:00.000Z');
const scanned = new Date('2033-01-31T00:00:00.000Z');
const today = new Date('2026-11-27T00:00:00.000Z');

/** Returns what a document says about its end, without doubt. */
const saying = (...dates: string[]) =>
  dates.map((value) =>
    suggestionOf({
      ...{
        field: 'expiration_date',
        value,
        confidence: 95,
        source: 'TEXT',
        page: 1,
        box: null,
        words: value,
      },
    }),
  );

/** Returns an upload whose file's name tells nothing. */
function upload(uploadTags: unknown = null, changes: Partial<Upload> = {}): Upload {
  return { filename: 'Licence', key: null, uploadTags, ...changes };
}

const nothing = {
  name: 'Licence',
  expirationDate: null,
  category: null,
  contactEmail: null,
  teamId: null,
  holders: { tags: [] },
};

const destination = (tags: unknown, decision?: UploadDecision, suggested: Date | null = null) =>
  chooseDestination(upload(tags), suggested ? saying(formatDate(suggested)) : [], today, decision);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'BAD_REQUEST')
      return messageOf(error, (name) => name);
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('the tags', () => {
  it.each<[tags: unknown, draft: object]>([
    [null, {}],
    [{}, {}],
    [{ unknown: 5, nested: { name: 'x' } }, {}],
    [{ name: 'Trade licence' }, { name: 'Trade licence' }],
    [{ name: '  Trade licence\n' }, { name: 'Trade licence' }],
    [{ name: 42 }, { name: '42' }],
    [{ name: 1.5 }, { name: '1.5' }],
    [{ name: 0 }, { name: '0' }],
    [{ name: false }, { name: 'false' }],
    [{ name: 'x'.repeat(255) }, { name: 'x'.repeat(255) }],
    [{ expiration_date: '2031-07-15' }, { expirationDate: day }],
    [{ expiration_date: ' 2031-07-15 ' }, { expirationDate: day }],
    [{ expiration_date: '2031-07-15T23:30:00-05:00' }, { expirationDate: day }],
    [{ category: 'Permit' }, { category: 'Permit' }],
    [{ category: 7 }, { category: '7' }],
    [{ contact_email: 'bo@example.com' }, { contactEmail: 'bo@example.com' }],
    [{ contact_email: ' Bo@Example.com ' }, { contactEmail: 'Bo@Example.com' }],
    [{ team_id: teamId }, { teamId }],
    [{ team_id: teamId.toUpperCase() }, { teamId }],
    [
      { name: 'A', expiration_date: '2031-07-15', category: 'B', contact_email: 'c@d', team_id: teamId },
      { name: 'A', expirationDate: day, category: 'B', contactEmail: 'c@d', teamId },
    ],
  ])('%j make an item', (tags, draft) => {
    expect(destination(tags)).toEqual({ draft: { ...nothing, ...draft } });
  });

  it.each([
    'name',
    'expiration_date',
    'category',
    'contact_email',
    'team_id',
    'expiration_item_id',
    'trust_scan',
  ])('%s is null when it is empty, blank or null', (tag) => {
    for (const value of ['', ' \t\n', '\u202e\u200b', null]) {
      expect(destination({ [tag]: value }), JSON.stringify(value)).toEqual({ draft: nothing });
    }
  });

  it('are found in any letter case', () => {
    const tags = {
      NAME: 'A',
      Expiration_Date: '2031-07-15',
      CATEGORY: 'B',
      CONTACT_email: 'c@d',
      Team_ID: teamId,
    };
    expect(destination(tags)).toEqual({
      draft: { ...nothing, name: 'A', expirationDate: day, category: 'B', contactEmail: 'c@d', teamId },
    });
    expect(destination({ EXPIRATION_ITEM_ID: itemId })).toMatchObject({ itemId });
    expect(destination({ Trust_Scan: 'YES' }, {}, scanned)).toMatchObject({
      draft: { expirationDate: scanned },
    });
  });

  it.each([
    [itemId, itemId],
    [itemId.toUpperCase(), itemId],
    [` ${itemId} `, itemId],
  ])('expiration_item_id %j names the item, and no other tag matters', (value, named) => {
    const at = ['upload_Tags', 'expiration_item_id'];
    expect(destination({ expiration_item_id: value })).toEqual({ itemId: named, at });
    const others = {
      name: 'x'.repeat(256),
      expiration_date: 'soon',
      contact_email: 'x',
      team_id: 'x',
      trust_scan: 5,
    };
    expect(destination({ expiration_item_id: value, ...others })).toEqual({ itemId: named, at });
  });

  it.each<[tag: string, value: unknown, expected: RegExp]>([
    ['name', 'x'.repeat(256), /255/],
    ['name', 'a\0b', /NUL/],
    ['name', ['x'], /must be/],
    ['name', { first: 'x' }, /must be/],
    ['expiration_date', 'soon', /YYYY-MM-DD/],
    ['expiration_date', '2031-02-29', /YYYY-MM-DD/],
    ['expiration_date', '15.07.2031', /YYYY-MM-DD/],
    ['expiration_date', 20_310_715, /YYYY-MM-DD/],
    ['expiration_date', true, /YYYY-MM-DD/],
    ['expiration_date', ['2031-07-15'], /must be/],
    ['expiration_date', {}, /must be/],
    ['category', 'x'.repeat(256), /255/],
    ['category', [], /must be/],
    ['contact_email', 'bo', /e-mail/],
    ['contact_email', 5, /e-mail/],
    ['contact_email', `${'x'.repeat(250)}@y.com`, /255/],
    ['contact_email', ['bo@example.com'], /must be/],
    ['team_id', 'Main', /UUID/],
    ['team_id', 5, /UUID/],
    ['team_id', {}, /must be/],
    ['expiration_item_id', 'x', /UUID/],
    ['expiration_item_id', 5, /UUID/],
    ['expiration_item_id', `${itemId}0`, /UUID/],
    ['expiration_item_id', [itemId], /must be/],
    ['trust_scan', 'perhaps', /true or false/],
    ['trust_scan', 5, /true or false/],
    ['trust_scan', [true], /must be/],
  ])('%s %j is refused by its name', (tag, value, expected) => {
    const message = refusal(() => destination({ [tag]: value }, {}, scanned));
    expect(message).toMatch(new RegExp(`^upload_Tags\\.${tag}: `));
    expect(message).toMatch(expected);
  });
});

describe('the name', () => {
  it.each<[filename: string | null, key: string | null, name: string]>([
    ['Licence', 'Other', 'Licence'],
    [null, 'Permit', 'Permit'],
    [null, null, 'Upload'],
    ['', '', 'Upload'],
    ['\u202e', null, 'Upload'],
    ['\u202e.pdf', null, '\u202e.pdf'],
  ])('of a file called %j with the key %j is %j', (filename, key, name) => {
    expect(chooseDestination(upload({}, { filename, key }), [], today)).toMatchObject({ draft: { name } });
  });
});

describe('a date that the document tells of', () => {
  it.each<[tags: object, trusted: boolean]>([
    [{}, false],
    [{ trust_scan: 'true' }, true],
    [{ trust_scan: true }, true],
    [{ trust_scan: 1 }, true],
    [{ trust_scan: 'false' }, false],
    [{ trust_scan: false }, false],
    [{ trust_scan: 0 }, false],
    [{ trust_scan: '' }, false],
  ])('is the item’s with %j: %s', (tags, trusted) => {
    expect(trustsScan(upload(tags))).toBe(trusted);
    expect(destination(tags, {}, scanned)).toEqual({
      draft: { ...nothing, expirationDate: trusted ? scanned : null },
    });
  });

  it('never takes the place of one that the sender or a person gave', () => {
    const tags = { trust_scan: true, expiration_date: '2031-07-15' };
    expect(destination(tags, {}, scanned)).toMatchObject({ draft: { expirationDate: day } });
    expect(destination({ trust_scan: true }, { expirationDate: null }, scanned)).toMatchObject({
      draft: { expirationDate: null },
    });
  });

  it.each<[tags: unknown, tells: boolean]>([
    [null, false],
    [{ expiration_date: ' ' }, false],
    [{ expiration_date: '2031-07-15' }, true],
    [{ EXPIRATION_DATE: 'soon' }, true],
  ])('is not needed with %j: %s', (tags, tells) => {
    expect(tellsDate(upload(tags))).toBe(tells);
  });

  it('is null if there is none', () => {
    expect(destination({ trust_scan: true })).toEqual({ draft: nothing });
  });
});

describe('a date in the file’s name', () => {
  const named = (filename: string, said: string[] = [], tags: object = {}) => {
    const found = chooseDestination(upload(tags, { filename }), saying(...said), today);
    const date = 'draft' in found ? found.draft.expirationDate : undefined;
    return date && formatDate(date);
  };

  it('is the item’s if it has a label, unless the document says another', () => {
    const name = 'licence exp 2031-07-15.pdf';
    expect(named(name)).toBe('2031-07-15');
    expect(named(name, ['2031-07-15'])).toBe('2031-07-15');
    expect(named(name, ['2031-07-15', '2032-01-01'])).toBe('2031-07-15');
    expect(named(name, ['2033-01-31'])).toBeNull();
    expect(named(name, ['2033-01-31'], { trust_scan: true })).toBe('2033-01-31');
    expect(named(name, ['2033-01-31'], { expiration_date: '2030-01-01' })).toBe('2030-01-01');
  });

  it('without a label is never the item’s, not even with trust_scan', () => {
    for (const name of ['licence 2031-07-15.pdf', 'Scan 2026-11-27.pdf', '2026-11-27 03.12.pdf']) {
      expect(named(name)).toBeNull();
      expect(named(name, [], { trust_scan: true })).toBeNull();
      expect(named(name, ['2033-01-31'])).toBeNull();
      expect(named(name, ['2033-01-31'], { trust_scan: true })).toBe('2033-01-31');
    }
  });

  it('is suggested without a label, if it is clearly in the future and no device’s', () => {
    const suggested = (filename: string) => withNamedDate([], filename, today).map(({ value }) => value);
    expect(suggested('licence 2031-07-15.pdf')).toEqual(['2031-07-15']);
    expect(suggested('Scan 2031-07-15.pdf')).toEqual([]);
    expect(trustedDate(withNamedDate([], 'licence exp 2031-07-15.pdf', today))).toBeNull();
    expect(withNamedDate(saying('2031-07-15'), 'licence 2031-07-15.pdf', today)).toEqual(
      saying('2031-07-15'),
    );
  });
});

describe('a decision', () => {
  const tags = {
    name: 'A',
    expiration_date: '2031-07-15',
    category: 'B',
    contact_email: 'c@d',
    team_id: teamId,
  };
  const sent = { ...nothing, name: 'A', expirationDate: day, category: 'B', contactEmail: 'c@d', teamId };

  it.each<[decision: UploadDecision, draft: object]>([
    [{}, {}],
    [{ name: 'X' }, { name: 'X' }],
    [{ name: null }, {}],
    [{ expirationDate: scanned }, { expirationDate: scanned }],
    [{ expirationDate: null }, { expirationDate: null }],
    [{ category: 'Y' }, { category: 'Y' }],
    [{ category: null }, { category: null }],
    [{ contactEmail: 'y@z' }, { contactEmail: 'y@z' }],
    [{ holders: [] }, { holders: [] }],
    [{ holders: [{ kind: 'vehicle', id: teamId }] }, { holders: [{ kind: 'vehicle', id: teamId }] }],
    [{ contactEmail: null }, { contactEmail: null }],
    [{ teamId: otherId }, { teamId: otherId }],
    [{ teamId: null }, { teamId: null }],
    [{ itemId: null, name: 'X' }, { name: 'X' }],
  ])('%j goes before the tags, and what it leaves out is theirs', (decision, draft) => {
    expect(destination(tags, decision)).toEqual({ draft: { ...sent, ...draft } });
  });

  it('that names an item goes before all', () => {
    const decision = { itemId: otherId, name: 'X', teamId };
    const found = { itemId: otherId, at: ['expirationItemId'] };
    expect(destination(tags, decision)).toEqual(found);
    expect(destination({ expiration_item_id: itemId }, { itemId: otherId })).toEqual(found);
    expect(destination({ expiration_item_id: 'x' }, { itemId: otherId })).toEqual(found);
  });

  it('with values makes a new item, whatever item the sender named', () => {
    for (const named of [itemId, 'x']) {
      const both = { ...tags, expiration_item_id: named };
      expect(destination(both, { name: 'X' })).toEqual({ draft: { ...sent, name: 'X' } });
    }
  });

  it('without values leaves it to the sender', () => {
    expect(destination({ expiration_item_id: itemId }, {})).toMatchObject({ itemId });
    expect(destination({ expiration_item_id: itemId }, { itemId: null })).toMatchObject({ itemId });
    expect(refusal(() => destination({ expiration_item_id: 'x' }, {}))).toMatch(/UUID/);
  });

  it('replaces a tag and its faults, but only that tag', () => {
    const wrong = { expiration_date: 'soon', contact_email: 'x' };
    expect(refusal(() => destination(wrong, { contactEmail: null }))).toMatch(
      /^upload_Tags\.expiration_date: /,
    );
    expect(refusal(() => destination(wrong, { expirationDate: null }))).toMatch(
      /^upload_Tags\.contact_email: /,
    );
    expect(destination(wrong, { expirationDate: null, contactEmail: null })).toEqual({ draft: nothing });
  });
});

it('numbers among the tags are read as they were sent', () => {
  const sent = upload({ name: 1.1 }, { uploadTagsText: '{"name":1.10,"category":12345678901234567890.123}' });
  expect(chooseDestination(sent, [], today)).toMatchObject({
    draft: { name: '1.10', category: '12345678901234567890.123' },
  });
  const wrong = upload({}, { uploadTagsText: '{"expiration_item_id":1e3}' });
  expect(() => chooseDestination(wrong, [], today)).toThrow(/UUID/);
  const nil = '00000000-0000-0000-0000-000000000000';
  expect(chooseDestination(upload({ expiration_item_id: nil, team_id: nil }), [], today)).toMatchObject({
    draft: { teamId: null },
  });
});
