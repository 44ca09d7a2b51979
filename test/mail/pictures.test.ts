import { expect, test } from 'vitest';
import { allIsWellMail } from '../../src/mail/all-is-well-mail.js';
import { complianceMail } from '../../src/mail/compliance-mail.js';
import { digestMail } from '../../src/mail/digest-mail.js';
import {
  barriers,
  browserTimeout,
  describeInBrowser,
  inPage,
  openBrowser,
} from '../browser/support/browser.js';
import { picture } from '../browser/support/console-browser.js';

/** A mail has no landmarks: its program shows it inside a page of its own. */
const rules = [
  'color-contrast',
  'heading-order',
  'html-has-lang',
  'link-in-text-block',
  'link-name',
  'empty-heading',
];

const url = 'https://expiry.example.com/r/x';
const links = { open: url, renew: { url, date: '2028-03-31' }, acknowledge: url, snooze: url };

const entry = (name: string, daysLeft: number, about: 'EXPIRATION' | 'NOTICE' = 'EXPIRATION') => ({
  ...{
    name,
    about,
    date: '2027-03-31',
    daysLeft,
    documentType: 'Trade licence',
    assignee: 'Anna Berg',
    links,
  },
});

const digest = {
  ...{ workspace: 'North branch', digest: url, unsubscribe: url, all: url, total: 507, expired: 1 },
  entries: [
    entry('Certificate of the lift in the west wing', -3),
    entry('Lease of the warehouse', 12, 'NOTICE'),
    entry('Vehicle inspection B-XY 123', 2),
    entry('Trade licence of the north branch, with a name that is rather long', 28),
  ],
};

const news = {
  ...{ organization: 'Muster Ltd', watched: 412, expired: 0, last: '2027-02-01', link: url },
  ...{ next: { name: 'Trade licence', date: '2027-05-31' }, digest: url, unsubscribe: url },
};

const holder = (name: string, values: object = {}) => ({
  ...{ name, gaps: [], until: undefined, lapsing: [], link: url },
  ...values,
});

const gap = (name: string, state: 'EXPIRED' | 'MISSING', since?: string) => ({ name, state, since });

const compliance = {
  ...{ organization: 'Muster Ltd', workspace: 'North branch', digest: url, unsubscribe: url, all: url },
  lacking: {
    ...{ total: 5_000, kind: 'vehicle' as const },
    holders: [
      holder('Truck 101', {
        gaps: [gap('Insurance', 'EXPIRED', '2027-03-02'), gap('Roadworthiness', 'MISSING')],
      }),
      holder('A trailer of the north branch with a name that is rather long', {
        gaps: [gap('Insurance', 'MISSING', '2027-02-01')],
      }),
    ],
  },
  soon: {
    ...{ total: 1, kind: 'contact' as const },
    holders: [holder('Anna Berg', { until: '2027-04-02', lapsing: ['Driving licence'] })],
  },
};

describeInBrowser('mails of a day or a week', { timeout: browserTimeout }, () => {
  test.each(['en', 'de', 'fr', 'es', 'it', 'nl'] as const)('can be read in %s', async (language) => {
    const browser = await openBrowser();
    try {
      for (const [name, mail] of [
        ['digest', digestMail({ ...digest, language })],
        ['well', allIsWellMail({ ...news, language })],
        ['compliance', complianceMail({ ...compliance, language })],
      ] as const) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await inPage(browser, { scheme: colorScheme, width: 390 }, async (page) => {
            await page.setContent(mail.html);
            expect(await barriers(page, { rules })).toEqual([]);
            const [width, height] = await page.evaluate(() => {
              const { scrollWidth, scrollHeight } = document.documentElement;
              return [scrollWidth, scrollHeight] as const;
            });
            expect(width).toBe(390);
            await page.setViewportSize({ width, height });
            await picture(page, `mail-${name}-${language}-${colorScheme}`);
          });
        }
      }
    } finally {
      await browser.close();
    }
  });
});
