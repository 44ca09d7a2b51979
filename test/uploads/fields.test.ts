import { describe, expect, test } from 'vitest';
import { readDocument } from '../../src/uploads/reading/read-document.js';
import { pdfOf, show, stream } from './pdf.support.js';

const read = (bytes: Uint8Array, filename: string) =>
  readDocument({ bytes, filename }, { ocr: 'off', ocrCommand: '', today: new Date('2026-11-25T00:00:00Z') });

const pem = `-----BEGIN CERTIFICATE-----
MIIB1zCCAXygAwIBAgIUBaU/TFUF78JuvdPm4T94Q83Cr+YwCgYIKoZIzj0EAwIw
LDEUMBIGA1UECgwLRXhhbXBsZSBMdGQxFDASBgNVBAMMC2V4YW1wbGUuY29tMB4X
DTI2MTEyODE4MjkwM1oXDTMxMDcyNTE4MjkwM1owLDEUMBIGA1UECgwLRXhhbXBs
ZSBMdGQxFDASBgNVBAMMC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAERqhVinPQuNazsA19mTJ/UN+0bMXIMCYYhdpgEPPwZg9Me5cnZ4Ll1X2V
v3Y1kPMK3rzDNGfdpo5V0Mhyp5OcJqN8MHowHQYDVR0OBBYEFByRsrGs6NIZisYl
NKhUx/CaVvEHMB8GA1UdIwQYMBaAFByRsrGs6NIZisYlNKhUx/CaVvEHMA8GA1Ud
EwEB/wQFMAMBAf8wJwYDVR0RBCAwHoILZXhhbXBsZS5jb22CD3d3dy5leGFtcGxl
LmNvbTAKBggqhkjOPQQDAgNJADBGAiEAxddKMUPi8q3yV/Bwpg/FroOFc2D9gPVc
TOIuXxqbgDwCIQCNqNJmV+d1nK3Gm+rbHWuJ0IN8Y40lcub1QLeIcXUXGA==
-----END CERTIFICATE-----
`;
const body = Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64');

/** What the certificate says. It is trusted as it is: programs read its fields, and people do not. */
const said = [
  ['expiration_date', '2031-07-25', 100],
  ['document_number', '05A53F4C5505EFC26EBDD3E6E13F7843CDC2AFE6', 100],
  ['name', 'example.com', 100],
];

describe('a certificate', () => {
  test.each<[string, Uint8Array, string]>([
    ['as PEM', Buffer.from(pem), 'server.pem'],
    ['as PEM after other text, whatever its name', Buffer.from(`subject=example\n${pem}${pem}`), 'chain.txt'],
    ['as DER', body, 'server.crt'],
  ])('%s says its end, number and name', async (_, bytes, filename) => {
    const { findings, problem } = await read(bytes, filename);
    expect(problem).toBeNull();
    expect(findings.map(({ field, value, confidence }) => [field, value, confidence])).toEqual(said);
  });

  test('that is none, or broken, is damaged', async () => {
    for (const bytes of [body.subarray(0, 99), Buffer.from(pem.slice(0, 300)), Buffer.from('words')])
      expect(await read(bytes, 'server.crt')).toMatchObject({ findings: [], problem: 'DAMAGED' });
  });
});

/** Makes a form with text fields. */
function form(fields: readonly { name: string; value: string; tip?: string }[]): Uint8Array {
  const widgets = fields.map(
    ({ name, value, tip }, at) =>
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(${name})/V(${value})${tip ? `/TU(${tip})` : ''}/Rect[200 ${600 - 50 * at} 400 ${620 - 50 * at}]/P 3 0 R>>`,
  );
  const all = widgets.map((_, at) => `${at + 6} 0 R`).join(' ');
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${all}]>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R/Annots[${all}]>>`,
    stream(show([[72, 760, 'Certificate of insurance of the holder named below']])),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...widgets,
  ]);
}

describe('a form of a PDF', () => {
  test.each([
    ['valid_until', undefined],
    ['form1.page1.ValidUntil', undefined],
    ['field17', 'Date of expiry'],
  ])('with a filled field %s says its date, and where', async (name, tip) => {
    const { findings } = await read(form([{ name, value: '2031-07-15', ...(tip && { tip }) }]), 'form.pdf');
    expect(findings).toMatchObject([{ field: 'expiration_date', value: '2031-07-15', source: 'TEXT' }]);
    expect(findings[0]?.box?.x).toBeCloseTo(200 / 595, 2);
    expect(findings[0]?.box?.y).toBeCloseTo((842 - 620) / 842, 2);
  });

  test('says nothing by other fields, or empty ones', async () => {
    const fields = [
      { name: 'date_of_birth', value: '2031-07-15' },
      { name: 'valid_until', value: '' },
    ];
    expect((await read(form(fields), 'form.pdf')).findings).toEqual([]);
  });
});
