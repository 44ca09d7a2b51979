import '../../styles/index.css';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Grid } from './grid';

/** The rows and columns of the page. */
const [rows, columns] = [5_000, 40];

const heads = Array.from({ length: columns }, (_, column) =>
  column === 0
    ? { name: 'line', label: 'Line', width: 90 }
    : { name: `c${column}`, label: `Column ${column}`, width: 120 + (column % 3) * 30 },
);

/** Renders the grid alone, for `test/browser/console/grid.test.ts`. Texts that are no numbers are wrong in column 2. */
function GridPage() {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [lost, setLost] = useState(0);
  return (
    <main style={{ padding: '16px' }}>
      <h1>Grid</h1>
      <Grid
        title="Rows of a file"
        rows={rows}
        columns={heads}
        cellAt={(row, column) => {
          const text = texts.get(`${row} ${column}`) ?? (column === 0 ? `${row + 1}` : `${row}/${column}`);
          const isWrong = column === 2 && texts.has(`${row} ${column}`) && !/^\d*$/.test(text);
          return {
            text,
            isFixed: column === 3,
            ...(isWrong && { error: `“${text}” is no number` }),
          };
        }}
        onChange={(changes, without) => {
          setTexts(
            (old) =>
              new Map([
                ...old,
                ...changes.map(({ row, column, text }) => [`${row} ${column}`, text] as const),
              ]),
          );
          setLost(without);
        }}
      />
      <p id="lost">{lost}</p>
    </main>
  );
}

const root = document.getElementById('app');
if (root) render(<GridPage />, root);
