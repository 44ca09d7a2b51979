import { useEffect, useRef } from 'preact/hooks';
import {
  type Corners,
  drawWhole,
  moveCorner,
  type Point,
  pointByKey,
  pointByPointer,
} from '../../../public/page-picture.js';
import { t } from '../i18n/i18n';
import type { Page } from './picture';

/** Pixels of the longest side of a picture on the screen. */
const shownPixels = 720;

const names = ['top_left', 'top_right', 'bottom_right', 'bottom_left'] as const;

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
  const move = (at: number, to: Point | undefined) => to && onChange(moveCorner(latest.current, at, to));
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
          onPointerMove={(event) => move(at, pointByPointer(event, box.current))}
          onKeyDown={(event) => move(at, pointByKey(event, latest.current[at] ?? { x, y }))}
        />
      ))}
    </div>
  );
}
