import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkDigit,
  nearestDay,
  readGs1Expiry,
  readLicenceBarcode,
  readMachineReadableZone,
} from '../../src/domain/documents/machine-readable.js';

const today = new Date('2026-11-25T00:00:00Z');

/** Writes a passport's second line with right check digits. */
function secondLine(number: string, birth: string, expires: string, optional: string): string {
  const checked = (text: string) => text + checkDigit(text);
  const [one, two, three, four] = [
    checked(number.padEnd(9, '<')),
    checked(birth),
    checked(expires),
    checked(optional.padEnd(14, '<')),
  ];
  return `${one}UTO${two}F${three}${four}${checkDigit(one + two + three + four)}`;
}

const first = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<';

describe('readMachineReadableZone', () => {
  test.each([
    // The specimens of ICAO 9303, parts 4 to 6.
    ['TD3', `${first}\nL898902C36UTO7408122F1204159ZE184226B<<<<<10`],
    ['TD2', 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nD231458907UTO7408122F1204159<<<<<<<6'],
    ['TD1', 'I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<'],
  ])('reads %s', (_kind, text) => {
    expect(readMachineReadableZone(`UTOPIA\n${text}\n`, today)).toEqual({
      expires: '2012-04-15',
      number: text.includes('L8989') ? 'L898902C3' : 'D23145890',
      holder: 'ANNA MARIA ERIKSSON',
    });
  });

  test('forgives spaces, guillemets, lost fillers, and letters that look like digits', () => {
    const second = 'L898902C36UTO74O8I22F12O4IS9ZE184226B<<<<<1O';
    const text = `P<UTOERIKSSON«ANNA<MARIA<<<<<<<<<<<<<<<<<\n${second.slice(0, 20)} ${second.slice(20)}`;
    expect(readMachineReadableZone(text, today)?.expires).toBe('2012-04-15');
  });

  test('reads the long number of an identity card', () => {
    const number = 'D23145890734';
    const line = `I<UTO${number.slice(0, 9)}<${number.slice(9)}${checkDigit(number)}`.padEnd(30, '<');
    const dates = `${'740812'}${checkDigit('740812')}F310715${checkDigit('310715')}UTO<<<<<<<<<<<`;
    const whole = line.slice(5) + dates.slice(0, 7) + dates.slice(8, 15) + dates.slice(18);
    const text = `${line}\n${dates}${checkDigit(whole)}\nERIKSSON<<ANNA<MARIA<<<<<<<<<<`;
    expect(readMachineReadableZone(text, today)).toMatchObject({ number, expires: '2031-07-15' });
  });

  const days = fc
    .date({ min: new Date('1980-01-01'), max: new Date('2070-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const numbers = fc.stringMatching(/^[A-Z0-9]{9}$/);

  test('reads every passport that was written', () => {
    fc.assert(
      fc.property(days, numbers, (day, number) => {
        const line = secondLine(number, '740812', day.slice(2).replaceAll('-', ''), '');
        expect(readMachineReadableZone(`${first}\n${line}`, today)).toMatchObject({ expires: day, number });
      }),
    );
  });

  test('never takes a changed digit of the date', () => {
    fc.assert(
      fc.property(days, numbers, fc.nat(5), fc.integer({ min: 1, max: 9 }), (day, number, place, more) => {
        const line = secondLine(number, '740812', day.slice(2).replaceAll('-', ''), '');
        const at = 21 + place;
        const digit = (Number(line[at]) + more) % 10;
        const changed = `${line.slice(0, at)}${digit}${line.slice(at + 1)}`;
        expect(readMachineReadableZone(`${first}\n${changed}`, today)).toBeNull();
      }),
    );
  });

  test('finds nothing in other texts, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 40, maxLength: 48 }), (one, other) => {
        expect(readMachineReadableZone(`${one}\n${other}`, today)).toBeNull();
      }),
    );
  });
});

test.each([
  ['310715', '2031-07-15'],
  ['760101', '2076-01-01'],
  ['770101', '1977-01-01'],
  ['310230', null],
  ['31071', null],
])('the day nearest to today of %s is %s', (text, day) => {
  expect(nearestDay(text, today)).toBe(day);
});

describe('readLicenceBarcode', () => {
  const licence = (country: string, expires: string) =>
    `@\n\x1e\rANSI 636026080102DL00410288ZA03290015DLDAQD12345678\nDCSSAMPLE\nDDEN\nDACJANE\nDBA${expires}\nDBB01061973\nDCG${country}\r`;

  test.each([
    ['USA', '07152031'],
    ['CAN', '20310715'],
    ['', '07152031'],
  ])('reads a licence of "%s"', (country, expires) => {
    expect(readLicenceBarcode(licence(country, expires))).toEqual({
      expires: '2031-07-15',
      number: 'D12345678',
      holder: 'JANE SAMPLE',
    });
  });

  test('takes no date that does not exist, or that could be two', () => {
    expect(readLicenceBarcode(licence('USA', '20310715'))?.expires).toBeNull();
    expect(readLicenceBarcode(licence('', '12122012'))?.expires).toBe('2012-12-12');
    expect(readLicenceBarcode(licence('', '19991999'))?.expires).toBeNull();
  });

  test('takes no other barcode', () => {
    fc.assert(fc.property(fc.string(), (text) => readLicenceBarcode(text) === null));
    expect(readLicenceBarcode('https://example.com/DBA07152031')).toBeNull();
  });
});

test.each([
  ['01095011010209171731071510ABC123', '2031-07-15'],
  ['010950110102091710ABC123\x1d17310715', '2031-07-15'],
  ['010950110102091710ABC17310715', null],
  ['12345', null],
  ['310300175017310715', '2031-07-15'],
  ['0109501101020917392200125017310715', null],
  ['0109501101020917392212\x1d17310715', '2031-07-15'],
  ['410950110102091711280131173107151', '2031-07-15'],
  ['010950110102091717320200', '2032-02-29'],
  ['01095011010209171731070010ABC123', '2031-07-31'],
  ['010950110102091717311300', null],
  ['010950110102091721X1\x1d70033107151200', '2031-07-15'],
])('GS1 %j expires %s', (text, day) => {
  expect(readGs1Expiry(text, today)).toBe(day);
});
