import type { AttachmentInput } from './generated.js';

/** Bytes that `String.fromCharCode` takes as arguments at once, a multiple of three. */
const piece = 24_576;

/** Creates an attachment from a file; its type defaults to the blob's. */
export async function attachment(
  name: string,
  data: Blob | Uint8Array | ArrayBuffer,
  contentType = data instanceof Blob && data.type !== '' ? data.type : 'application/octet-stream',
): Promise<AttachmentInput> {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(await new Response(data).arrayBuffer());
  let content = '';
  for (let start = 0; start < bytes.length; start += piece) {
    content += btoa(String.fromCharCode(...bytes.subarray(start, start + piece)));
  }
  return { name, content_type: contentType, content };
}

/** Decodes the bytes of an attachment that was received with its content. */
export function bytesOf({ content }: { readonly content: string | null }): Uint8Array {
  return Uint8Array.from(atob(content ?? ''), (character) => character.charCodeAt(0));
}
