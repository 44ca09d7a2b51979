import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateInFileName, nameOfFile } from '../../src/domain/documents/file-names.js';
import { compose, fold } from '../../src/domain/documents/written-dates.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { anyDay, bound, hostile, locales, partsOf, repeated, spoken } from './written-dates.support.js';

const today = new Date('2026-11-27T12:00:00Z');

/** Returns the labelled date of a name that begins with a label. */
const labelled = (name: string) => {
  const found = dateInFileName(name, today);
  return found?.isLabelled ? found.date : null;
};

/** Adds a label before the base name of a path. */
const withLabel = (name: string) => name.replace(/[^/\\]*$/, (base) => `valid until ${base}`);

describe('dateInFileName', () => {
  test.each([
    ['licence 2031-07-15.pdf', '2031-07-15'],
    ['permit_15-07-2031.pdf', '2031-07-15'],
    ['07-15-2031 permit.pdf', '2031-07-15'],
    ['20310715-card.pdf', '2031-07-15'],
    ['2031_07_15', '2031-07-15'],
    ['2031.7.15.pdf', '2031-07-15'],
    ['15.7.2031.pdf', '2031-07-15'],
    ['15 07 2031.pdf', '2031-07-15'],
    ['card 15 - 07 - 2031.pdf', '2031-07-15'],
    ['licence2031-07-15final.pdf', '2031-07-15'],
    ['15 Jul 2031.pdf', '2031-07-15'],
    ['15JUL2031.pdf', '2031-07-15'],
    ['2031-Jul-15.pdf', '2031-07-15'],
    ['July 15, 2031.pdf', '2031-07-15'],
    ['July-15th-2031.pdf', '2031-07-15'],
    ['15_Juli_2031.pdf', '2031-07-15'],
    ['15. März 2031.pdf', '2031-03-15'],
    ['1er août 2031.pdf', '2031-08-01'],
    // As macOS writes it: a letter, then its accent.
    ['1er aou\u0302t 2031.pdf', '2031-08-01'],
    ['15 de julio de 2031.pdf', '2031-07-15'],
    ['2032-02-29.pdf', '2032-02-29'],
    // Both orders mean the same day.
    ['05-05-2031.pdf', '2031-05-05'],
    // The same day twice, or a day that only one reading of the other has.
    ['2031-07-15 (15 Jul 2031).pdf', '2031-07-15'],
    ['2031-07-05 05-07-2031.pdf', '2031-07-05'],
    // Folders are no part of the name.
    ['2020-01-01/licence 2031-07-15.pdf', '2031-07-15'],
    ['C:\\scans\\2020-01-01\\licence 2031-07-15.pdf', '2031-07-15'],
  ])('%s: %s', (name, date) => {
    expect(labelled(withLabel(name))).toBe(date);
  });

  test.each([
    '',
    'licence.pdf',
    // Day and month, or month and day?
    '05-07-2031.pdf',
    '05.07.2031.pdf',
    '5 7 2031.pdf',
    // Several days, among them those that share digits.
    '2021-07-15 - 2031-07-15.pdf',
    '2031-07-15-2032.pdf',
    '15-07-2031-08-16.pdf',
    // No day of the calendar.
    '2031-02-30.pdf',
    '2031-02-29.pdf',
    '29-02-2031.pdf',
    '20310230.pdf',
    '31 June 2031.pdf',
    '2031-13-13.pdf',
    '13-13-2031.pdf',
    '00-07-2031.pdf',
    '2031-07-00.pdf',
    // Digits of something longer.
    '1203107150.pdf',
    '120310715.pdf',
    '203107155.pdf',
    '12031-07-15.pdf',
    '2031-07-155.pdf',
    '115 Jul 2031.pdf',
    '15 Jul 20311.pdf',
    // Years that no document of today bears, or that are not all there.
    '1899-12-31.pdf',
    '2200-01-01.pdf',
    '15-07-31.pdf',
    '15 Jul 31.pdf',
    // Other forms.
    '2031-07.pdf',
    'July 2031.pdf',
    '15072031.pdf',
    '2031-07_15.pdf',
    '15 Julian 2031.pdf',
    '15 Jul / Aug 2031.pdf',
    // Digits of other scripts.
    '２０３１-０７-１５.pdf',
    '٢٠٣١-٠٧-١٥.pdf',
    // The folder's date is not the file's.
    '2031-07-15/licence.pdf',
  ])('%j: none', (name) => {
    expect(dateInFileName(name, today)).toBeNull();
    expect(dateInFileName(withLabel(name), today)).toBeNull();
  });

  test('finds a day in every form that can mean no other', () => {
    const label = fc.constantFrom(
      'exp ',
      'EXP-',
      'Scan exp. ',
      'licence_valid-until_',
      'ValidThru',
      'gültig bis ',
    );
    const around = fc.constantFrom('', 'a', ' ', '_', ' scan', ' licence', '.pdf', ' (2)');
    fc.assert(
      fc.property(
        anyDay,
        label,
        around,
        fc.constantFrom('-', '.', '/', '_', ' '),
        (day, before, after, by) => {
          const { year, month, date, d, m } = partsOf(day);
          const numeric = Number(d) > 12 || d === m ? [date, month, year].join(by) : day;
          for (const form of [
            day,
            [year, month, date].join(by),
            [year, m, d].join(by),
            year + month + date,
            numeric,
          ]) {
            // In a path, `/` parts folders.
            if (!form.includes('/')) expect(labelled(before + form + after)).toBe(day);
          }
        },
      ),
    );
  });

  test('finds a day with the name of its month, as six languages write it', () => {
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...locales), (day, locale) => {
        expect(labelled(`permit valid until ${spoken(day, locale, 'long')}.pdf`)).toBe(day);
      }),
    );
  });

  test('never guesses which number is the day', () => {
    const number = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        number,
        number,
        fc.constantFrom('-', '.', '_', ' '),
        fc.boolean(),
        (one, two, by, padded) => {
          const digits = [one, two].map((part) => String(part).padStart(padded ? 2 : 1, '0'));
          const date = labelled(`permit exp ${[...digits, '2031'].join(by)}.pdf`);
          expect(date === null).toBe(one !== two);
        },
      ),
    );
  });

  test('answers any name with a day of the calendar or none', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '2031',
        '15',
        '07',
        '7',
        '-',
        '.',
        '_',
        ' ',
        'Jul',
        'août',
        '/',
        '20310715',
        'exp',
        '31',
        '02',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const date = dateInFileName(parts.join(''), today)?.date;
        if (date) expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(hostile)('takes no longer than it should for many times %j', async (pattern) => {
    expect(await cpuTimeOf(() => dateInFileName(repeated(pattern), today))).toBeLessThan(bound);
  });
});

describe('a label in a file’s name', () => {
  test.each([
    ...[
      'exp 2031-07-15',
      'EXP2031-07-15',
      'exp. 15 Jul 2031',
      'expires_2031-07-15',
      'expiry-date-2031-07-15',
    ],
    ...['valid-until-2031-07-15', 'ValidUntil_20310715', 'valid thru 2031-07-15', 'good through 2031-07-15'],
    ...['gueltig-bis-2031-07-15', 'gültig bis 15.07.2031', 'GÜLTIG_BIS_2031-07-15', 'Ablaufdatum 2031-07-15'],
    ...[
      "valable jusqu'au 15-07-2031",
      'valable-jusqu-au-2031-07-15',
      'expire le 15 juillet 2031',
      'échéance 2031-07-15',
    ],
    ...[
      'caduca 2031-07-15',
      'válido hasta 15 de julio de 2031',
      'vence_2031-07-15',
      'fecha-de-caducidad-2031-07-15',
    ],
    ...['scadenza 2031-07-15', 'scade il 15 luglio 2031', 'valido fino al 2031-07-15'],
    ...[
      'geldig tot 2031-07-15',
      'geldig-tm-2031-07-15',
      'vervaldatum 2031-07-15',
      'verloopt op 15 juli 2031',
    ],
    ...['2031-07-15 exp', '2031-07-15_expires', '20310715-valid-until'],
  ])('%s', (words) => {
    for (const name of [
      '{}.pdf',
      'Licence {}.pdf',
      'IMG_20261127 {}.jpg',
      'Scan 2026-11-27 {} (2).pdf',
      '{}_licence.jpeg',
    ])
      expect(labelled(name.replace('{}', words))).toBe('2031-07-15');
  });

  test('may be in the past, and tells which number is the day', () => {
    expect(labelled('exp 2020-01-31.pdf')).toBe('2020-01-31');
    expect(labelled('gültig bis 05.07.2031.pdf')).toBe('2031-07-05');
    expect(labelled('exp 05.07.2031.pdf')).toBeNull();
  });

  test.each([
    'not valid until 2031-07-15.pdf',
    'issued 2031-07-15.pdf',
    'valid from 2031-07-15.pdf',
    'born 2031-07-15.pdf',
    'ausgestellt am 15 Juli 2031.pdf',
    // Two dates that a label may mean.
    'exp 2031-07-15 2032-07-15.pdf',
    'exp 2031-07-15, expires 2032-07-15.pdf',
  ])('is not beside the date of %s', (name) => {
    expect(labelled(name)).toBeNull();
  });
});

describe('a date without a label', () => {
  test.each([
    ...[
      'Trade licence 2031-07-15.pdf',
      'permit_15-07-2031.pdf',
      '20310715-card.pdf',
      'Führerschein 15. Juli 2031.pdf',
    ],
    ...['Sam Brown visa 2031-07-15.pdf', 'Scan of my licence 2031-07-15.pdf', '2031-07-15 passport.jpg'],
    ...['Brother Ltd insurance 2031-07-15.pdf', 'Line 4 permit 2031-07-15.pdf', 'licence 2031-07-15.heic'],
  ])('is suggested: %s', (name) => {
    expect(dateInFileName(name, today)).toEqual({ date: '2031-07-15', isLabelled: false });
  });

  test.each([
    ['2026-11-29', true],
    ['2026-11-28', false],
    ['2026-11-27', false],
    ['2020-01-31', false],
    ['2056-11-27', true],
    ['2056-11-28', false],
  ])('of %s is clearly in the future: %s', (date, expected) => {
    expect(dateInFileName(`licence ${date}.pdf`, today) !== null).toBe(expected);
  });
});

/** Names that devices and programs give files, with their day as it stands in them. */
const deviceNames = [
  ...['20311127_031200.jpg', '20311127_031200(0).jpg', '20311127_031200~2.jpg', '2031-11-27 03.12.11.jpg'],
  ...[
    '2031-11-27 03.12.pdf',
    '2031-11-27_03-12-11.png',
    '2031-11-27T03-12-11.pdf',
    '2031-11-27.pdf',
    '20311127.pdf',
  ],
  ...[
    'IMG_20311127_031200.jpg',
    'IMG_20311127_031200_HDR.jpg',
    'IMG-20311127-WA0003.jpg',
    'IMG_20311127.jpg',
  ],
  ...['IMG_20311127_031200_Burst01.jpg', 'MVIMG_20311127_031200.jpg', 'PXL_20311127_031200123.jpg'],
  ...[
    'PXL_20311127_031200123.MP.jpg',
    'PXL_20311127_031200123.PORTRAIT-01.COVER.jpg',
    'DSC_20311127_0001.JPG',
  ],
  ...[
    'DSC 2031-11-27.JPG',
    'WP_20311127_001.jpg',
    'WIN_20311127_03_12_00_Pro.jpg',
    'VID-20311127-WA0001.mp4',
  ],
  ...[
    'VID_20311127_031200.mp4',
    'PANO_20311127_031200.jpg',
    'PTT-20311127-WA0001.opus',
    'DOC-20311127-WA0001.pdf',
  ],
  ...['WhatsApp Image 2031-11-27 at 03.12.11.jpeg', 'WhatsApp Image 2031-11-27 at 3.12.11 AM (1).jpeg'],
  ...[
    'WhatsApp Bild 2031-11-27 um 03.12.11.jpeg',
    'WhatsApp Scan 2031-11-27.pdf',
    'signal-2031-11-27-031200.jpeg',
  ],
  ...['signal-2031-11-27-03-12-11-123.jpg', 'photo_2031-11-27_03-12-00.jpg', 'image_2031-11-27_031200.png'],
  ...[
    'Viber Image 2031-11-27 03-12-11-123.jpg',
    'LINE_ALBUM_20311127_311127_1.jpg',
    'FB_IMG_20311127_031200.jpg',
  ],
  ...[
    'Screenshot_20311127-031200.png',
    'Screenshot_20311127-031200_Chrome.jpg',
    'Screenshot 2031-11-27 031200.png',
  ],
  ...['Screenshot from 2031-11-27 03-12-11.png', 'Screen Shot 2031-11-27 at 3.12.11 AM.png'],
  ...['Bildschirmfoto 2031-11-27 um 03.12.11.png', 'Capture d’écran 2031-11-27 à 03.12.11.png'],
  ...['Captura de pantalla 2031-11-27 a las 3.12.11.png', 'Schermata 2031-11-27 alle 03.12.11.png'],
  ...['Schermafbeelding 2031-11-27 om 03.12.11.png', 'Screenrecording_20311127_031200.mp4'],
  ...[
    'Scan 2031-11-27.pdf',
    'Scan_20311127.pdf',
    'scan0001_20311127.pdf',
    'Scan 27 Nov 2031.pdf',
    'Scan 27.11.2031.pdf',
  ],
  ...[
    'SCAN_20311127_031200.pdf',
    'Scanned Document 2031-11-27.pdf',
    'Scanned Documents 27 Nov 2031.pdf',
    'Nov 27, 2031.pdf',
  ],
  ...[
    'CamScanner 11-27-2031 03.12.pdf',
    'CamScanner 27-11-2031 03.12_1.jpg',
    'New Doc 2031-11-27 03.12.11.pdf',
  ],
  ...[
    'Adobe Scan 27 Nov 2031.pdf',
    'Adobe Scan Nov 27, 2031.pdf',
    'Adobe Scan 27-nov.-2031.pdf',
    'Genius Scan 2031-11-27.pdf',
  ],
  ...['TurboScan 2031-11-27.pdf', 'Office Lens 20311127-031200.jpg', 'Microsoft Lens 2031-11-27.pdf'],
  ...[
    'Scannable Document on Nov 27, 2031 at 3_12_11 AM.pdf',
    'Scanbot 27. Nov 2031 03.12.pdf',
    'HP Scan 2031-11-27.pdf',
  ],
  ...[
    'EPSON_20311127.pdf',
    'img20311127_03120000.pdf',
    'Doc Nov 27 2031.pdf',
    'Document 2031-11-27.pdf',
    'Dokument_2031-11-27.pdf',
  ],
  ...[
    'Neues Dokument 2031-11-27.pdf',
    'Neues Dokument 2031-11-27 03.12.11.pdf',
    'Gescanntes Dokument 27.11.2031.pdf',
  ],
  ...[
    'Nouveau document 2031-11-27.pdf',
    'Numérisation_20311127.pdf',
    'Escaneado 2031-11-27.pdf',
    'Nuevo documento 2031-11-27.pdf',
  ],
  ...[
    'Scansione 2031-11-27.pdf',
    'Nuovo documento 2031-11-27.pdf',
    'Gescand document 2031-11-27.pdf',
    'Nieuw document 2031-11-27.pdf',
  ],
  ...[
    'Photo 27 Nov 2031 03.12.pdf',
    'Foto 27.11.2031 03.12.pdf',
    'Photo on 2031-11-27 at 3.12 PM.jpg',
    'Fax 2031-11-27.pdf',
  ],
  ...['Untitled 2031-11-27.pdf', 'Copy of Scan 2031-11-27 (3).pdf', 'Evernote Snapshot 20311127 031200.png'],
  ...[
    'Xerox Scan 2031-11-27.pdf',
    'Xerox Scan_11272031031200.pdf',
    '20311127031200001.pdf',
    'doc00012320311127031200.pdf',
    'SKM_C25831112703120.pdf',
    'CCE_20311127_0001.pdf',
    'SCN_20311127_0001.pdf',
    'BRW_20311127_000123.pdf',
    'MX-2640N_20311127_031200.pdf',
    'MFP 2031-11-27.pdf',
    'RNP002673_20311127.pdf',
    'Lexmark_20311127.pdf',
    'Signed 2031-11-27.pdf',
    'Contract signed 2031-11-27.pdf',
    'Completed_2031-11-27.pdf',
    'DocuSign 2031-11-27.pdf',
    'Vertrag unterschrieben 2031-11-27.pdf',
    'Vertrag unterzeichnet am 27.11.2031.pdf',
    'Contrat signé le 27-11-2031.pdf',
    'Contrato firmado 2031-11-27.pdf',
    'Contratto firmato 2031-11-27.pdf',
    'Contract ondertekend 27 nov 2031.pdf',
    '2031-11-27 signed contract.pdf',
    'Teams 2031-11-27.png',
    'Instagram_20311127.jpg',
    'telegram-cloud-photo 2031-11-27.jpg',
    'Discord 2031-11-27.png',
    'Skype_Picture_2031_11_27T03_12_11.jpeg',
    'GMT20311127-031200_Recording.mp4',
    'Threema-20311127-031200.jpg',
    'Enregistrement de l’écran 2031-11-27.mov',
    'Grabación de pantalla 2031-11-27.mov',
    'Registrazione schermo 2031-11-27.mov',
    'Captura 2031-11-27.png',
    'Notizen 2031-11-27.pdf',
    'Ausdruck 2031-11-27.pdf',
    'Scansionato_20311127-0312.pdf',
    'Dropbox Scan 2031-11-27.pdf',
    'Google Drive Scan 2031-11-27.pdf',
    'iScanner 2031-11-27.pdf',
    'vFlat 2031-11-27.jpg',
  ],
];

describe('a device’s or program’s name', () => {
  test.each(deviceNames)('%s has no expiration date', (name) => {
    expect(dateInFileName(name, today)).toBeNull();
    const thatDay = new Date('2031-11-27T03:12:00Z');
    expect(dateInFileName(name, thatDay)).toBeNull();
    expect(dateInFileName(`scans/${name.toUpperCase()}`, today)).toBeNull();
  });

  test('has one if a person adds it with its label', () => {
    fc.assert(
      fc.property(fc.constantFrom(...deviceNames), anyDay, (name, day) => {
        expect(labelled(`${name.replace(/\.\w+$/, '')} expires ${day}.pdf`)).toBe(day);
      }),
    );
  });
});

test.each(['en-US', 'en-GB', 'de', 'fr', 'es', 'it', 'nl'])(
  'the console’s names of photos have none, in %s',
  (locale) => {
    const day = new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    for (const word of ['Photo', 'Foto'])
      expect(dateInFileName(`${word} ${day.format(new Date('2031-11-27'))} 03.12.pdf`, today)).toBeNull();
  },
);

describe('nameOfFile', () => {
  test.each([
    ['licence.pdf', 'licence'],
    ['licence 2031-07-15.pdf', 'licence 2031-07-15'],
    ['scans/2031/licence.PDF', 'licence'],
    ['C:\\scans\\licence.jpeg', 'licence'],
    ['  Führerschein .pdf ', 'Führerschein'],
    ['archive.tar.gz', 'archive.tar'],
    ['clip.mp4', 'clip'],
    ['archive.7z', 'archive'],
    ['licence', 'licence'],
    // These endings tell no type.
    ['15.07.2031', '15.07.2031'],
    ['Lease of St. Mary', 'Lease of St. Mary'],
    ['letter to J.Doe-Smith', 'letter to J.Doe-Smith'],
    // Where nothing would be left.
    ['.pdf', '.pdf'],
    ['scans/', 'scans/'],
    [' ', ''],
    ['', ''],
  ])('%j: %j', (file, name) => {
    expect(nameOfFile(file)).toBe(name);
  });

  test('fits a line of 255 characters, none of them in half', () => {
    expect(nameOfFile(`${'x'.repeat(300)}.pdf`)).toBe('x'.repeat(255));
    expect(nameOfFile(`${'🚗'.repeat(300)}.pdf`)).toBe('🚗'.repeat(255));
    expect(nameOfFile(`${'x'.repeat(254)} yz.pdf`)).toBe('x'.repeat(254));
  });

  test('is empty only for an empty name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (file) => {
        expect(nameOfFile(file) === '').toBe(file.trim() === '');
      }),
    );
  });
});

describe('fold', () => {
  test('leaves each place where it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(text)).toHaveLength(text.length);
      }),
      { numRuns: 2_000 },
    );
    expect(fold('GÜLTIG jusqu’au\u00a0İ 1–2')).toBe("gultig jusqu'au i 1-2");
  });

  test('knows letters and accents apart from each other as one', () => {
    expect(fold(compose('A\u0308BE\u0301'))).toBe('abe');
  });
});
