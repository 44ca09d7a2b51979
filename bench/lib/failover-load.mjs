/** The load of `failover.mjs`: writers at both APIs, uploads, streams, and a server that takes mails. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const created = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }';
const followed = 'subscription { eventLogged { id } }';

/** Kinds of writes, by what they send. A number makes an upload's id. */
const kinds = [
  (name) => ['/v1/vehicles', { name }],
  (name) => ['/graphql', { query: created, variables: { input: { name, email: `${name}@example.com` } } }],
  (filename, id) => ['/v1/bulkscan/receive', { id, action: 'fp.upload', text: { filename } }],
];

/** Starts nine writers and 50 streams at two gateways. */
export async function startLoad({ gateways, token }) {
  const writes = [];
  const streams = { opened: 0, ended: 0, unexplained: 0 };
  const listeners = new Set();
  const gone = new AbortController();
  let stopping = false;
  let number = 0;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

  /** Sends a write with a key until it is acknowledged. */
  async function write(writer) {
    const id = ++number;
    const marker = `write-${id}`;
    const [path, body] = kinds[writer % kinds.length](marker, id);
    const key = { 'Idempotency-Key': randomUUID() };
    const one = { marker, done: false };
    writes.push(one);
    for (let attempt = 0; !one.done && !(stopping && attempt > 200); attempt++) {
      // A retry goes to the other gateway, as behind a balancer.
      const url = gateways[(writer + attempt) % gateways.length] + path;
      const options = { method: 'POST', headers: { ...headers, ...key }, body: JSON.stringify(body) };
      const signal = AbortSignal.timeout(20_000);
      const text = await fetch(url, { ...options, signal })
        .then(
          async (response) => (response.ok ? await response.text() : undefined),
          () => undefined,
        )
        .catch(() => undefined);
      one.done = text !== undefined && !text.includes('"errors"');
      if (!one.done) await sleep(100);
    }
    for (const listener of listeners) listener();
  }

  const writers = Array.from({ length: 9 }, async (_, writer) => {
    while (!stopping) {
      await write(writer);
      await sleep(20);
    }
  });

  /** Keeps a stream open. It ends with a reason if its last result has an error. */
  async function follow(index) {
    while (!stopping) {
      let last = '';
      try {
        const response = await fetch(`${gateways[index % gateways.length]}/graphql`, {
          ...{ method: 'POST', headers: { ...headers, Accept: 'text/event-stream' } },
          ...{ body: JSON.stringify({ query: followed }), signal: gone.signal },
        });
        if (!/event-stream/.test(response.headers.get('content-type') ?? '')) throw new Error('refused');
        streams.opened++;
        const decoder = new TextDecoder();
        for await (const part of response.body) last = (last + decoder.decode(part)).slice(-2_000);
        if (stopping) return;
        streams.ended++;
        if (!last.includes('"errors"')) streams.unexplained++;
      } catch {
        if (stopping) return;
        if (last !== '') streams.unexplained++;
      }
      await sleep(500);
    }
  }
  const followers = Array.from({ length: 50 }, (_, index) => follow(index));

  return {
    /** Fulfilled when so many more writes are acknowledged. */
    more: (count) =>
      new Promise((resolve) => {
        let left = count;
        const listener = () => {
          if (--left > 0) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      }),
    /** Begins to measure; returns a function for the longest time without an acknowledged write, in ms. */
    longestPause() {
      let [last, longest] = [performance.now(), 0];
      const listener = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        return longest;
      };
    },
    async stop() {
      stopping = true;
      gone.abort();
      await Promise.all([...writers, ...followers]);
      return { writes, streams };
    },
  };
}

/** Starts a mail server that counts the reminders of each item. */
export async function startMailServer() {
  const times = new Map();
  const server = new SMTPServer({
    ...{ disabledCommands: ['AUTH'], hideSTARTTLS: true },
    onData(stream, _session, callback) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        for (const name of new Set(text.match(/Due \d+\./g))) times.set(name, (times.get(name) ?? 0) + 1);
        callback(null, 'taken');
      });
    },
  });
  server.on('error', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.server.address().port,
    all: () => times.size,
    twice: () => [...times.values()].filter((count) => count > 1).length,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
