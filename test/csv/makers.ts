import { odsOf, stylesOf, textCell, textRows, xlsxOf, zipOf } from './workbooks.js';

// The same list as ten programs save it, with what is peculiar to each.

/** The header of the list. */
export const makerHeaders = ['Paper', 'Valid until', 'Plate'];
/** The rows of the list, as they are read. */
export const makerRows = [
  ['Roadworthiness', '2026-12-31', 'QZ-AB 1'],
  ['Insurance', '2027-06-30', '0012'],
];

/** The days of the list as spreadsheets count them: the last of 2026, and the last of June 2027. */
const days = [46_387, 46_568] as const;

/** Days between the two ways to count them. */
const since1904 = 1_462;

/** Returns the rows below the header, of which `dateCell` makes the dates. */
const rowsWith = (dateCell: (day: number) => string) =>
  makerRows
    .map(
      ([paper = '', , plate = ''], at) =>
        `<row>${textCell(paper)}${dateCell(days[at] ?? 0)}${textCell(plate)}</row>`,
    )
    .join('');

const dated = (style: number) => (day: number) => `<c s="${style}"><v>${day}</v></c>`;

const relationships = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

/** The list as each program saves it. */
export const makers: Readonly<Record<string, () => Promise<Uint8Array> | Uint8Array>> = {
  'Excel: a merged title, shared texts with formats, and a table with a filter': () =>
    xlsxOf(
      [
        {
          name: 'Fleet',
          rows: `<row r="1" spans="1:3"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"/><c r="C1" s="1"/></row>
            <row r="3" spans="1:3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="s"><v>2</v></c><c r="C3" t="s"><v>3</v></c></row>
            <row r="4"><c r="A4" t="s"><v>4</v></c><c r="B4" s="1"><v>46387</v></c><c r="C4" t="s"><v>6</v></c></row>
            <row r="5"><c r="A5" t="s"><v>5</v></c><c r="B5" s="1"><f>B4+181</f><v>46568</v></c><c r="C5" s="2"><v>12</v></c></row>
            </sheetData><autoFilter ref="A3:C5"/><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells><sheetData>`,
        },
      ],
      {
        'xl/styles.xml': stylesOf('0000'),
        'xl/sharedStrings.xml':
          '<sst><si><r><rPr><b/></rPr><t>Papers of the fleet</t></r></si><si><t>Paper</t></si><si><t>Valid until</t></si><si><t>Plate</t></si><si><t>Roadworthiness</t></si><si><t>Insurance</t></si><si><t>QZ-AB 1</t></si></sst>',
      },
    ),
  'Excel for Mac: days from 1904': () =>
    xlsxOf(
      [{ name: 'A', rows: textRows([makerHeaders]) + rowsWith((day) => dated(1)(day - since1904)) }],
      { 'xl/styles.xml': stylesOf() },
      '<workbookPr date1904="1"/>',
    ),
  'Excel, strict: dates in words of ISO 8601, and other namespaces': async () =>
    zipOf({
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="${relationships}" conformance="strict"><sheets><sheet name="A" sheetId="1" r:id="r0"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r0" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData>${textRows([makerHeaders])}${rowsWith(
        (day) =>
          `<c t="d"><v>${new Date(Date.UTC(1899, 11, 30) + day * 86_400_000).toISOString().slice(0, 10)}</v></c>`,
      )}</sheetData></worksheet>`,
    }),
  'the Open XML SDK: all elements have a prefix': async () =>
    zipOf({
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/xl/workbook.xml"/></Relationships>',
      'xl/workbook.xml':
        '<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><x:sheets><x:sheet name="A" sheetId="1" r:id="r0"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r0" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="/xl/styles.xml"/></Relationships>',
      'xl/styles.xml': stylesOf().replace(/<(\/?)(\w)/g, '<$1x:$2'),
      'xl/worksheets/sheet1.xml':
        `<worksheet><sheetData>${textRows([makerHeaders])}${rowsWith(dated(1))}</sheetData></worksheet>`.replace(
          /<(\/?)(\w)/g,
          '<$1x:$2',
        ),
    }),
  'LibreOffice: repeated cells and rows up to the end of the sheet': () => {
    const text = (value: string) =>
      `<table:table-cell office:value-type="string" calcext:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
    const date = (value: string) =>
      `<table:table-cell office:value-type="date" office:date-value="${value}"><text:p>x</text:p></table:table-cell>`;
    const row = (xml: string) =>
      `<table:table-row>${xml}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>`;
    const rows = makerRows.map(([paper = '', day = '', plate = '']) =>
      row(text(paper) + date(day) + text(plate)),
    );
    return odsOf(
      `<table:table table:name="Sheet1">${row(makerHeaders.map(text).join(''))}${rows.join('')}<table:table-row table:number-rows-repeated="1048573"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
    );
  },
  'Google Sheets: a thousand rows with a height, and cells with a style alone': () =>
    xlsxOf(
      [
        {
          name: 'Sheet1',
          rows: `${textRows([makerHeaders])}${rowsWith(dated(1))}${Array.from(
            { length: 997 },
            (_, at) => `<row r="${at + 4}" ht="15.75" customHeight="1"><c r="A${at + 4}" s="2"/></row>`,
          ).join('')}`,
        },
      ],
      { 'xl/styles.xml': stylesOf('General') },
    ),
  'Numbers: a list of the tables before them, and the name of the table above its header': () =>
    xlsxOf(
      [
        {
          name: 'Export Summary',
          rows: textRows([
            ['This document was exported from Numbers. Each table was converted to an Excel worksheet.'],
            ['Numbers Sheet Name', 'Numbers Table Name', 'Excel Worksheet Name'],
            ['Sheet 1', 'Table 1', 'Sheet 1 - Table 1'],
          ]),
        },
        {
          name: 'Sheet 1 - Table 1',
          rows: `${textRows([['Table 1'], makerHeaders])}${rowsWith(dated(2))}`,
        },
      ],
      { 'xl/styles.xml': stylesOf('d mmm yyyy') },
    ),
  'pandas: dates with a time of midnight, in a format of their own': () =>
    xlsxOf([{ name: 'Sheet1', rows: textRows([makerHeaders]) + rowsWith(dated(2)) }], {
      'xl/styles.xml': stylesOf('yyyy-mm-dd hh:mm:ss'),
    }),
  'Excel, saved as CSV in Germany: semicolons, Windows-1252 and a line that names the separator': () =>
    Buffer.from(
      `sep=;\r\n${[makerHeaders, ...makerRows].map((row) => row.join(';')).join('\r\n')}\r\n;;\r\n`,
      'latin1',
    ),
  'Excel, saved as Unicode text: UTF-16 with tabs': () =>
    Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from([makerHeaders, ...makerRows].map((row) => row.join('\t')).join('\r\n'), 'utf16le'),
    ]),
  'a program for accounts: CSV in UTF-8 with all cells in quotes, called .xlsx': () =>
    Buffer.from(
      [makerHeaders, ...makerRows].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'),
    ),
};
