// Attacks by one hostile caller. Each is bounded, and reports how it was answered.
import { Agent, request as open } from 'node:http';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { ask } from './ask.mjs';
import { category, counts, streamedItem, targetItem } from './hostile-data.mjs';

const MiB = 1024 * 1024;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts outcomes: `200: 3`. */
function countOf(outcomes) {
  const counted = {};
  for (const outcome of outcomes) counted[outcome] = (counted[outcome] ?? 0) + 1;
  return counted;
}

const several = async (count, work) =>
  countOf(await Promise.all(Array.from({ length: count }, (_, n) => work(n + 1))));

const query = (text, variables) => ({ body: JSON.stringify({ query: text, variables }) });

/** Sends a body of 16 MB without its last bytes, over a connection of its own without a token. */
function unfinished(url, { chunked, seconds }) {
  const { hostname, port } = new URL(url);
  const piece = Buffer.alloc(64 * 1024, ' ');
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const end = (outcome) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('held open'), seconds * 1000);
    socket.once('data', (chunk) => end(/^HTTP\/1\.1 (\d+)/.exec(chunk)?.[1] ?? 'not HTTP'));
    socket.once('error', ({ code }) => end(code));
    socket.once('close', () => end('closed'));
    const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${16 * MiB}`;
    const head = `POST /graphql HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    socket.write(head);
    let left = 16 * MiB - piece.length;
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length;
        if (chunked) socket.write(`${piece.length.toString(16)}\r\n`);
        const goOn = socket.write(piece);
        if (chunked) socket.write('\r\n');
        if (!goOn) return void socket.once('drain', send);
      }
    };
    send();
  });
}

const aliases = (count, field) => Array.from({ length: count }, (_, n) => `a${n}:${field}`).join(' ');
const lists = (count) => query(`{${aliases(count, `notes(first:${counts.notes}){nodes{body}}`)}}`);
const notes = (count) => query(`{notes(first:${counts.notes}){nodes{${aliases(count, 'body')}}}}`);
const files = query(
  `{expirationItems(first:${counts.files},filter:{term:"Hostile held"}){nodes{a:attachments(first:5){nodes{content}}b:attachments(first:5){nodes{content}}}}}`,
);

/** Sends a request, and reads nothing of the answer for a number of seconds. */
function askUnread({ url, token }, { path = '/graphql', headers = {}, body }, seconds) {
  const { hostname, port } = new URL(url);
  const agent = new Agent();
  const all = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers };
  return new Promise((resolve) => {
    const sent = open({ agent, hostname, port, method: 'POST', path, headers: all });
    const timer = setTimeout(() => end('unanswered'), seconds * 1000);
    const end = (outcome) => {
      clearTimeout(timer);
      sent.destroy();
      resolve(outcome);
    };
    sent.once('error', ({ code }) => end(code));
    sent.once('response', (response) => {
      response.once('error', () => end(`${response.statusCode}, cut`));
      setTimeout(() => end(response.statusCode), seconds * 1000);
      clearTimeout(timer);
    });
    sent.end(body);
  });
}

const subscription = `subscription($id: ID!){expirationItemChanged(id:$id){id ${aliases(5, 'attachments(first:5){nodes{content}}')}}}`;

/** Opens a subscription over a WebSocket, and stops reading once it has begun. */
function subscribeUnread({ url, token }, seconds) {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    const tell = (message) => socket.send(JSON.stringify(message));
    const end = (outcome) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('open'), seconds * 1000);
    socket.once('open', () => tell({ type: 'connection_init' }));
    socket.once('message', () => {
      tell({ id: '1', type: 'subscribe', payload: { query: subscription, variables: { id: streamedItem } } });
      socket.pause();
    });
    socket.once('error', ({ message }) => end(message));
    socket.once('close', (code) => end(`closed ${code}`));
  });
}

/** Waits up to 20 seconds until a number of streams are open, as the gateway counts them. */
async function waitForStreams({ url }, count) {
  for (const until = performance.now() + 20_000; performance.now() < until; await pause(200)) {
    const text = await (await fetch(`${url}/metrics`)).text();
    if (Number(/^gateway_live_streams (\d+)/m.exec(text)?.[1]) >= count) return;
  }
}

const change =
  'mutation($id: ID!, $details: String){updateExpirationItem(id:$id,input:{details:$details}){id}}';

/** Opens subscriptions that nobody reads, then changes their item several times, a second apart. */
async function unreadStreams(gateway, subscribe) {
  const [streams, events] = [80, 3];
  const seconds = 30;
  const opened = several(streams, () => subscribe(seconds));
  await waitForStreams(gateway, streams);
  const changes = [];
  for (let n = 1; n <= events; n += 1) {
    changes.push(await ask(gateway, query(change, { id: streamedItem, details: `Change ${n}` })));
    await pause(1_000);
  }
  return { changes: countOf(changes), streams: await opened };
}

const unreadSse = (gateway, seconds) =>
  askUnread(
    gateway,
    { headers: { accept: 'text/event-stream' }, ...query(subscription, { id: streamedItem }) },
    seconds,
  );

/** Creates an item with a file of 12 MiB, which makes a body of 16 MiB in base64. */
function itemWithFile() {
  const content = Buffer.alloc(12 * MiB - 1024, 7).toString('base64');
  const item = { name: 'Hostile', expiration_date: '2030-01-01', category: { id: category } };
  return Buffer.from(JSON.stringify({ ...item, attachments: [{ name: 'a.pdf', content }] }));
}

/** Creates a form with one file of 16 MiB for an item (graphql-multipart-request-spec). */
function formWithFile(id) {
  const operations = {
    query: 'mutation($id: ID!, $file: Upload!){addAttachment(itemId:$id,input:{file:$file}){id}}',
    variables: { id, file: null },
  };
  const part = (head, body) => [`--part\r\nContent-Disposition: form-data; ${head}\r\n\r\n`, body, '\r\n'];
  const pieces = [
    ...part('name="operations"', JSON.stringify(operations)),
    ...part('name="map"', '{"0":["variables.file"]}'),
    ...part('name="0"; filename="a.pdf"', Buffer.alloc(16 * MiB, 7)),
    '--part--\r\n',
  ];
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

const form = { 'content-type': 'multipart/form-data; boundary=part', 'apollo-require-preflight': '1' };

/** The attacks by name: description and function. */
export const attacks = {
  'no-token': {
    title: '100 unfinished POSTs of 16 MB without a token',
    run: ({ url }) => several(100, () => unfinished(url, { seconds: 15 })),
  },
  'no-token-chunked': {
    title: 'the same without an announced length',
    run: ({ url }) => several(100, () => unfinished(url, { chunked: true, seconds: 15 })),
  },
  aliases: {
    title: '60 aliases of 100 bodies of 64 KB',
    run: (gateway) => several(1, () => ask(gateway, notes(60))),
  },
  'aliases-95': {
    title: '95 aliases of the same',
    run: (gateway) => several(1, () => ask(gateway, notes(95))),
  },
  'aliases-at-once': {
    title: '60 aliases by eight callers at once',
    run: (gateway) => several(8, () => ask(gateway, notes(60))),
  },
  lists: {
    title: '50 lists of 100 bodies of 64 KB',
    run: (gateway) => several(1, () => ask(gateway, lists(50))),
  },
  'lists-at-once': {
    title: 'the same by eight callers at once',
    run: (gateway) => several(8, () => ask(gateway, lists(50))),
  },
  files: {
    title: 'two aliases of 4 files of 16 MiB',
    run: (gateway) => several(1, () => ask(gateway, files)),
  },
  unread: {
    title: '40 answers of 19 MB that nobody reads',
    run: (gateway) => several(40, () => askUnread(gateway, notes(3), 20)),
  },
  websockets: {
    title: '80 subscriptions over WebSockets that nobody reads, 3 events of 14 MB',
    run: (gateway) => unreadStreams(gateway, (seconds) => subscribeUnread(gateway, seconds)),
  },
  sse: {
    title: 'the same as server-sent events',
    run: (gateway) => unreadStreams(gateway, (seconds) => unreadSse(gateway, seconds)),
  },
  put: {
    title: '32 items with a file at once, bodies of 16 MB of base64',
    run: (gateway) => {
      const body = itemWithFile();
      const path = (n) => `/v1/expirationitems/${targetItem(n)}`;
      return several(counts.targets, (n) => ask(gateway, { method: 'PUT', path: path(n), body }));
    },
  },
  multipart: {
    title: '32 files of 16 MiB at once, as forms',
    run: (gateway) =>
      several(counts.targets, (n) => ask(gateway, { headers: form, body: formWithFile(targetItem(n)) })),
  },
};
