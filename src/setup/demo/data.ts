import type { NewRow } from '../../db/sql/columns.js';
import type { RecipientKind } from '../../domain/reminders/policy.js';

import type { PageText } from './pdf.js';

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
  readonly fields: Readonly<Record<string, string>>;
  /** The first is the main contact. */
  readonly contacts: readonly string[];
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
  readonly pdf?: PageText;
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

/** Contents of `prisma/demo.json`. Records refer to each other by name. */
export interface DemoData {
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
  readonly notes: readonly {
    readonly name: string;
    readonly text: string;
    readonly daysAgo: number;
    readonly about: { readonly items?: readonly string[]; readonly vehicles?: readonly string[] };
  }[];
  readonly files: readonly DemoFile[];
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
  readonly reminders: readonly { readonly item: string; readonly daysAgo: number }[];
  /** Mails to contacts that were sent, or given up after an error. */
  readonly deliveries: readonly {
    readonly item: string;
    readonly to: string;
    readonly daysAgo: number;
    readonly error?: string;
  }[];
  readonly acknowledgements: readonly {
    readonly item: string;
    readonly note: string;
    readonly daysAgo: number;
  }[];
}
