import { stylesOf, textCell, xlsxOf } from './workbooks.js';

/** A list of forty papers as a fleet manager keeps it, in a language. */
interface FleetWords {
  readonly title: string;
  readonly headers: readonly string[];
  /** Papers of vehicles. Each vehicle has all of them. */
  readonly papers: readonly string[];
  /** Dates as people write them, which all mean a day of 2027 or 2028. */
  readonly dates: readonly string[];
  readonly endless: string;
  /** A day that no calendar has, and what was meant. */
  readonly wrong: string;
  readonly right: string;
}

/** Lists in three languages. The fourth column has dates, the fifth names of people. */
export const fleetWords = {
  de: {
    title: 'Fahrzeugpapiere Fuhrpark Nord, Stand November 2026',
    headers: ['Dokument', 'Art', 'Kennzeichen', 'Gültig bis', 'Verantwortlicher', 'Kosten', 'Bemerkung'],
    papers: ['Hauptuntersuchung', 'UVV-Prüfung', 'Versicherung', 'Tachoprüfung'],
    dates: ['31.12.27', '12/2027', '28. Februar 2027', '1.3.2028', 'März 2027', '30.06.2027'],
    endless: 'unbefristet',
    wrong: '31.02.2027',
    right: '28.02.2027',
  },
  en: {
    title: 'Vehicle papers, northern fleet, November 2026',
    headers: ['Document', 'Type', 'Number plate', 'Valid until', 'Responsible person', 'Cost', 'Remarks'],
    papers: ['Annual inspection', 'Insurance', 'Road tax', 'Tachograph check'],
    dates: ['12/31/27', '12/2027', 'February 28, 2027', '3/1/2028', 'Mar 2027', '06/30/2027'],
    endless: 'n/a',
    wrong: '02/31/2027',
    right: '02/28/2027',
  },
  es: {
    title: 'Documentos de la flota norte, noviembre de 2026',
    headers: [
      'Documento',
      'Tipo',
      'Matrícula',
      'Fecha de caducidad',
      'Responsable',
      'Coste',
      'Observaciones',
    ],
    papers: ['ITV', 'Seguro', 'Impuesto de circulación', 'Revisión del tacógrafo'],
    dates: ['31/12/27', '12/2027', '28 de febrero de 2027', '1/3/2028', 'marzo de 2027', '30/06/2027'],
    endless: 'indefinido',
    wrong: '31/02/2027',
    right: '28/02/2027',
  },
} as const satisfies Readonly<Record<string, FleetWords>>;

/** Plates of the ten vehicles of each list. */
export const fleetPlates = (language: keyof typeof fleetWords): string[] =>
  Array.from({ length: 10 }, (_, at) => `HH-${language.toUpperCase()} ${101 + at}`);

/**
 * Makes the list as a workbook: a title above the header, an empty line, cells with dates of Excel beside texts, and a
 * last line with a sum of costs that no row of papers is.
 * @param colleague a name of nobody whom the gateway knows, in half of the rows
 * @param me the name of who imports
 */
export function fleetList(
  language: keyof typeof fleetWords,
  { colleague, me }: { readonly colleague: string; readonly me: string },
): Promise<Buffer> {
  const { title, headers, papers, dates, endless, wrong }: FleetWords = fleetWords[language];
  const serial = (value: number) => `<c s="1"><v>${value}</v></c>`;
  const rows = fleetPlates(language).flatMap((plate, vehicle) =>
    papers.map((paper, at) => {
      const n = vehicle * papers.length + at;
      // 46388 is the first day of 2027.
      const date =
        n === 3
          ? textCell(wrong)
          : n >= 38
            ? textCell(endless)
            : n % 2 === 0
              ? serial(46_388 + n * 7)
              : textCell(dates[((n - 1) / 2) % dates.length] ?? '');
      const cost = `<c><v>${49 + n}</v></c>`;
      return [
        ...[paper, headers[1] ?? '', plate].map(textCell),
        ...[date, textCell(n % 2 === 0 ? colleague : me), cost, textCell(n === 0 ? 'ADAC' : '')],
      ].join('');
    }),
  );
  const xml = [[textCell(title)], [], headers.map(textCell), ...rows.map((row) => [row])]
    .map((cells, at) => (cells.length > 0 ? `<row r="${at + 1}">${cells.join('')}</row>` : ''))
    .join('');
  return xlsxOf([{ name: 'Fuhrpark', rows: xml }], { 'xl/styles.xml': stylesOf() });
}
