import { describe, expect, test } from 'vitest';
import { digestMail, type MailedDigest } from '../../src/mail/digest-mail.js';
import type { ReminderEntry } from '../../src/mail/reminder-mail.js';

const entry: ReminderEntry = {
  name: 'Trade licence',
  about: 'EXPIRATION',
  date: '2027-03-22',
  daysLeft: -2,
  documentType: 'Licences',
  assignee: 'Anna Example',
  details: 'Renew at the town hall, room 12.',
  links: {
    open: 'https://expiry.example.com/items/1',
    acknowledge: 'https://expiry.example.com/r/a.b',
    snooze: 'https://expiry.example.com/r/c.d',
  },
};
const soon = { ...entry, name: 'Visa', daysLeft: 7, date: '2027-03-31', details: null };
const later = { ...entry, name: 'Passport', daysLeft: 8, date: '2027-04-01', links: {} };
const digest: MailedDigest = {
  language: 'en',
  workspace: 'Head office',
  entries: [entry, soon, later],
  total: 3,
  expired: 1,
  digest: 'https://expiry.example.com/r/g.h',
  unsubscribe: 'https://expiry.example.com/r/e.f',
};
const write = (changes: Partial<MailedDigest> = {}) => digestMail({ ...digest, ...changes });

test('the text reads well in a terminal', () => {
  expect(write({ entries: [entry, later], total: 502 }).text).toBe(`502 documents need attention

Workspace: Head office

Expired (1)
===========

Renew, or archive what is no longer needed.

Trade licence expired 2 days ago

  Expires        22 March 2027 (2027-03-22)
  Document type  Licences
  Assigned to    Anna Example
  Details        Renew at the town hall, room 12.

Open:
https://expiry.example.com/items/1

I’ll take care of it:
https://expiry.example.com/r/a.b

Remind me later:
https://expiry.example.com/r/c.d

Later (1)
=========

Plan the renewal.

Passport expires in 8 days

  Expires        1 April 2027 (2027-04-01)
  Document type  Licences
  Assigned to    Anna Example
  Details        Renew at the town hall, room 12.

And 500 more.

You are receiving this mail because reminders of “Head office” are sent
to your address.

One mail a day or a week:
https://expiry.example.com/r/g.h

Stop these mails:
https://expiry.example.com/r/e.f
`);
});

test('the subject says how many, and how many have expired', () => {
  const subject = (total: number, expired: number) => write({ total, expired }).subject;
  expect([subject(1_501, 0), subject(12, 1), subject(1_501, 1_200)]).toEqual([
    '1,501 documents need attention',
    '12 documents need attention, 1 has expired',
    '1,501 documents need attention, 1,200 have expired',
  ]);
});

test('sections are the most urgent first, and empty ones are left out', () => {
  const { html } = write();
  const places = ['Expired (1)', 'Trade licence', 'Within 7 days (1)', 'Visa', 'Later (1)', 'Passport'];
  expect([...places].sort((a, b) => html.indexOf(a) - html.indexOf(b))).toEqual(places);
  expect(write({ entries: [soon] }).html).not.toMatch(/Expired \(|Later \(/);
});

describe.each(['de', 'en', 'es', 'fr', 'it', 'nl'] as const)('in %s', (language) => {
  test('every text is filled', () => {
    const { subject, text, html } = write({ language, total: 9 });
    expect(subject + text + html).not.toMatch(/\{\{|undefined|null/);
    expect(html).toContain(`<html lang="${language}">`);
  });

  test('what people wrote is text and nothing more', () => {
    const name = '</div><script>alert(1)</script>\r\n"onclick=x';
    const hostile = { ...entry, name, details: name, documentType: name, assignee: name };
    const { subject, html } = write({ language, workspace: name, entries: [hostile, soon] });
    expect(html).not.toMatch(/<script|\ssrc=|url\(|<link|<style|<form|<[^>]*\sonclick/i);
    expect(subject).not.toMatch(/\p{Cc}/u);
  });
});

test('without links there are none', () => {
  const entries = [entry, soon].map((one) => ({ ...one, links: {} }));
  const { text, html } = write({ entries, digest: undefined, unsubscribe: undefined });
  expect(text + html).not.toMatch(/https?:|<a /);
});

test('last days to give notice are a section of their own, also once they have passed', () => {
  const notice: ReminderEntry = {
    ...{ ...later, name: 'Lease', about: 'NOTICE', daysLeft: -1, date: '2027-03-23' },
    expirationDate: '2027-12-31',
  };
  const { text, subject } = write({ entries: [notice, later], total: 2, expired: 0 });
  expect(subject).toBe('2 documents need attention');
  expect(text).toContain(`Notice periods (1)
==================

Give notice in time, or let it continue.

Lease: the last day to give notice was yesterday
`);
});
