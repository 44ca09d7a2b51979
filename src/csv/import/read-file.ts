import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { GatewayError } from '../../domain/errors.js';
import { type ImportOptions, importLimits, type ListKind } from '../../imports/options.js';

/** Headers in other words and languages, by the columns that they stand for. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'identifier'],
  name: ['title', 'bezeichnung', 'nom', 'nombre', 'nome', 'naam', 'titel', 'titre', 'título', 'titolo'],
  expiration_date: [
    ...['expires', 'expires on', 'expiry', 'expiry date', 'due date', 'valid until', 'end date'],
    ...['ablaufdatum', 'gültig bis', 'läuft ab am', 'fällig am'],
    ...["date d'expiration", "date d'échéance", "valable jusqu'au", 'expiration'],
    ...['fecha de vencimiento', 'vence el', 'válido hasta', 'vencimiento'],
    ...['data di scadenza', 'scadenza', 'valido fino al'],
    ...['vervaldatum', 'verloopt op', 'geldig tot'],
  ],
  notice_date: [
    ...['notice', 'notice by', 'last day to give notice', 'cancel by', 'cancellation date', 'kündbar bis'],
    ...['kündigungstermin', 'letzter kündigungstag', 'date limite de préavis', 'préavis', 'preaviso'],
    ...['fecha de preaviso', 'preavviso', 'disdetta entro', 'opzegdatum', 'opzeggen voor'],
  ],
  notice_rule: [
    ...['notice period', 'cancellation period', 'kündigungsfrist', 'délai de préavis', 'plazo de preaviso'],
    ...['termine di preavviso', 'opzegtermijn'],
  ],
  time_of_day: ['time', 'uhrzeit', 'heure', 'hora', 'ora', 'tijd'],
  details: [
    ...['notes', 'note', 'description', 'comment', 'comments', 'beschreibung', 'notizen', 'bemerkung'],
    ...['remarques', 'commentaire', 'notas', 'descripción', 'descrizione', 'opmerkingen', 'omschrijving'],
  ],
  category_name: [
    ...['category', 'document type', 'type', 'kategorie', 'dokumenttyp', 'dokumentart', 'catégorie'],
    ...['type de document', 'categoría', 'tipo de documento', 'categoria', 'tipo di documento', 'categorie'],
    ...['documenttype'],
  ],
  assigned_to: [
    ...['assignee', 'responsible', 'owner', 'zuständig', 'verantwortlich', 'responsable', 'assigné à'],
    ...['asignado a', 'responsabile', 'assegnato a', 'verantwoordelijke', 'toegewezen aan'],
  ],
  is_active: ['active', 'aktiv', 'actif', 'activo', 'attivo', 'actief'],
  is_archived: ['archived', 'archiviert', 'archivé', 'archivado', 'archiviato', 'gearchiveerd'],
  contacts: ['people', 'kontakte', 'contactos', 'contatti', 'contacten'],
  contact_email: [
    ...['contact', 'main contact', 'contact e-mail', 'kontakt', 'hauptkontakt', 'contact principal'],
    ...['contacto', 'contacto principal', 'contatto', 'contatto principale', 'hoofdcontact'],
  ],
  locations: [
    'location',
    'place',
    'ort',
    'orte',
    'standort',
    'standorte',
    'lieu',
    'lieux',
    'lugar',
    'lugares',
    'luogo',
    'luoghi',
    'plaats',
    'locatie',
    'locaties',
    'emplacement',
    'ubicación',
  ],
  tags: ['labels', 'schlagworte', 'étiquettes', 'etiquetas', 'etichette', 'trefwoorden', 'tag'],
  team_id: [
    'workspace',
    'arbeitsbereich',
    'espace de travail',
    'espacio de trabajo',
    'area di lavoro',
    'werkruimte',
  ],
  email: [
    ...['e-mail', 'mail', 'email address', 'e-mail-adresse', 'courriel', 'adresse e-mail', 'correo'],
    ...['correo electrónico', 'indirizzo e-mail', 'posta elettronica', 'e-mailadres'],
  ],
  timezone: ['time zone', 'zeitzone', 'fuseau horaire', 'zona horaria', 'fuso orario', 'tijdzone'],
  mobile: ['mobile phone', 'cell', 'handy', 'mobiltelefon', 'portable', 'móvil', 'cellulare', 'mobiel'],
  phone: ['telephone', 'tel', 'telefon', 'téléphone', 'teléfono', 'telefono', 'telefoon'],
  vin: [
    'vehicle identification number',
    'fahrgestellnummer',
    'fin',
    'numéro de châssis',
    'bastidor',
    'telaio',
    'chassisnummer',
  ],
  license_plate: [
    ...['plate', 'licence plate', 'registration', 'kennzeichen', 'immatriculation', 'plaque', 'matrícula'],
    ...['targa', 'kenteken'],
  ],
  year: ['model year', 'baujahr', 'année', 'año', 'anno', 'bouwjaar'],
  make: ['manufacturer', 'brand', 'hersteller', 'marke', 'marque', 'marca', 'merk'],
  model: ['modell', 'modèle', 'modelo', 'modello'],
  color: ['colour', 'farbe', 'couleur', 'kleur', 'colore'],
  msrp: ['price', 'list price', 'preis', 'prix', 'precio', 'prezzo', 'prijs'],
  primary_meter_reading: [
    'odometer',
    'mileage',
    'kilometerstand',
    'kilométrage',
    'kilometraje',
    'chilometraggio',
  ],
  parent_location_id: ['parent', 'parent id'],
  path: ['full path', 'location path', 'pfad', 'chemin', 'ruta', 'percorso', 'pad'],
  doing_business_as: ['trading name', 'dba'],
  website: ['url', 'web', 'homepage', 'site web', 'sitio web', 'sito web'],
  address_line_1: [
    'address',
    'street',
    'adresse',
    'straße',
    'rue',
    'dirección',
    'calle',
    'indirizzo',
    'via',
    'adres',
    'straat',
  ],
  address_line_2: ['address 2', 'adresszusatz'],
  city: ['town', 'stadt', 'ville', 'ciudad', 'città', 'stad', 'plaatsnaam'],
  province: ['state', 'region', 'bundesland', 'région', 'provincia', 'provincie'],
  postal_code: ['zip', 'zip code', 'postcode', 'plz', 'postleitzahl', 'code postal', 'código postal', 'cap'],
  tax_id: [
    'vat',
    'vat number',
    'tax number',
    'steuernummer',
    'ust-idnr',
    'numéro de tva',
    'nif',
    'partita iva',
    'btw-nummer',
  ],
  custom_fields: ['fields', 'felder', 'champs', 'campos', 'campi', 'velden'],
};

/** Folds a header for comparison: letters and digits only, without accents, in lower case. */
export const foldHeader = (header: string): string =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');

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

/** A row of a file. */
export interface FileRow {
  /** The line at which it ends, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Columns that the row is read without, as if the file lacked them. */
  readonly leftOut?: ReadonlySet<string>;
}

/** A file as a table. */
export interface FileTable {
  readonly headers: readonly string[];
  /** The rows below the headers. They are parsed as they are read, so memory does not grow with their number. */
  readonly rows: AsyncIterable<FileRow>;
}

const refuse = (message: string) => new GatewayError('BAD_REQUEST', message);

/** Byte order marks, and the encodings that they stand for. */
const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Decodes a file. The encoding is that of its byte order mark, or the chosen one. */
function decode(content: Uint8Array, encoding: ImportOptions['encoding']): string {
  const marked = marks.find(([bytes]) => bytes.every((byte, at) => content[at] === byte))?.[1];
  const label = marked ?? (encoding === 'WINDOWS_1252' ? 'windows-1252' : 'utf-8');
  try {
    return new TextDecoder(label, { fatal: true }).decode(content);
  } catch {
    throw refuse(
      marked
        ? `The file begins like ${marked}, but is not in it.`
        : 'The file is not in UTF-8. Save it as UTF-8, or choose Windows-1252.',
    );
  }
}

const delimiters = [',', ';', '\t'];

/** Finds the separator: the one that occurs most often in the header, outside quotes. */
function delimiterOf(text: string): string {
  const counts = delimiters.map(() => 0);
  let isQuoted = false;
  // A loop, because the backtracking of an expression would not survive a quote that never ends.
  for (const character of text.replace(/^[\r\n]+/, '')) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\r' || character === '\n') break;
    const at = delimiters.indexOf(character);
    if (at !== -1) counts[at] = (counts[at] ?? 0) + 1;
  }
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Bytes that are parsed at once. Other work goes on in between. */
const chunkBytes = 64 * 1024;

/** The most bytes of a row. A quote that never ends must not fill the memory. */
const longestRow = 16 * 1024 * 1024;

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Parses a text (RFC 4180). Empty rows are dropped. @throws GatewayError BAD_REQUEST naming the line */
export async function* recordsIn(
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<FileRow> {
  const parser = parse({
    delimiter,
    info: true,
    max_record_size: longestRow,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // In a cell without quotes, a quote is a character, as in 24" or 37'8".
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  try {
    // The types of csv-parse do not tell that `info` returns each record with its line.
    const records = pipeline(Readable.from(bytes), parser, () => {}) as AsyncIterable<CsvRecord>;
    for await (const { record, info } of records) yield { line: info.lines, cells: record };
  } catch (error) {
    if (error instanceof CsvError) throw refuse(`The file is not CSV: ${error.message}.`);
    throw error;
  }
}

/** Checks that no header occurs twice. @throws GatewayError BAD_REQUEST */
export function checkHeaders({ cells, line }: FileRow): void {
  const known = new Set<string>();
  for (const header of cells.filter((name) => name.trim() !== '')) {
    // Names of custom fields may differ in nothing but case or white space.
    const key = header.startsWith('custom:') ? header : header.trim().toLowerCase();
    if (known.has(key)) throw refuse(`Line ${line}: the header ${JSON.stringify(header)} occurs twice.`);
    known.add(key);
  }
}

async function* below(records: AsyncIterable<FileRow>): AsyncGenerator<FileRow> {
  let count = -1;
  for await (const row of records) {
    if (++count === 0) continue;
    if (count > importLimits.rows) throw refuse(`The file has more than ${importLimits.rows} rows.`);
    yield row;
  }
}

/**
 * Reads a CSV file as a table. Its rows can be read several times.
 * @throws GatewayError BAD_REQUEST for what is no such file; reading the rows may throw it, too
 */
export async function readFile(
  content: Uint8Array,
  { encoding }: Pick<ImportOptions, 'encoding'>,
): Promise<FileTable> {
  const text = quoteCells(decode(content, encoding));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const line = text.slice(0, nul).split(/\r\n|\r|\n/).length;
    throw refuse(`The file is not text: line ${line} contains the character NUL.`);
  }
  const delimiter = delimiterOf(text);
  const bytes = Buffer.from(text);
  for await (const head of recordsIn(chunksOf(bytes), delimiter)) {
    checkHeaders(head);
    return {
      headers: head.cells,
      rows: { [Symbol.asyncIterator]: () => below(recordsIn(chunksOf(bytes), delimiter)) },
    };
  }
  throw refuse('The file has no header.');
}
