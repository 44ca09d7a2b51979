import { describe, expect, test } from 'vitest';
import { DocumentWords, plainNumber, type WordSource } from '../../src/domain/documents/document-words.js';

const box = { x: 0.1, y: 0.2, width: 0.3, height: 0.04 };

const source = (text: string, confidence = 96): WordSource => ({
  text,
  page: 1,
  place: () => ({ confidence, box }),
});

const find = async (text: string, name: string, mayBePart = false) =>
  (await DocumentWords.of([source(text)])).find(name, mayBePart);

describe('a name in a document', () => {
  test.each([
    ['Holder: ANA DIAZ', 'Ana Diaz', 'ANA DIAZ', 1],
    ['Holder: ANA DÍAZ', 'Ana Diaz', 'ANA DÍAZ', 1],
    // Decomposed, as file names of macOS are.
    ['Holder: ANA DI\u0301AZ', 'Ana Díaz', 'ANA DI\u0301AZ', 1],
    ['Diaz, Ana', 'Ana Diaz', 'Diaz, Ana', 0.97],
    ['Ana María Diaz', 'Ana Diaz', 'Ana María Diaz', 0.97],
    ['Holder ANA\nDIAZ', 'Ana Diaz', 'ANA DIAZ', 1],
    // One letter of seven is wrong, as recognized words have it.
    ['ANA D1AZ', 'Ana Diaz', 'ANA D1AZ', 0.857],
    ['JUERGEN MUELLER', 'Jürgen Müller', 'JUERGEN MUELLER', 1],
    ['STRASSE 5', 'Straße 5', 'STRASSE 5', 1],
    ['IŞIK AYDIN', 'Işık Aydın', 'IŞIK AYDIN', 1],
    ['write to ana.diaz@example.com', 'ana.diaz@example.com', 'ana.diaz@example.com', 1],
  ])('%s has %s', async (text, name, words, similarity) => {
    const mention = await find(text, name);
    expect(mention).toMatchObject({ words, page: 1, box, confidence: 96 });
    expect(mention?.similarity).toBeCloseTo(similarity, 2);
  });

  test.each([
    ['ANA DIEZ ADIAZ', 'Anna Dias'],
    ['ANNA D1AZ', 'Ana Diaz'],
    ['Ana lives with Bo and Cy Diaz', 'Ana Diaz'],
    ['Bob', 'Rob'],
    ['ban bar baz', 'Bat'],
    ['silence', 'Licence'],
    ['Insurances', 'Insur'],
    ['the', 'of'],
    ['', 'Ana Diaz'],
    ['Ana Diaz', ' '],
  ])('%s does not have %s', async (text, name) => {
    expect(await find(text, name)).toBeNull();
  });

  test('may be the beginning of a longer word, where that is allowed', async () => {
    expect(await find('Versicherungskarte', 'Versicherung')).toBeNull();
    expect(await find('Versicherungskarte', 'Versicherung', true)).toMatchObject({ similarity: 0.85 });
  });

  test('does not continue on another page', async () => {
    const words = await DocumentWords.of([source('Ana'), source('Diaz')]);
    expect(words.find('Ana Diaz')).toBeNull();
  });

  test('is found where it is most similar', async () => {
    const mention = await find('ANA D1AZ, later ANA DIAZ', 'Ana Diaz');
    expect(mention).toMatchObject({ similarity: 1, from: 3, to: 4 });
  });
});

test('of a long name, the first 16 words are compared', async () => {
  const words = Array.from({ length: 16 }, (_, at) => `word${at}`).join(' ');
  expect(await find(`Certificate ${words}`, `${words} and more`)).toMatchObject({ similarity: 1 });
});

test('numbers are the same whatever separates them, and with letters like their digits', () => {
  expect(plainNumber('l-1O0 45.B')).toBe('1100458');
  expect(plainNumber('11 004 5/8')).toBe('1100458');
});

test('very long and hostile texts take little time', async () => {
  const texts = ['a '.repeat(100_000), `${'x'.repeat(200_000)}`, 'ab'.repeat(12).concat(' ').repeat(8_000)];
  for (const text of [...texts, '\u0301'.repeat(200_000)]) {
    const words = await DocumentWords.of([source(text)]);
    const start = performance.now();
    for (let count = 0; count < 1_000; count += 1) words.find(`a a a a a a a a ${count}`);
    words.find('a '.repeat(120));
    expect(performance.now() - start).toBeLessThan(2_000);
  }
});
