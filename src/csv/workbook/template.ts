import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';
import { parseDate } from '../../domain/dates.js';
import type { languages } from '../../domain/rules.js';
import type { ListKind } from '../../imports/options.js';

/** A language that headers and examples are written in. */
export type TemplateLanguage = (typeof languages)[number];

/** A text in English, German, French, Spanish, Italian and Dutch. */
type Words = readonly [en: string, de: string, fr: string, es: string, it: string, nl: string];

const order: readonly TemplateLanguage[] = ['en', 'de', 'fr', 'es', 'it', 'nl'];

/** A cell of an example: the same in all languages, in each language, or empty. */
type Example = string | Words | null;

/** A column of a template: its header, and its cells in the two examples. */
type TemplateColumn = readonly [header: Words, first: Example, second: Example];

const name: Words = ['Name', 'Bezeichnung', 'Nom', 'Nombre', 'Nome', 'Naam'];
const plate: Words = ['License plate', 'Kennzeichen', 'Immatriculation', 'Matrícula', 'Targa', 'Kenteken'];
const notes: Words = ['Notes', 'Notizen', 'Remarques', 'Notas', 'Descrizione', 'Opmerkingen'];
const inspection: Words = [
  ...(['Annual inspection', 'Hauptuntersuchung', 'Contrôle technique', 'ITV'] as const),
  ...(['Revisione', 'APK'] as const),
];
const licence: Words = [
  ...(['Trade licence', 'Gewerbeschein', 'Licence professionnelle', 'Licencia de actividad'] as const),
  ...(['Licenza commerciale', 'Handelsvergunning'] as const),
];

/** The columns of each template. All headers are among those that an import recognizes. */
const templates: Readonly<Record<ListKind, readonly TemplateColumn[]>> = {
  ITEMS: [
    [name, inspection, licence],
    [
      ['Valid until', 'Gültig bis', "Valable jusqu'au", 'Válido hasta', 'Valido fino al', 'Geldig tot'],
      '2027-05-31',
      '2028-12-31',
    ],
    [
      [
        ...(['Document type', 'Dokumenttyp', 'Type de document', 'Tipo de documento'] as const),
        ...(['Tipo di documento', 'Documenttype'] as const),
      ],
      ['Inspection', 'Prüfung', 'Contrôle', 'Inspección', 'Controllo', 'Keuring'],
      ['Licence', 'Genehmigung', 'Licence', 'Licencia', 'Licenza', 'Vergunning'],
    ],
    [plate, 'B-AB 1234', null],
    [['Person', 'Mitarbeiter', 'Employé', 'Persona', 'Dipendente', 'Medewerker'], null, null],
    [
      ['Responsible', 'Verantwortlich', 'Responsable', 'Responsable', 'Responsabile', 'Verantwoordelijke'],
      null,
      null,
    ],
    [notes, null, 'L-4711'],
  ],
  CONTACTS: [
    [['Name', 'Name', 'Nom', 'Nombre', 'Nome', 'Naam'], 'Ben Carter', 'Ada Lind'],
    [
      ['E-mail', 'E-Mail', 'Courriel', 'Correo electrónico', 'E-mail', 'E-mail'],
      'ben@example.com',
      'ada.lind@example.com',
    ],
    [['Phone', 'Telefon', 'Téléphone', 'Teléfono', 'Telefono', 'Telefoon'], '+1 555 0100', null],
  ],
  VEHICLES: [
    [name, ['Van 12', 'Transporter 12', 'Fourgon 12', 'Furgoneta 12', 'Furgone 12', 'Bestelbus 12'], null],
    [plate, 'B-AB 1234', 'B-CD 5678'],
    [['VIN', 'FIN', 'VIN', 'Bastidor', 'Telaio', 'Chassisnummer'], 'WF0EXXTTRELA12345', null],
    [['Make', 'Hersteller', 'Marque', 'Marca', 'Marca', 'Merk'], 'Ford', 'Volvo'],
    [['Model', 'Modell', 'Modèle', 'Modelo', 'Modello', 'Model'], 'Transit', 'FH'],
    [['Year', 'Baujahr', 'Année', 'Año', 'Anno', 'Bouwjaar'], '2024', '2021'],
  ],
  LOCATIONS: [
    [
      ['Path', 'Pfad', 'Chemin', 'Ruta', 'Percorso', 'Pad'],
      ['Plant 1', 'Werk 1', 'Usine 1', 'Planta 1', 'Stabilimento 1', 'Fabriek 1'],
      [
        ...(['Plant 1 / Hall 2', 'Werk 1 / Halle 2', 'Usine 1 / Hall 2', 'Planta 1 / Nave 2'] as const),
        ...(['Stabilimento 1 / Capannone 2', 'Fabriek 1 / Hal 2'] as const),
      ],
    ],
  ],
  COMPANIES: [
    [['Name', 'Name', 'Nom', 'Nombre', 'Nome', 'Naam'], 'Maple Ridge Ltd', 'Steel City Service'],
    [['Tax number', 'Steuernummer', 'Numéro de TVA', 'NIF', 'Partita IVA', 'Btw-nummer'], '123456789', null],
    [['City', 'Stadt', 'Ville', 'Ciudad', 'Città', 'Stad'], 'Toronto', 'Hamilton'],
    [
      ['Website', 'Website', 'Site web', 'Sitio web', 'Sito web', 'Website'],
      'https://mapleridge.example',
      null,
    ],
  ],
  TYPES: [
    [name, licence, inspection],
    [
      ['Fields', 'Felder', 'Champs', 'Campos', 'Campi', 'Velden'],
      [
        ...(['Number; Authority', 'Nummer; Behörde', 'Numéro; Autorité', 'Número; Autoridad'] as const),
        ...(['Numero; Autorità', 'Nummer; Instantie'] as const),
      ],
      null,
    ],
  ],
};

const escaped = (text: string) => text.replace(/[<&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Milliseconds of a day, and the day that spreadsheets count from. */
const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);

/** The styles of a workbook: cells, dates and headers. */
const styles = { date: 1, header: 2 } as const;

/** Returns the XML of a cell. A date is one for the spreadsheet, too. */
function cellXml(text: string, style?: number): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDate(text) : undefined;
  if (day) return `<c s="${styles.date}"><v>${(day.getTime() - firstDay) / dayMs}</v></c>`;
  const look = style === undefined ? '' : ` s="${style}"`;
  return text === '' ? '<c/>' : `<c t="inlineStr"${look}><is><t>${escaped(text)}</t></is></c>`;
}

const office = 'http://schemas.openxmlformats.org';
const main = `xmlns="${office}/spreadsheetml/2006/main"`;
const relations = `${office}/officeDocument/2006/relationships`;
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relationsXml = (...all: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${office}/package/2006/relationships">${all
    .map(([type, target], at) => `<Relationship Id="r${at}" Type="${relations}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

/** Makes a workbook with the headers of a kind of records, and two examples. */
export async function makeTemplate(kind: ListKind, language: TemplateLanguage): Promise<Buffer> {
  const at = order.indexOf(language);
  const columns = templates[kind];
  const textOf = (example: Example) => (typeof example === 'string' ? example : (example?.[at] ?? ''));
  const rows = [
    columns.map(([header]) => cellXml(textOf(header), styles.header)),
    columns.map(([, first]) => cellXml(textOf(first))),
    columns.map(([, , second]) => cellXml(textOf(second))),
  ];
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': `<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${workbookType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${workbookType}.styles+xml"/></Types>`,
    '_rels/.rels': relationsXml(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="${kind.toLowerCase()}" sheetId="1" r:id="r0"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/styles.xml': `<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf xfId="0"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${columns.length}" width="22" customWidth="1"/></cols><sheetData>${rows
      .map((cells, row) => `<row r="${row + 1}">${cells.join('')}</row>`)
      .join('')}</sheetData></worksheet>`,
  };
  const zip = new yazl.ZipFile();
  for (const [path, xml] of Object.entries(parts))
    zip.addBuffer(Buffer.from(head + xml), path, { mtime: new Date(Date.UTC(2020, 0, 1)) });
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}
