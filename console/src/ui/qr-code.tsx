import { useEffect, useState } from 'preact/hooks';

/** A code's path, and its size in modules with the white border that cameras need. */
interface Drawing {
  readonly path: string;
  readonly size: number;
}

/** Draws a code. The package is loaded when the first one is shown. */
async function draw(text: string): Promise<Drawing> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { path: dark.join(''), size };
}

/** Renders a text as a QR code, dark on white in both themes. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isOver = false;
    draw(text).then((drawn) => {
      if (!isOver) setDrawing(drawn);
    });
    return () => {
      isOver = true;
    };
  }, [text]);
  const { path = '', size = 41 } = drawing ?? {};
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
