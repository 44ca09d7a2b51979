import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FileHost } from './fetch.support.js';

const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, headers).end('text');

const bytes = (...parts: number[]): RequestListener => {
  return (_request, response) => {
    for (const part of parts) response.write(Buffer.alloc(part, 'x'));
    response.end();
  };
};

const raw =
  (text: string): RequestListener =>
  ({ socket }) =>
    socket.end(text);

/**
 * Returns the answers of a host of files, by path.
 * @param host tells which host it is, whose connections one of them breaks
 */
export const answersOf = (host: () => FileHost): Record<string, RequestListener> => ({
  '/a%20file.pdf?version=1': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 4 }).end('%PDF'),
  '/request': (request, response) =>
    response.end(JSON.stringify({ method: request.method, headers: request.headers })),
  '/empty': (_request, response) => response.writeHead(200, { 'content-length': 0 }).end(),
  '/largest': (_request, response) =>
    response.writeHead(200, { 'content-length': 1000 }).end('x'.repeat(1000)),
  '/largest-in-parts': bytes(400, 600),
  '/identity': status(200, { 'content-encoding': 'Identity' }),
  // Early hints come before the answer, and are none.
  '/hints': (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.end('text');
  },

  '/too-large': (_request, response) => response.writeHead(200, { 'content-length': 1001 }).flushHeaders(),
  '/too-large-in-parts': bytes(400, 600, 1),
  '/endless': (_request, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  },

  '/redirect': status(302, { location: '/a' }),
  '/moved': status(301, { location: 'http://169.254.169.254/' }),
  '/not-modified': status(304),
  '/created': status(201),
  '/no-content': status(204),
  '/partial': status(206, { 'content-range': 'bytes 0-3/8' }),
  '/missing': status(404),
  '/forbidden': status(403),
  '/slow-client': status(408),
  '/early': status(425),
  '/many': status(429, { 'retry-after': '60' }),
  '/broken': status(500),
  '/away': status(503),
  '/upgrade': raw('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),

  '/gzip': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(100_000))),
  '/no-end': raw('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ntext'),
  '/no-http': raw('220 smtp.example.com ESMTP\r\n'),
  '/two-lengths': raw('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ntext!'),
  '/cut': raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\ntext'),
  '/cut-chunks': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ntext\r\n'),
  '/reset': ({ socket }, response) => {
    const reset = () => host().connections.get(socket.remotePort)?.resetAndDestroy();
    response.writeHead(200, { 'content-length': 8 }).write('text', reset);
  },

  '/silent': () => {},
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(timer));
  },
});
