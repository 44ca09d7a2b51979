// Streams of server-sent events.
import { request as open } from 'node:http';
import { send } from './requests.mjs';

const subscription = 'subscription { eventLogged { id description created relatedEntities { id kind } } }';

/**
 * Opens a stream of server-sent events.
 * @param onEvent called for each event
 * @param onDropped called if the gateway ends the stream because it was read too slowly; by default, that
 *   ends the program
 * @returns a function that ends it
 */
export function subscribe(agent, url, token, onEvent, onDropped) {
  const { path, headers, body, method } = send('POST', '/graphql', { query: subscription });
  const all = { ...headers, accept: 'text/event-stream', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const request = open(`${url}${path}`, { agent, method, headers: all }, (response) => {
      if (response.statusCode !== 200)
        reject(new Error(`A subscription was answered ${response.statusCode}.`));
      let rest = '';
      response.setEncoding('utf8').on('data', (text) => {
        if (text.includes('"errors":')) {
          if (!onDropped) throw new Error(text);
          request.destroy();
          onDropped();
          return;
        }
        const parts = (rest + text).split('event: next\n');
        rest = parts.pop() ?? '';
        // Of the split parts, all but the first begin with an event's data; it may arrive in two chunks.
        for (let at = 0; at < parts.length; at += 1) onEvent();
      });
      resolve(() => request.destroy());
    });
    request.once('error', reject).end(body);
  });
}
