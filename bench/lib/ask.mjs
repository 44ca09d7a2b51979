// One request of a hostile caller.
import { request as open } from 'node:http';

/** Sends a request and drops its answer; returns the status, and the error's code if the body has one. */
export function ask({ url, token, agent }, { method = 'POST', path = '/graphql', headers = {}, body }) {
  const { hostname, port } = new URL(url);
  const all = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers };
  if (body) all['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve) => {
    const sent = open({ agent, hostname, port, method, path, headers: all, timeout: 120_000 }, (response) => {
      let start = '';
      response.on('data', (chunk) => {
        if (start.length < 2_000) start += chunk;
      });
      response.once('error', ({ code }) => resolve(`${response.statusCode} ${code}`));
      response.once('end', () => {
        const code = /"code":"(\w+)"/.exec(start)?.[1];
        resolve(code ? `${response.statusCode} ${code}` : response.statusCode);
      });
    });
    sent.once('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'no answer in 120 s' })));
    sent.once('error', ({ code }) => resolve(code));
    sent.end(body);
  });
}
