import type { ListKind } from '../../imports/options.js';
import { foldHeader } from './headers.js';

/** Files that another program exports: how they are recognized, and what their cells mean. */
interface Peer {
  readonly program: string;
  readonly kind: ListKind;
  /** Headers that all of its files have. */
  readonly has: readonly string[];
  /** Headers that none of its files has. They tell others of the program apart. */
  readonly lacks?: readonly string[];
  /** Columns, and the headers that they come from. Of several, it is the first in a file. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Prefix of headers that become custom fields. */
  readonly customPrefix?: string;
  /** Turns the cells of a column into what is imported. `cell` returns another cell of the row. */
  readonly read?: Readonly<Record<string, (text: string, cell: (header: string) => string) => string>>;
}

/** Separates entries by semicolons that a program separates by one of its own separators. */
const listOf = (text: string, separator: string | RegExp) =>
  text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .join('; ');

/** Characters that PHP's `htmlspecialchars` writes as entities. */
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
};

const withoutEntities = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#039);/g, (entity) => entities[entity] ?? entity);

/** Removes the time of midnight that Snipe-IT writes after some dates. */
const withoutMidnight = (text: string) => text.trim().replace(/^(\d{4}-\d{2}-\d{2}) 00:00:00$/, '$1');

/** Removes the grave accent that Snipe-IT writes before formulas. */
const withoutGuard = (text: string) => text.replace(/^`(?=[=+\-@\t\r])/, '');

/** Returns a name for an asset. Its tag is unique in Snipe-IT, and its name may be empty. */
function nameOfAsset(text: string, cell: (header: string) => string): string {
  const [name, tag] = [withoutGuard(text).trim(), withoutGuard(cell('Asset Tag')).trim()];
  if (name === '' || name === tag) return tag;
  return tag === '' ? name : `${name} (${tag})`;
}

const wallosWords: Readonly<Record<string, string>> = { Enabled: 'yes', Disabled: 'no' };

const snipeItCustom = {
  'custom:Company': ['Company'],
  'custom:Manufacturer': ['Manufacturer'],
  'custom:Supplier': ['Supplier'],
  'custom:Order number': ['Order Number'],
  'custom:Purchase date': ['Purchase Date'],
  'custom:Purchase cost': ['Purchase Cost'],
};

const peers: readonly Peer[] = [
  {
    program: 'Wallos',
    kind: 'ITEMS',
    has: ['Name', 'Next Payment', 'Renewal', 'Payment Method', 'Paid By'],
    columns: {
      name: ['Name'],
      expiration_date: ['Next Payment'],
      category_name: ['Category'],
      details: ['Notes'],
      is_active: ['Active', 'State'],
      'custom:Payment cycle': ['Payment Cycle'],
      'custom:Renewal': ['Renewal'],
      'custom:Payment method': ['Payment Method'],
      'custom:Paid by': ['Paid By'],
      'custom:Price': ['Price'],
      'custom:URL': ['URL'],
      'custom:Cancellation date': ['Cancellation Date'],
    },
    read: {
      name: withoutEntities,
      category_name: withoutEntities,
      details: withoutEntities,
      is_active: (text) => wallosWords[text.trim()] ?? text,
      'custom:Payment method': withoutEntities,
      'custom:Paid by': withoutEntities,
      'custom:URL': withoutEntities,
    },
  },
  {
    program: 'Warracker',
    kind: 'ITEMS',
    has: ['ProductName', 'IsLifetime', 'ExpirationDate'],
    columns: {
      name: ['ProductName'],
      expiration_date: ['ExpirationDate'],
      tags: ['Tags'],
      'custom:Purchase date': ['PurchaseDate'],
      'custom:Purchase price': ['PurchasePrice'],
      'custom:Serial number': ['SerialNumber'],
      'custom:Product URL': ['ProductURL'],
      'custom:Vendor': ['Vendor'],
    },
    read: {
      expiration_date: (text) => (text.trim() === 'N/A' ? '' : text),
      'custom:Purchase date': (text) => (text.trim() === 'N/A' ? '' : text),
      // Some of its versions separate tags by commas, and others by spaces.
      tags: (text) => listOf(text, text.includes(',') ? ',' : /\s+/),
    },
  },
  {
    program: 'LubeLogger (reminders)',
    kind: 'ITEMS',
    has: ['Description', 'DueDate', 'DueOdometer'],
    columns: {
      name: ['Description'],
      expiration_date: ['DueDate'],
      details: ['Notes'],
      tags: ['Tags'],
      'custom:Due odometer': ['DueOdometer'],
    },
    read: { tags: (text) => listOf(text, ' ') },
  },
  {
    program: 'LubeLogger (taxes)',
    kind: 'ITEMS',
    has: ['Date', 'Description', 'Cost', 'Notes', 'Tags'],
    // Services, repairs, upgrades, fuel and supplies are of the past: nothing of them expires.
    lacks: ['Odometer', 'PartNumber', 'FuelConsumed'],
    columns: {
      name: ['Description'],
      expiration_date: ['Date'],
      details: ['Notes'],
      tags: ['Tags'],
      'custom:Cost': ['Cost'],
    },
    customPrefix: 'extrafield_',
    read: { tags: (text) => listOf(text, ' ') },
  },
  {
    program: 'Snipe-IT (licenses)',
    kind: 'ITEMS',
    has: ['Expiration Date', 'Reassignable'],
    columns: {
      name: ['Name', 'Item name'],
      expiration_date: ['Expiration Date'],
      category_name: ['Category'],
      contact_email: ['Licensed to Email', 'Email'],
      details: ['Notes'],
      ...snipeItCustom,
      'custom:Product key': ['Product Key', 'Serial Number'],
      'custom:Seats': ['Seats', 'Total'],
      'custom:Purchase order': ['Purchase Order Number', 'Purchase Order'],
      'custom:Termination date': ['Termination Date'],
    },
    read: {
      expiration_date: withoutMidnight,
      'custom:Purchase date': withoutMidnight,
      'custom:Termination date': withoutMidnight,
    },
  },
  {
    program: 'Snipe-IT (assets)',
    kind: 'ITEMS',
    has: ['Asset Tag'],
    columns: {
      name: ['Asset Name', 'Asset Tag'],
      expiration_date: ['Warranty Expires', 'EOL', 'EOL Date', 'Asset EOL Date'],
      category_name: ['Category'],
      locations: ['Location'],
      details: ['Notes', 'Asset Notes'],
      ...snipeItCustom,
      'custom:Model': ['Model'],
      'custom:Serial': ['Serial'],
      'custom:Status': ['Status'],
      'custom:Checked out to': ['Checked Out To', 'Checked Out'],
    },
    read: {
      name: nameOfAsset,
      expiration_date: withoutMidnight,
      category_name: withoutGuard,
      locations: withoutGuard,
      details: withoutGuard,
      'custom:Purchase date': withoutMidnight,
      ...Object.fromEntries(
        [
          'Company',
          'Manufacturer',
          'Supplier',
          'Order number',
          'Model',
          'Serial',
          'Status',
          'Checked out to',
        ].map((name) => [`custom:${name}`, withoutGuard]),
      ),
    },
  },
];

/** A file of another program. */
export interface PeerFile {
  /** The columns of its headers; undefined for what is not imported. */
  readonly columns: readonly (string | undefined)[];
  /** Returns what a cell means, where the program writes it in its own way. */
  readonly read: (column: string, text: string, cells: readonly string[]) => string;
}

/** Recognizes a file of another program by its headers. */
export function peerFileOf(kind: ListKind, headers: readonly string[]): PeerFile | undefined {
  const places = new Map(headers.map((header, at) => [foldHeader(header), at]));
  const placeOf = (header: string) => places.get(foldHeader(header));
  const isThere = (header: string) => placeOf(header) !== undefined;
  const peer = peers.find(
    ({ kind: its, has, lacks = [] }) => its === kind && has.every(isThere) && !lacks.some(isThere),
  );
  if (!peer) return undefined;
  const columns: (string | undefined)[] = headers.map((header) => {
    const { customPrefix = '' } = peer;
    return customPrefix !== '' && header.startsWith(customPrefix)
      ? `custom:${header.slice(customPrefix.length)}`
      : undefined;
  });
  for (const [column, names] of Object.entries(peer.columns)) {
    const at = names.map(placeOf).find((place) => place !== undefined);
    if (at !== undefined) columns[at] = column;
  }
  return {
    columns,
    read: (column, text, cells) =>
      peer.read?.[column]?.(text, (header) => cells[placeOf(header) ?? -1] ?? '') ?? text,
  };
}

/** The header line of Wallos, up to the column that only its newer versions have. */
const wallosHeader = /^\ufeff?Name,(?:Payment Cycle,)?Next Payment,Renewal,/;

/** The place of the column whose cells may have commas in files of Wallos. */
const wallosUrl = 'URL';

/**
 * Quotes the cells of a file of Wallos, which writes none in quotes. A note with line breaks goes on in the
 * next line, and of all cells, only addresses have commas. Other files are returned as they are.
 */
export function quoteCells(text: string): string {
  if (!wallosHeader.test(text)) return text;
  const [head = '', ...lines] = text.split('\n');
  const headers = head.trim().split(',');
  const url = headers.indexOf(wallosUrl);
  const after = headers.length - 1 - url;
  const rows: string[] = [];
  let [open, commas]: [string[], number] = [[], 0];
  for (const line of lines) {
    open.push(line);
    commas += line.split(',').length - 1;
    if (commas < headers.length - 1) continue;
    const cells = open.join('\n').split(',');
    const own =
      url === -1 ? cells : [...cells.slice(0, url), cells.slice(url, cells.length - after).join(',')];
    const rest = url === -1 ? [] : cells.slice(cells.length - after);
    rows.push([...own, ...rest].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
    [open, commas] = [[], 0];
  }
  // What is left is no row, and its cells are counted like those of any other.
  return [head, ...rows, ...open].join('\n');
}
