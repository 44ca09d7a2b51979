import { useEffect, useState } from 'preact/hooks';

/** A code's path, and its size in modules with the white border that cameras need. */
export interface Drawing {
  readonly path: string;
  readonly size: number;
}

/** Draws a code. The package is loaded when the first one is shown. */
export async function drawCode(text: string): Promise<Drawing> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { path: dark.join(''), size };
}

/** Renders a code that is drawn, dark on white in both themes. */
export function DrawnCode({
  drawing,
  label,
}: {
  readonly drawing: Drawing | undefined;
  readonly label: string;
}) {
  const { path, size } = drawing ?? { path: '', size: 41 };
  return (
    <svg
      class="qrcode"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Renders a text as a QR code. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isOver = false;
    drawCode(text).then((drawn) => {
      if (!isOver) setDrawing(drawn);
    });
    return () => {
      isOver = true;
    };
  }, [text]);
  return <DrawnCode drawing={drawing} label={label} />;
}
