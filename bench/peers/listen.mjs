// The HTTP server of the peers that are written by hand.
import { createServer } from 'node:http';

/**
 * Serves requests, and says where.
 * @param answer returns the text of an answer from request and body; it may set headers of the response. An error may
 *   have a `status`
 */
export function listen(answer) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      try {
        const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
        const text = await answer(request, body, response);
        const length = Buffer.byteLength(text);
        response.writeHead(length > 0 ? 200 : 204, {
          'content-type': 'application/json; charset=utf-8',
          ...(length > 0 && { 'content-length': length }),
        });
        response.end(text);
      } catch (error) {
        if (!error.status) console.error(error);
        response.writeHead(error.status ?? 500).end();
      }
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`"url":"http://127.0.0.1:${server.address().port}"`));
}
