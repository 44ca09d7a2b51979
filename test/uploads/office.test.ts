import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/uploads/reading/read-document.js';
import { odsOf, stylesOf, textRows, xlsxOf, zipOf } from '../csv/workbooks.js';

const read = (bytes: Uint8Array, filename: string) =>
  readDocument({ bytes, filename }, { ocr: 'off', ocrCommand: '', today: new Date('2026-11-25T00:00:00Z') });

/** Reads the dates of a document, and its problem. */
async function datesOf(bytes: Uint8Array, filename: string) {
  const { findings, problem } = await read(bytes, filename);
  return { dates: findings.map(({ value }) => value), problem };
}

const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr><w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const row = (...cells: string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;
const docx = (body: string, further: Readonly<Record<string, string>> = {}) =>
  zipOf({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`, ...further });

const odt = (body: string, further: Readonly<Record<string, string>> = {}) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ...further,
  });

const found = (...dates: string[]) => ({ dates, problem: null });

describe('a document of Word', () => {
  test.each([
    [
      'in pieces',
      '<w:p><w:r><w:t>Valid </w:t></w:r><w:r><w:t>until</w:t><w:tab/><w:t>2031-07-15</w:t></w:r></w:p>',
    ],
    ['in a row', `<w:tbl>${row('Issued', 'Valid until')}${row('2021-07-15', '2031-07-15')}</w:tbl>`],
    [
      'in cells side by side',
      `<w:tbl>${row('Issued', '2021-07-15')}${row('Valid until', '2031-07-15')}</w:tbl>`,
    ],
  ])('with a date %s is read', async (_, body) => {
    expect(await datesOf(await docx(paragraph('Certificate') + body), 'a.docx')).toEqual(found('2031-07-15'));
  });

  test('has a date in its footer, and none in what is hidden, deleted or repeated', async () => {
    const footer = `<w:ftr>${paragraph('Valid until 2031-07-15')}</w:ftr>`;
    const others =
      paragraph('Valid until 2032-07-15', '<w:vanish/>') +
      '<w:p><w:del><w:r><w:delText>Valid until 2033-07-15</w:delText></w:r></w:del></w:p>' +
      `<mc:Fallback>${paragraph('Valid until 2034-07-15')}</mc:Fallback>${paragraph('Certificate')}`;
    expect(await datesOf(await docx(others, { 'word/footer1.xml': footer }), 'a.docx')).toEqual(
      found('2031-07-15'),
    );
  });
});

describe('a document of LibreOffice', () => {
  test('is read with its tables, and without comments', async () => {
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const table = `<table:table><table:table-row>${cell('Valid until')}${cell('2031-07-15')}</table:table-row></table:table>`;
    const comment =
      '<text:p>Note<office:annotation><text:p>Valid until 2032-07-15</text:p></office:annotation></text:p>';
    expect(await datesOf(await odt(comment + table), 'a.odt')).toEqual(found('2031-07-15'));
    expect(
      await datesOf(await odt('<text:h>Valid<text:s/>until</text:h><text:p>2031-07-15</text:p>'), 'a'),
    ).toEqual(found('2031-07-15'));
  });

  test('with a password is told to be protected', async () => {
    const manifest =
      '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
    const bytes = await odt('', { 'META-INF/manifest.xml': manifest });
    expect(await datesOf(bytes, 'a.odt')).toEqual({ dates: [], problem: 'PROTECTED' });
  });
});

describe('a workbook', () => {
  test('of Excel is read as a table, with dates as they are shown, and without hidden sheets', async () => {
    // The day 48044 is 15 July 2031.
    const rows = '<row><c t="inlineStr"><is><t>Valid until</t></is></c><c s="1"><v>48044</v></c></row>';
    const hidden = { name: 'Old', state: 'hidden', rows: textRows([['Valid until', '2032-07-15']]) };
    const bytes = await xlsxOf([hidden, { name: 'New', rows }], { 'xl/styles.xml': stylesOf() });
    expect(await datesOf(bytes, 'a.xlsx')).toEqual(found('2031-07-15'));
  });

  test('of LibreOffice is read', async () => {
    const cell = (text: string) =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const sheet = `<table:table table:name="A"><table:table-row>${cell('Valid until')}${cell('2031-07-15')}</table:table-row></table:table>`;
    const further = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet' };
    expect(await datesOf(await odsOf(sheet, '', further), 'a.ods')).toEqual(found('2031-07-15'));
  });

  test('of an older version with a password is told to be protected', async () => {
    const head = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const bytes = Buffer.concat([head, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]);
    expect(await datesOf(bytes, 'a.docx')).toEqual({ dates: [], problem: 'PROTECTED' });
    expect(await datesOf(head, 'a.xls')).toEqual({ dates: [], problem: 'UNSUPPORTED' });
  });
});

describe('a ZIP file', () => {
  test('of other things is not read', async () => {
    expect(await datesOf(await zipOf({ 'a.txt': 'Valid until 2031-07-15' }), 'a.zip')).toEqual({
      dates: [],
      problem: 'UNSUPPORTED',
    });
    const broken = (await docx(paragraph('x'))).subarray(0, 80);
    expect(await datesOf(broken, 'a.docx')).toEqual({ dates: [], problem: 'DAMAGED' });
  });

  test('of too many parts, or whose entities grow, ends in time', async () => {
    const parts = Array.from({ length: 10_001 }, (_, at) => [`word/${at}.xml`, '']);
    const bomb = await docx('', Object.fromEntries(parts));
    expect(await datesOf(bomb, 'a.docx')).toEqual({ dates: [], problem: 'TOO_LARGE' });
    const entities = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join(
      '',
    );
    const laughs = await zipOf({
      'word/document.xml': `<!DOCTYPE d [<!ENTITY e0 "ha">${entities}]><w:document>${paragraph('&e30; Valid until 2031-07-15')}</w:document>`,
    });
    expect(await datesOf(laughs, 'a.docx')).toEqual(found('2031-07-15'));
  });
});
