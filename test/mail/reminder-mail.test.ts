import { describe, expect, test } from 'vitest';
import { languages } from '../../src/domain/rules.js';
import { pickLanguage } from '../../src/mail/mail.js';
import {
  type MailedReminder,
  type ReminderEntry,
  reminderMail,
  reminderTexts,
} from '../../src/mail/reminder-mail.js';
import { linkTexts } from '../../src/mail/signed-links.js';

const entry: ReminderEntry = {
  name: 'Trade licence',
  about: 'EXPIRATION' as const,
  date: '2027-03-31',
  daysLeft: 7,
  documentType: 'Licences',
  assignee: 'Anna Example',
  details: 'Renew at the town hall, room 12.',
  links: {
    open: 'https://expiry.example.com/items/1',
    renew: { url: 'https://expiry.example.com/r/g.h', date: '2028-03-31' },
    acknowledge: 'https://expiry.example.com/r/a.b',
    snooze: 'https://expiry.example.com/r/c.d',
  },
};
const reminder: MailedReminder = {
  language: 'en',
  workspace: 'Head office',
  entries: [entry],
  digest: 'https://expiry.example.com/r/g.h',
  unsubscribe: 'https://expiry.example.com/r/e.f',
};

const write = (changes: Partial<MailedReminder> = {}, item: Partial<ReminderEntry> = {}) =>
  reminderMail({ ...reminder, entries: [{ ...entry, ...item }], ...changes });

describe('the subject says when', () => {
  test.each([
    ['en', 7, 'Trade licence expires in 7 days (2027-03-31)'],
    ['en', 1, 'Trade licence expires tomorrow (2027-03-31)'],
    ['en', 0, 'Trade licence expires today (2027-03-31)'],
    ['en', -1, 'Trade licence expired yesterday (2027-03-31)'],
    ['de', 7, 'Trade licence läuft in 7 Tagen ab (2027-03-31)'],
    ['de', -3, 'Trade licence ist vor 3 Tagen abgelaufen (2027-03-31)'],
    ['es', 7, 'Trade licence caduca dentro de 7 días (2027-03-31)'],
    ['fr', -3, 'Trade licence a expiré il y a 3 jours (2027-03-31)'],
    ['it', 30, 'Trade licence scade tra 30 giorni (2027-03-31)'],
    ['nl', -3, 'Trade licence is 3 dagen geleden verlopen (2027-03-31)'],
  ] as const)('%s, %i days', (language, daysLeft, subject) => {
    expect(write({ language }, { daysLeft }).subject).toBe(subject);
  });
});

test('the text reads well in a terminal', () => {
  expect(write().text).toBe(`Trade licence expires in 7 days

  Expires        31 March 2027 (2027-03-31)
  Document type  Licences
  Workspace      Head office
  Assigned to    Anna Example
  Details        Renew at the town hall, room 12.

Open:
https://expiry.example.com/items/1

It was renewed until 31 March 2028:
https://expiry.example.com/r/g.h

I’ll take care of it:
https://expiry.example.com/r/a.b

Remind me later:
https://expiry.example.com/r/c.d

You are receiving this mail because reminders of “Head office” are sent
to your address.

One mail a day or a week:
https://expiry.example.com/r/g.h

Stop these mails:
https://expiry.example.com/r/e.f
`);
});

test('without links there are none, and nothing else is missing', () => {
  const { text, html } = write({ digest: undefined, unsubscribe: undefined }, { links: {} });
  expect(text + html).not.toMatch(/https?:|<a /);
  expect(text).toContain('31 March 2027');
});

test.each(languages)('every text is filled in %s', (language) => {
  const { subject, text, html } = write({ language });
  expect(subject + text + html).not.toMatch(/\{\{|undefined|null/);
  expect(html).toContain(`<html lang="${language}">`);
});

describe.each([
  ['en', /later|again/i, /stop|no more/i],
  ['de', /später|wieder/i, /abbestellen|nicht mehr/i],
  ['es', /más tarde|de nuevo/i, /no recibir|ya no/i],
  ['fr', /plus tard|nouveau rappel/i, /ne plus|ne recevrez plus/i],
  ['it', /più tardi|nuovo promemoria/i, /non rice/i],
  ['nl', /later|weer/i, /stoppen|geen herinneringen meer|niet meer/i],
] as const)('in %s, "later" is another word than "stop"', (language, later, stop) => {
  const { snooze, unsubscribe } = linkTexts[language];
  const { links } = reminderTexts[language];
  test.each([
    ['in mails', [links.snooze], [links.unsubscribe]],
    [
      'on the pages of their links',
      [snooze.done, snooze.text],
      [unsubscribe.button, unsubscribe.only, unsubscribe.done],
    ],
  ])('%s', (_where, ofLater, ofStop) => {
    for (const text of ofLater) expect(text).toMatch(later);
    for (const text of ofStop) expect(text).toMatch(stop);
    for (const text of ofStop) expect(text).not.toMatch(later);
    // The question on the page says that reminders stop until then, so only the shorter text is another word.
    expect(ofLater[0]).not.toMatch(stop);
  });
});

describe('what people wrote is text and nothing more:', () => {
  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '{{when}} {{name}}',
    'line\r\nbreak\u2028and\u0085more',
    'שלום עולם',
    '🛂'.repeat(200),
    'x'.repeat(255),
    '& &amp; \u0000',
  ])('%j', (name) => {
    const { subject, html, text } = write({ workspace: name }, { name, details: name, documentType: name });
    expect(subject).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(html).not.toMatch(/<script|<img/);
    expect(html).toMatch(/<bdi>/);
    expect(text).toContain('31 March 2027');
  });

  test('a name from right to left does not turn the words around it', () => {
    expect(write({}, { name: 'שלום' }).subject).toBe('\u2068שלום\u2069 expires in 7 days (2027-03-31)');
  });

  test('a name that says to turn the direction of writing does not', () => {
    const name = '\u202egro.elpmaxe\u2069\u2066';
    expect(write({}, { name }).subject).toBe('gro.elpmaxe expires in 7 days (2027-03-31)');
    const { text, html } = write({ workspace: name }, { details: name, documentType: name, assignee: name });
    expect(text + html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test('a name that nobody can see is replaced by words', () => {
    const title = (language: (typeof languages)[number]) =>
      write({ language }, { name: '\u202e\u3164' }).subject;
    expect(languages.map((language) => title(language).replace(/\).*/, ')'))).toEqual([
      ...['(ohne Namen)', '(no name)', '(sin nombre)', '(sans nom)', '(senza nome)', '(zonder naam)'],
    ]);
    expect(write({ workspace: '\u200b' }, { documentType: '\u200b' }).text).not.toMatch(
      /Document type|\u200b/,
    );
  });

  test('a name with braces keeps them', () => {
    expect(write({}, { name: '{{when}}' }).subject).toBe('{{when}} expires in 7 days (2027-03-31)');
  });

  test('long details are cut', () => {
    expect(write({}, { details: 'é'.repeat(65_536) }).text.length).toBeLessThan(2_000);
  });
});

test('nothing is loaded, and nothing runs', () => {
  const { html } = write();
  expect(html).not.toMatch(/\ssrc=|url\(|<link|<style|@import|<form|\son\w+=/i);
});

test.each([
  [['de-CH', 'fr'], 'de'],
  [[null, undefined, 'FR'], 'fr'],
  [['pl', 'it'], 'it'],
  [['pl'], 'en'],
  [[], 'en'],
])('for %j, the language is %s', (wishes, language) => {
  expect(pickLanguage(...wishes)).toBe(language);
});
