import { useEffect, useRef, useState } from 'preact/hooks';
import { asSender } from '../data/client';
import { addressHere, isShown, type StoredFile } from './files';
import { Icon } from './icon';

/** Size up to which a picture is fetched as it is, in bytes. The gateway draws larger ones, and PDF, smaller. */
const mostWhole = 300_000;

/** Small pictures are fetched one after the other, so that they delay nothing else. */
let turn: Promise<unknown> = Promise.resolve();

/** Fetches the picture of a file's first page. */
async function fetchFirst(file: StoredFile, signal: AbortSignal): Promise<string | undefined> {
  const url = addressHere(file);
  const isWhole = file.contentType !== 'application/pdf' && Number(file.contentLength) <= mostWhole;
  if (!isWhole) url.searchParams.set('page', '1');
  const response = await fetch(url, { ...asSender(), signal });
  if (!response.ok) return undefined;
  const type = isWhole ? (file.contentType ?? '') : 'image/jpeg';
  return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
}

/** Renders a small picture of a file once it is in the window. Of files that browsers do not show, it is an icon. */
export function Thumbnail({ file }: { readonly file: StoredFile | null | undefined }) {
  const box = useRef<HTMLSpanElement>(null);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file || !isShown(file) || !box.current) return;
    const stopping = new AbortController();
    let made: string | undefined;
    const load = async () => {
      if (stopping.signal.aborted) return;
      made = await fetchFirst(file, stopping.signal).catch(() => undefined);
      if (!made) return;
      if (stopping.signal.aborted) URL.revokeObjectURL(made);
      else setAddress(made);
    };
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      turn = turn.then(load);
    });
    watcher.observe(box.current);
    return () => {
      watcher.disconnect();
      stopping.abort();
      if (made) URL.revokeObjectURL(made);
      setAddress(undefined);
    };
  }, [file?.id]);
  return (
    <span ref={box} class="thumb">
      {address ? <img src={address} alt="" /> : <Icon name="file" />}
    </span>
  );
}
