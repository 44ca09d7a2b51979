// Tables cannot have cells left out on two sides, and the focus is the grid's: it says which cell is active.
// biome-ignore-all lint/a11y/useSemanticElements: its rows and columns are virtual.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus of its cells.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid has the keys of its cells.
// biome-ignore-all lint/a11y/noStaticElementInteractions: the role of a cell depends on its column.
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role of a cell depends on its column.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a grid is filled in by keys.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import './grid.css';
import { type Area, areaOf, type Cell, moved, readTable, windowOf, writeTable } from './cells';

/** A column of a grid. */
export interface GridColumn {
  readonly name: string;
  readonly label: string;
  /** Its width in pixels. */
  readonly width?: number;
}

/** The content of a cell. */
export interface GridCell {
  readonly text: string;
  /** The error that stands in it. */
  readonly error?: string | undefined;
  /** True if it cannot be changed. */
  readonly isFixed?: boolean;
  /** Shown in place of its text, which is what is copied. Links in it are not in the order of the Tab key. */
  readonly content?: ComponentChildren;
}

/** A new text of a cell. */
export interface CellChange extends Cell {
  readonly text: string;
}

interface GridProps {
  /** Its name, which is read out. */
  readonly title: string;
  /** The first one has the names of rows. It stays in view, and cannot be changed. */
  readonly columns: readonly GridColumn[];
  readonly rows: number;
  /** The rows with those that are not loaded and the head, as ARIA counts them. */
  readonly rowCount?: number | undefined;
  readonly cellAt: (row: number, column: number) => GridCell;
  /**
   * Takes new texts of cells that were filled in, pasted or cleared. `lost` is the number of
   * texts that had no cell, or one that cannot be changed. Without it, nothing can be changed.
   */
  readonly onChange?: (changes: readonly CellChange[], lost: number) => void;
  /** Opens a cell that cannot be changed. `isMore` is true for the space bar. */
  readonly onOpen?: (cell: Cell, isMore: boolean) => void;
  /** Is told when the last row comes near the window. */
  readonly onEnd?: () => void;
  /** The height of a row, and of the head, in pixels. */
  readonly rowHeight?: number;
}

const usualWidth = 160;
/** Rows or columns beyond the window that are there before somebody scrolls. */
const ahead = 3;

const isIn = ({ from, until }: Area, { row, column }: Cell) =>
  row >= from.row && row <= until.row && column >= from.column && column <= until.column;

interface EditorProps {
  readonly label: string;
  readonly text: string;
  /** Takes the text, and moves by so many rows and columns. */
  readonly onDone: (text: string, rows: number, columns: number) => void;
  readonly onCancel: () => void;
}

/** Places where grids were left, by their titles. Somebody who comes back finds them there. */
const left = new Map<string, { readonly top: number; readonly left: number; readonly at: Cell }>();

/** Renders the field in which a cell is filled in. */
function Editor({ label, text, onDone, onCancel }: EditorProps) {
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  const end = (done: () => void) => {
    if (isOver.current) return;
    isOver.current = true;
    done();
  };
  return (
    <input
      ref={field}
      class="gridfield"
      aria-label={label}
      defaultValue={text}
      onKeyDown={(event) => {
        event.stopPropagation();
        const { key, shiftKey, isComposing, currentTarget } = event;
        if (isComposing || !['Enter', 'Tab', 'Escape'].includes(key)) return;
        event.preventDefault();
        const step = shiftKey ? -1 : 1;
        if (key === 'Escape') end(onCancel);
        else end(() => onDone(currentTarget.value, key === 'Enter' ? step : 0, key === 'Tab' ? step : 0));
      }}
      onBlur={({ currentTarget }) => end(() => onDone(currentTarget.value, 0, 0))}
      onCopy={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
    />
  );
}

/**
 * Renders cells that are filled in like those of a spreadsheet, with its keys. Of many rows and columns, the page has
 * those near the window.
 */
export function Grid(props: GridProps) {
  const { title, columns, rows, rowCount, cellAt, onChange, onOpen, onEnd, rowHeight = 44 } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, height: 0, width: 0 });
  const [at, setAt] = useState<Cell>(
    () => left.get(title)?.at ?? { row: 0, column: Math.min(1, columns.length - 1) },
  );
  const [anchor, setAnchor] = useState(at);
  const [edited, edit] = useState<string>();
  const active = {
    row: Math.max(0, Math.min(at.row, rows - 1)),
    column: Math.max(0, Math.min(at.column, columns.length - 1)),
  };
  const isReadOnly = onChange === undefined;
  const area = areaOf(anchor, active);

  const measure = () => {
    // The browser may tell of sizes and scrolling when the grid is gone.
    if (!box.current) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = box.current;
    // Where one reads from the right, the browser counts below zero.
    setView({ top: scrollTop, left: Math.abs(scrollLeft), height: clientHeight, width: clientWidth });
  };
  const latest = useRef(active);
  latest.current = active;
  useLayoutEffect(() => {
    const to = box.current as HTMLDivElement;
    const before = left.get(title);
    if (before) to.scrollTo(before.left, before.top);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(to);
    return () => {
      observer.disconnect();
      left.set(title, { top: to.scrollTop, left: to.scrollLeft, at: latest.current });
    };
  }, []);

  const widths = columns.map(({ width = usualWidth }) => width);
  const headWidth = widths[0] ?? 0;
  const offsets = widths.map((_, column) => widths.slice(1, column).reduce((sum, width) => sum + width, 0));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const shownRows = windowOf(
    { from: view.top, length: view.height, ahead, count: rows, also: active.row },
    (row) => row * rowHeight,
  );
  const shownColumns = windowOf(
    {
      from: view.left,
      length: view.width - headWidth,
      ahead: 1,
      count: columns.length,
      also: active.column,
      first: 1,
    },
    (column) => offsets[column] ?? total,
  );

  const isAtEnd = rows > 0 && shownRows.at(-1) === rows - 1;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, rows]);

  function scrollTo({ row, column }: Cell) {
    const to = box.current as HTMLDivElement;
    const [top, left] = [row * rowHeight, offsets[column] ?? 0];
    const roomBelow = view.height - 2 * rowHeight;
    if (top < to.scrollTop) to.scrollTop = top;
    else if (top > to.scrollTop + roomBelow) to.scrollTop = top - roomBelow;
    if (column === 0) return;
    const sign = getComputedStyle(to).direction === 'rtl' ? -1 : 1;
    const roomBeside = view.width - headWidth - (widths[column] ?? 0);
    const now = Math.abs(to.scrollLeft);
    if (left < now) to.scrollLeft = sign * left;
    else if (left > now + roomBeside) to.scrollLeft = sign * (left - Math.max(0, roomBeside));
  }
  function goTo(cell: Cell, isExtending = false) {
    const row = Math.max(0, Math.min(rows - 1, cell.row));
    const column = Math.max(0, Math.min(columns.length - 1, cell.column));
    setAt({ row, column });
    if (!isExtending) setAnchor({ row, column });
    scrollTo({ row, column });
  }
  const canChange = ({ row, column }: Cell) =>
    !isReadOnly && column > 0 && cellAt(row, column).isFixed !== true;
  const begin = (text: string) => {
    if (rows > 0 && canChange(active)) edit(text);
  };
  const stop = () => {
    edit(undefined);
    box.current?.focus({ preventScroll: true });
  };
  /** Fills in texts from a cell on, where cells can be changed. */
  function fill(texts: readonly (readonly string[])[], from: Cell) {
    const all = texts.flatMap((line, down) =>
      line.map((text, right) => ({ row: from.row + down, column: from.column + right, text })),
    );
    const changes = all.filter((cell) => cell.row < rows && cell.column < columns.length && canChange(cell));
    onChange?.(
      changes.filter((cell) => cellAt(cell.row, cell.column).text !== cell.text),
      all.length - changes.length,
    );
  }
  const textsIn = ({ from, until }: Area, textOf: (cell: Cell) => string) =>
    Array.from({ length: until.row - from.row + 1 }, (_, down) =>
      Array.from({ length: until.column - from.column + 1 }, (_, right) =>
        textOf({ row: from.row + down, column: from.column + right }),
      ),
    );
  const copied = () => writeTable(textsIn(area, ({ row, column }) => cellAt(row, column).text));

  function press(event: KeyboardEvent) {
    if (rows === 0) return;
    const isOnWord = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 2);
    const next = moved(event.key, active, isOnWord, { page, rows, columns: columns.length });
    if (next) goTo(next, event.shiftKey);
    else if (['Enter', ' '].includes(event.key) && onOpen && !canChange(active))
      onOpen(active, event.key === ' ');
    else if (event.key === 'Enter' || event.key === 'F2') begin(cellAt(active.row, active.column).text);
    else if (event.key === 'Delete' || event.key === 'Backspace')
      fill(
        textsIn(area, () => ''),
        area.from,
      );
    else if (isOnWord && event.key.toLowerCase() === 'a') {
      setAnchor({ row: 0, column: 0 });
      setAt({ row: rows - 1, column: columns.length - 1 });
    } else if (event.key.length === 1 && !isOnWord && !event.altKey && !isReadOnly)
      begin(event.key === ' ' ? '' : event.key);
    else return;
    event.preventDefault();
    // Keys of the screen, such as `j` in lists, mean something else here.
    event.stopPropagation();
  }

  const cellId = ({ row, column }: Cell) => `${id}-${row}-${column}`;
  const draw = (row: number, column: number) => {
    const { text, error, isFixed = false, content } = cellAt(row, column);
    const isActive = row === active.row && column === active.column;
    const isMarked = column > 0 && isFixed && !isReadOnly;
    const classes = ['gridcell', isActive && 'at', isMarked && 'fixed', error && 'wrong'];
    return (
      <div
        key={column}
        id={cellId({ row, column })}
        role={column === 0 ? 'rowheader' : 'gridcell'}
        aria-colindex={column + 1}
        aria-selected={isIn(area, { row, column })}
        aria-readonly={column === 0 || isFixed || isReadOnly}
        aria-invalid={error ? true : undefined}
        class={classes.filter(Boolean).join(' ')}
        style={{ inlineSize: `${widths[column]}px` }}
        title={error}
        onClick={(event) => {
          // A finger has neither keys nor a second button: it taps again.
          const isTap = 'pointerType' in event && event.pointerType === 'touch';
          if (isActive && isTap && edited === undefined) begin(text);
          goTo({ row, column }, event.shiftKey);
        }}
        onDblClick={() => begin(text)}
      >
        {isActive && edited !== undefined ? (
          <Editor
            label={columns[column]?.label ?? ''}
            text={edited}
            onCancel={stop}
            onDone={(typed, down, right) => {
              stop();
              if (typed !== text) onChange?.([{ row, column, text: typed }], 0);
              if (down !== 0 || right !== 0) goTo({ row: row + down, column: column + right });
            }}
          />
        ) : (
          <>
            {content ?? <span class="gridtext">{text}</span>}
            {error && <span class="griderror">{error}</span>}
          </>
        )}
      </div>
    );
  };
  const [firstColumn] = columns;
  const heads = shownColumns.filter((column) => column > 0);
  /** Keeps the room of columns that the page does not have. */
  const room = (column: number, before: number | undefined) => {
    const missing = (offsets[column] ?? 0) - (before === undefined ? 0 : (offsets[before + 1] ?? 0));
    return missing > 0 && <span key={`room ${column}`} style={{ flex: `0 0 ${missing}px` }} />;
  };
  const line = (cellOf: (column: number) => ComponentChildren) =>
    heads.flatMap((column, turn) => [room(column, heads[turn - 1]), cellOf(column)]);
  const problem = rows > 0 ? cellAt(active.row, active.column).error : undefined;
  return (
    <div class="gridframe">
      <div
        ref={box}
        class="grid"
        role="grid"
        tabIndex={0}
        aria-label={title}
        aria-rowcount={rowCount ?? rows + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-readonly={isReadOnly}
        style={{ '--gridrow': `${rowHeight}px` }}
        aria-activedescendant={rows > 0 ? cellId(active) : undefined}
        onScroll={measure}
        onKeyDown={press}
        onCopy={(event) => {
          event.clipboardData?.setData('text/plain', copied());
          event.preventDefault();
        }}
        onCut={(event) => {
          event.clipboardData?.setData('text/plain', copied());
          event.preventDefault();
          fill(
            textsIn(area, () => ''),
            area.from,
          );
        }}
        onPaste={(event) => {
          event.preventDefault();
          const texts = readTable(event.clipboardData?.getData('text/plain') ?? '');
          if (texts.length > 0) fill(texts, area.from);
        }}
      >
        <div class="gridline gridhead" role="row" aria-rowindex={1} style={{ inlineSize: `${total}px` }}>
          {firstColumn && (
            <div
              class="gridcell"
              role="columnheader"
              aria-colindex={1}
              style={{ inlineSize: `${headWidth}px` }}
            >
              {firstColumn.label}
            </div>
          )}
          {line((column) => (
            <div
              key={column}
              class="gridcell"
              role="columnheader"
              aria-colindex={column + 1}
              style={{ inlineSize: `${widths[column]}px` }}
              title={columns[column]?.label}
            >
              <span class="gridlabel">{columns[column]?.label}</span>
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          class="gridbody"
          style={{ blockSize: `${rows * rowHeight}px`, inlineSize: `${total}px` }}
        >
          {shownRows.map((row) => (
            <div
              key={row}
              class="gridline"
              role="row"
              aria-rowindex={row + 2}
              style={{ insetBlockStart: `${row * rowHeight}px`, inlineSize: `${total}px` }}
            >
              {draw(row, 0)}
              {line((column) => draw(row, column))}
            </div>
          ))}
        </div>
      </div>
      <p class="small late-text" role="status">
        {problem}
      </p>
    </div>
  );
}
