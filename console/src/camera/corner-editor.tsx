import { useEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { type Corners, moveCorner, type Point } from './corners';
import { drawWhole, type Page } from './picture';

/** Pixels of the longest side of a picture on the screen. */
const shownPixels = 720;

const names = ['top_left', 'top_right', 'bottom_right', 'bottom_left'] as const;

/** Directions of the arrow keys. */
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

interface CornerEditorProps {
  readonly page: Page;
  readonly label: string;
  readonly onChange: (corners: Corners) => void;
}

/** Renders the whole picture with the corners of its page. They are dragged, or moved with arrow keys. */
export function CornerEditor({ page, label, onChange }: CornerEditorProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { photo, turns, corners } = page;
  const latest = useRef(corners);
  latest.current = corners;
  useEffect(() => {
    let isOver = false;
    drawWhole(page, shownPixels).then((drawn) => {
      const shown = canvas.current;
      if (isOver || !shown) return;
      shown.width = drawn.width;
      shown.height = drawn.height;
      shown.getContext('2d')?.drawImage(drawn, 0, 0);
    });
    return () => {
      isOver = true;
    };
  }, [photo, turns]);
  const move = (at: number, to: Point) => onChange(moveCorner(latest.current, at, to));
  function follow(event: PointerEvent, at: number): void {
    const place = box.current?.getBoundingClientRect();
    if (!place || !(event.currentTarget as Element).hasPointerCapture(event.pointerId)) return;
    move(at, {
      x: (event.clientX - place.left) / place.width,
      y: (event.clientY - place.top) / place.height,
    });
  }
  return (
    <div ref={box} class="cornerbox">
      <canvas ref={canvas} role="img" aria-label={label} />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <polygon points={corners.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      {corners.map(({ x, y }, at) => (
        <button
          key={names[at]}
          type="button"
          class="corner"
          aria-label={t(`camera.${names[at] ?? 'top_left'}`)}
          title={t(`camera.${names[at] ?? 'top_left'}`)}
          style={{ left: `${100 * x}%`, top: `${100 * y}%` }}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => follow(event, at)}
          onKeyDown={(event) => {
            const by = arrows[event.key];
            if (!by) return;
            event.preventDefault();
            const step = event.shiftKey ? 0.05 : 0.01;
            const now = latest.current[at] ?? { x, y };
            // Whole hundredths, so that many steps add up exactly.
            const next = (from: number, way: number) => Math.round((from + way * step) * 1000) / 1000;
            move(at, { x: next(now.x, by.x), y: next(now.y, by.y) });
          }}
        />
      ))}
    </div>
  );
}
