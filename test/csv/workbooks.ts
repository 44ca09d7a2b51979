import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

/** Makes a ZIP file of parts by their paths. */
export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, part] of Object.entries(parts))
    zip.addBuffer(typeof part === 'string' ? Buffer.from(part) : part, path);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}

/** A sheet of a workbook that a test makes. */
interface MadeSheet {
  readonly name: string;
  readonly state?: string;
  /** XML before the rows, and the rows. */
  readonly columns?: string;
  readonly rows: string;
}

const escaped = (text: string) => text.replace(/[<&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Returns a cell with a text. */
export const textCell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** Returns rows with texts. */
export const textRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `<row>${cells.map(textCell).join('')}</row>`).join('');

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Makes a workbook as Excel does. @param further parts that it also has, or has in another way */
export function xlsxOf(
  sheets: readonly MadeSheet[],
  further: Readonly<Record<string, string | Buffer>> = {},
  properties = '',
): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationships}/${type}" Target="${target}"/>`;
  const list = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="r${at}"/>`,
  );
  return zipOf({
    '_rels/.rels': `<Relationships>${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${relationships}">${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, at) => relation(`r${at}`, 'worksheet', `worksheets/sheet${at}.xml`))
      .join(
        '',
      )}${relation('s', 'styles', 'styles.xml')}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map(({ columns = '', rows }, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet>${columns}<sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...further,
  });
}

/** Styles of numbers by the codes of their formats. */
export const stylesOf = (...codes: string[]): string =>
  `<styleSheet><numFmts>${codes
    .map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${escaped(code)}"/>`)
    .join('')}</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${codes
    .map((_, at) => `<xf numFmtId="${200 + at}"/>`)
    .join('')}</cellXfs></styleSheet>`;

/** Makes a workbook as LibreOffice does, of the XML of its sheets. */
export const odsOf = (sheets: string, styles = '', further: Readonly<Record<string, string>> = {}) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${sheets}</office:spreadsheet></office:body></office:document-content>`,
    ...further,
  });
