import { readFile } from 'node:fs/promises';
import type { NewRow } from '../../db/sql/conditions.js';
import type { NoticeRule } from '../../domain/notice.js';
import type { RecipientKind } from '../../domain/reminders/policy.js';
import { type DemoKind, demoId } from '../../domain/text/demo.js';
import type { HolderKind } from '../../items/holders.js';
import type { Language } from '../../mail/mail.js';
import type { Named } from '../accounts.js';

/** A document of one page, as the demo's data describes it. */
interface PageText {
  /** The issuing company. */
  readonly issuer: string;
  readonly address: string;
  readonly title: string;
  /** Labels with their values, one line each. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  /** Lines of text below. */
  readonly text: readonly string[];
  /** The last line of the page. */
  readonly footer: string;
}

/** Width and height of a letter page, and its margin, in points. */
const [width, height, margin] = [612, 792, 64];

type Font = 'F1' | 'F2';

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&');

const writing = (text: string, y: number, size: number, font: Font = 'F1', x = margin) =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`;

const line = (y: number) => `${margin} ${y} m ${width - margin} ${y} l S`;

/** Draws the page: a band with the issuer, a title, a table, and text. */
function drawPage({ issuer, address, title, rows, text, footer }: PageText): string {
  const top = 600;
  const step = 30;
  const below = top - rows.length * step - 20;
  return [
    `0.12 0.30 0.42 rg 0 ${height - 96} ${width} 96 re f 1 g`,
    writing(issuer, height - 56, 20, 'F2'),
    writing(address, height - 78, 10),
    '0.1 g 0.75 G 0.5 w',
    writing(title, height - 146, 24, 'F2'),
    ...rows.flatMap(([label, value], at) => [
      writing(label, top - at * step, 11),
      writing(value, top - at * step, 12, 'F2', margin + 150),
      line(top - at * step - 10),
    ]),
    ...text.map((words, at) => writing(words, below - at * 18, 11)),
    '0.45 g',
    writing(footer, 48, 9),
  ].join('\n');
}

/** Writes a document of one page as a PDF. It uses the standard fonts of every reader. */
export function writePdf(page: PageText): Buffer<ArrayBuffer> {
  const content = drawPage(page);
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>`,
    `<</Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<</Title(${escaped(page.title)})>>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<</Size ${size}/Root 1 0 R/Info 7 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

interface Item {
  readonly name: string;
  readonly category: string;
  /** Days from today to the expiration date; null for an item without one. */
  readonly days: number | null;
  readonly timeOfDay?: string;
  readonly details?: string;
  readonly isActive?: boolean;
  readonly isMissing?: boolean;
  /** Custom fields by the names that the document type gives them. */
  /** Rule of its last day to give notice. */
  readonly notice?: NoticeRule;
  /** Number of renewals that are left. */
  readonly renewalsLeft?: number;
  readonly fields: Readonly<Record<string, string>>;
  /** The first is the main contact. */
  readonly contacts: readonly string[];
  /** Names of the records that it is a paper of, by kind. */
  readonly holders?: Readonly<Partial<Record<HolderKind, readonly string[]>>>;
  readonly locations: readonly string[];
  readonly tags: readonly string[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A file of an item. It is plain text, a PDF, or a picture into which dates are written. */
export interface DemoFile {
  readonly item: string;
  readonly name: string;
  /** Days between the dates on which it was issued and expires. */
  readonly validDays?: number;
  readonly text?: string;
  readonly pdf?: Omit<PageText, 'footer'>;
  readonly picture?: { readonly source: string; readonly issued: Point; readonly expires: Point };
}

type Vehicle = Omit<NewRow<'Vehicle'>, 'id' | 'organizationId' | 'teamId' | 'customFields'> & {
  readonly name: string;
  readonly location: string;
  readonly contact: string | null;
};

interface Workspace {
  readonly name: string;
  readonly timezone: string;
  readonly reminderDays: number;
}

/** Contents of `prisma/demo.json`, in a language. Records refer to each other by name. */
export interface DemoData {
  readonly language: Language;
  readonly workspace: Workspace;
  /** An empty workspace. */
  readonly branch: Workspace;
  readonly contactTypes: readonly string[];
  readonly policies: readonly {
    readonly name: string;
    readonly timeOfDay: string;
    readonly steps: readonly {
      readonly offsetDays: number;
      readonly repeatEveryDays?: number;
      readonly onlyUnacknowledged?: boolean;
      readonly recipients?: readonly RecipientKind[];
    }[];
  }[];
  readonly categories: readonly {
    readonly name: string;
    readonly fields: readonly string[];
    /** The reminder policy, if it is not the workspace's. */
    readonly policy?: string;
  }[];
  readonly tags: readonly string[];
  readonly locations: readonly { readonly name: string; readonly within?: string }[];
  readonly contacts: readonly {
    readonly name: string;
    readonly email: string;
    readonly phone: string;
    readonly type: string;
    readonly location: string;
  }[];
  readonly companies: readonly ({ readonly name: string; readonly contact: string } & Partial<
    Record<
      'doingBusinessAs' | 'phone' | 'website' | 'addressLine1' | 'city' | 'province' | 'postalCode',
      string
    >
  >)[];
  readonly vehicles: readonly Vehicle[];
  readonly items: readonly Item[];
  readonly requirements: readonly {
    readonly name: string;
    readonly kind: HolderKind;
    /** The type of the people that must meet it. */
    readonly contactType?: string;
    readonly anyOf: readonly string[];
  }[];
  readonly notes: readonly {
    readonly name: string;
    readonly text: string;
    readonly daysAgo: number;
    readonly about: { readonly items?: readonly string[]; readonly vehicles?: readonly string[] };
  }[];
  readonly files: readonly DemoFile[];
  /** The last line of the pages among them. */
  readonly footer: string;
  readonly renewals: readonly {
    readonly item: string;
    readonly previousDays: number;
    readonly daysAgo: number;
    readonly details: string | null;
  }[];
  /** Uploads that wait for a person's decision. */
  readonly uploads: readonly {
    readonly filename: string;
    readonly expiresInDays: number;
    readonly words: string;
    readonly daysAgo: number;
  }[];
  /** Mails to contacts that were not sent. */
  readonly deliveries: readonly {
    readonly item: string;
    readonly to: string;
    readonly daysAgo: number;
  }[];
  readonly acknowledgements: readonly {
    readonly item: string;
    readonly note: string;
    readonly daysAgo: number;
  }[];
  /** Requests for documents, none of which was sent: of an item, a person or both. */
  readonly requests: readonly {
    readonly item?: string;
    readonly contact?: string;
    /** The person who is asked, if it is not the one whose document it is. */
    readonly to?: string;
    readonly category?: string;
    readonly message?: string;
    /** Words of the person, if they were received. */
    readonly answer?: string;
    readonly dueInDays?: number;
  }[];
}

const readJson = async (name: string) =>
  JSON.parse(await readFile(new URL(`../../../prisma/${name}`, import.meta.url), 'utf8'));

/** The texts of the demo in a language, by those of `prisma/demo.json`. Others are the same in it. */
type DemoTexts = Readonly<Record<string, string>>;

/** Translates the texts of a value, and the names of custom fields, which are members. */
function translated(value: unknown, texts: DemoTexts, isNamed = false): unknown {
  if (typeof value === 'string') return texts[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => translated(one, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      isNamed ? (texts[name] ?? name) : name,
      translated(inner, texts, name === 'fields'),
    ]),
  );
}

/** Reads the demo's data in a language, with the ids of its records. */
export async function readDemo(
  language: Language,
  namespace: string | undefined,
): Promise<{ readonly data: DemoData; readonly ids: DemoIds }> {
  const english = { ...(await readJson('demo.json')), language } as DemoData;
  const texts: DemoTexts = language === 'en' ? {} : await readJson(`demo.${language}.json`);
  return { data: translated(english, texts) as DemoData, ids: demoIds(english, texts, namespace) };
}

/** Workspace, time and user of the demo's records. */
export interface DemoContext {
  readonly organizationId: string;
  readonly teamId: string;
  readonly user: Named;
  /** The demo's dates count from this day, in UTC. */
  readonly now: Date;
}

const day = 86_400_000;
/** Days since the demo's records were created; everything that happened to them is later. */
export const age = 365;

/** Adds days to a time; negative numbers go back. */
export function daysFrom(now: Date, days: number): Date {
  return new Date(now.getTime() + days * day);
}

/** Adds days to a time, and returns that day, like `date` columns are written. */
export function dateFrom(now: Date, days: number): Date {
  return new Date(daysFrom(now, days).toISOString().slice(0, 10));
}

/**
 * Creates the ids of the demo's records, to be looked up by kind and name. Looking up an unknown name throws. They follow
 * from the English names, so that they are the same in each language.
 * @param texts the names by which records are looked up, where they are not the English ones
 * @param namespace the organization, unless it is the first one
 */
function demoIds(data: DemoData, texts: DemoTexts, namespace: string | undefined) {
  const idsFor = (
    kind: DemoKind,
    names: readonly string[],
    named = (name: string) => texts[name] ?? name,
  ) => {
    const known = new Map(names.map((name) => [named(name), demoId(kind, name, namespace)]));
    return (name: string) => {
      const id = known.get(name);
      if (id === undefined)
        throw new Error(`The demo data names ${JSON.stringify(name)} but does not have it.`);
      return id;
    };
  };
  /** Parts of a name that are translated by themselves, as in `type: field`. */
  const ofParts = (name: string) => {
    const [owner = '', ...part] = name.split(': ');
    return [owner, part.join(': ')].map((text) => texts[text] ?? text).join(': ');
  };
  const named = (kind: DemoKind, rows: readonly { readonly name: string }[]) =>
    idsFor(
      kind,
      rows.map(({ name }) => name),
    );
  return {
    team: named('team', [data.workspace, data.branch]),
    contactType: idsFor('contactType', data.contactTypes),
    policy: named('policy', data.policies),
    /** A step of a reminder policy, as `policy: days`. */
    step: idsFor(
      'step',
      data.policies.flatMap(({ name, steps }) => steps.map(({ offsetDays }) => `${name}: ${offsetDays}`)),
      ofParts,
    ),
    category: named('category', data.categories),
    tag: idsFor('tag', data.tags),
    location: named('location', data.locations),
    contact: named('contact', data.contacts),
    company: named('company', data.companies),
    vehicle: named('vehicle', data.vehicles),
    item: named('item', data.items),
    requirement: named('requirement', data.requirements),
    note: named('note', data.notes),
    /** A document type's custom field, as `type: field`. */
    field: idsFor(
      'field',
      data.categories.flatMap(({ name, fields }) => fields.map((field) => `${name}: ${field}`)),
      ofParts,
    ),
    attachment: named('attachment', data.files),
    /** A renewal, by its item. */
    renewal: idsFor(
      'renewal',
      data.renewals.map(({ item }) => item),
    ),
    /** A delivery, by its item. */
    delivery: idsFor(
      'delivery',
      data.deliveries.map(({ item }) => item),
    ),
    /** An acknowledgement, by its item. */
    acknowledgement: idsFor(
      'acknowledgement',
      data.acknowledgements.map(({ item }) => item),
    ),
    upload: idsFor(
      'upload',
      data.uploads.map(({ filename }) => filename),
    ),
    /** A request for a document, by its item or else its person. */
    request: idsFor(
      'request',
      data.requests.map(({ item, contact = '' }) => item ?? contact),
    ),
    /** Derives the id of an event from its description. */
    event: (description: string) => demoId('event', description, namespace),
  };
}

/** Ids of the demo's records, by kind and name. */
export type DemoIds = ReturnType<typeof demoIds>;
