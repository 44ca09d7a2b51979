import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createClient, longestWait, type Sent } from './client.js';

/** A write, by which its traces are found: its marker is a text that no other write has. */
export interface Write {
  readonly marker: string;
  readonly key: string | undefined;
  /** True if it was answered that it is done. */
  acknowledged: boolean;
}

/** What came of a load. */
export interface LoadResult {
  readonly writes: readonly Write[];
  /** Answers 503. */
  readonly refused: number;
  /** Requests whose connection ended before the answer. */
  readonly unanswered: number;
  /** Answers that should not be, hanging included; in words. */
  readonly unexpected: readonly string[];
}

/** Writers who go on whatever happens. */
export interface Load {
  /** Fulfilled when so many more writes are acknowledged. */
  more(count: number): Promise<void>;
  /** Fulfilled when so many more requests are answered 503. */
  refusals(count: number): Promise<void>;
  /** Milliseconds from now until a request that begins from now on is acknowledged. */
  recovery(): Promise<number>;
  /** Milliseconds that the slowest answer has taken so far. */
  slowest(): number;
  /** Ends it when each writer has finished what it is at. */
  stop(): Promise<LoadResult>;
}

/** How a load is made. */
export interface LoadOptions {
  readonly token: string;
  /** Where a writer's next request goes. */
  readonly url: (writer: number) => string;
  readonly writers: number;
}

/** Milliseconds that a writer waits after it was refused. */
const pause = 20;

/** Milliseconds that anything is waited for. */
const patience = 60_000;

const mutations = {
  contact: 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }',
  item: 'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }',
};

const graphql = (query: string, input: object) =>
  ({ method: 'POST', path: '/graphql', body: { query, variables: { input } } }) satisfies Sent;

/** Returns the day so many days after the first of 2040. */
const dayAfter = (days: number) => new Date(Date.UTC(2040, 0, 1 + days)).toISOString().slice(0, 10);

/** A writer's own records, which it alone changes. */
interface Own {
  readonly writer: number;
  readonly contactId: string;
  readonly itemId: string;
}

/** Returns the writes that a writer does in turn; of each, `number` is how many it has done before. */
function steps({ writer, contactId, itemId }: Own): ((number: number, marker: string) => Sent)[] {
  const email = (name: string) => `${name}@example.com`;
  const contact = `/v1/contacts/${contactId}`;
  const item = `/v1/expirationitems/${itemId}`;
  return [
    // Nothing of a vehicle is unique, so that one made twice is there twice.
    (_number, name) => ({ method: 'POST', path: '/v1/vehicles', body: { name } }),
    (_number, name) => ({ method: 'PUT', path: contact, body: { name, email: email(`own-${writer}`) } }),
    (number, name) => ({ method: 'PUT', path: item, body: { name, expiration_date: dayAfter(number) } }),
    (number, details) => ({
      method: 'PUT',
      path: `${item}/renew`,
      body: { expiration_date: dayAfter(number), details },
    }),
    (number, filename) => ({
      method: 'POST',
      path: '/v1/bulkscan/receive',
      body: { id: writer * 1_000_000 + number, action: 'fp.upload', text: { filename } },
    }),
    (_number, name) => graphql(mutations.contact, { name, email: email(name) }),
  ];
}

/** Returns what an answer says: done, to be tried again, or what should not be. */
function readAnswer({ status, header, text }: Answer): 'done' | 'refused' | 'busy' | { wrong: string } {
  const retryAfter = header('retry-after');
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
  // A resolver's error does not change GraphQL's status.
  if (status === 200 && code === 'UNAVAILABLE' && /"retryAfter":[1-9]\d*\b/.test(text)) return 'refused';
  if (status >= 200 && status < 300 && !text.includes('"errors"')) return 'done';
  const inSeconds = /^[1-9]\d*$/.test(retryAfter ?? '');
  if (status === 503 && inSeconds) return 'refused';
  if (status === 409 && inSeconds) return 'busy';
  return { wrong: `${status} ${code}, Retry-After ${retryAfter}: ${text.slice(0, 300)}` };
}

/** Starts a load, once each writer has records of its own. */
export async function startLoad({ token, url, writers }: LoadOptions): Promise<Load> {
  const client = createClient(token);
  const writes: Write[] = [];
  const unexpected: string[] = [];
  const counts = { acknowledged: 0, refused: 0, unanswered: 0 };
  /** Told of each write that is acknowledged, with when its request began; and of each refusal, with 0. */
  const listeners = new Set<(begun: number) => void>();
  let slowest = 0;
  let stopping = false;

  /** Sends a request once; answers whether to send it again. */
  async function attempt(write: Write, writer: number, sent: Sent): Promise<boolean> {
    const begun = performance.now();
    const answer = await client.send(url(writer), sent).catch((error: Error) => error);
    if (answer instanceof Error) {
      if (answer.name === 'TimeoutError') unexpected.push(`No answer in ${longestWait} ms: ${sent.path}`);
      // Where nobody listens, nothing was sent.
      if ((answer as NodeJS.ErrnoException).code !== 'ECONNREFUSED') counts.unanswered++;
      return true;
    }
    slowest = Math.max(slowest, performance.now() - begun);
    const said = readAnswer(answer);
    if (said === 'done') {
      write.acknowledged = true;
      counts.acknowledged++;
      for (const listener of listeners) listener(begun);
      return false;
    }
    if (said === 'refused') {
      counts.refused++;
      for (const listener of listeners) listener(0);
    } else if (said !== 'busy' || write.key === undefined) {
      const what = typeof said === 'string' ? said : said.wrong;
      unexpected.push(`${sent.method} ${sent.path}: ${what}`);
      return false;
    }
    return true;
  }

  /** Does a write: with a key until it is acknowledged, without one once. */
  async function doWrite(writer: number, sent: Sent, write: Write): Promise<void> {
    writes.push(write);
    const deadline = performance.now() + patience;
    for (;;) {
      if (!(await attempt(write, writer, { ...sent, key: write.key }))) return;
      await sleep(pause);
      if (write.key === undefined) return;
      if (performance.now() > deadline)
        return void unexpected.push(`Never done: ${sent.method} ${sent.path}`);
    }
  }

  async function make(writer: number, sent: Sent, marker: string): Promise<string> {
    const write = { marker, key: undefined, acknowledged: true };
    const { text } = await client.send(url(writer), sent);
    const id = /"id":"([^"]+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`A record could not be made: ${text}`);
    writes.push(write);
    return id;
  }

  async function ownOf(writer: number): Promise<Own> {
    const [contact, item] = [`own-contact-${writer}`, `own-item-${writer}`];
    const input = { name: contact, email: `own-${writer}@example.com` };
    const contactId = await make(writer, graphql(mutations.contact, input), contact);
    const made = graphql(mutations.item, { name: item, expirationDate: dayAfter(0) });
    return { writer, contactId, itemId: await make(writer, made, item) };
  }

  async function write(own: Own): Promise<void> {
    const kinds = steps(own);
    for (let number = 1; !stopping; number++) {
      const kind = number % kinds.length;
      const marker = `write-${own.writer}-${number}`;
      const isKeyed = Math.floor(number / kinds.length) % 2 === 0;
      const sent = kinds[kind]?.(number, marker) as Sent;
      const key = isKeyed ? randomUUID() : undefined;
      await doWrite(own.writer, sent, { marker, key, acknowledged: false });
    }
  }

  /** Waits until a listener has heard enough. */
  function listen(isEnough: (begun: number) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (how: () => void) => {
        clearTimeout(timer);
        listeners.delete(listener);
        how();
      };
      const listener = (begun: number) => isEnough(begun) && end(resolve);
      const late = () =>
        end(() => reject(new Error(`Waited in vain: ${JSON.stringify({ counts, unexpected })}`)));
      const timer = setTimeout(late, patience);
      listeners.add(listener);
    });
  }

  const owns = await Promise.all(Array.from({ length: writers }, (_, writer) => ownOf(writer)));
  const working = Promise.all(owns.map(write));
  return {
    more: (count) => {
      const target = counts.acknowledged + count;
      return listen(() => counts.acknowledged >= target);
    },
    refusals: (count) => {
      const target = counts.refused + count;
      return listen(() => counts.refused >= target);
    },
    recovery: async () => {
      const now = performance.now();
      await listen((begun) => begun >= now);
      return Math.round(performance.now() - now);
    },
    slowest: () => Math.round(slowest),
    stop: async () => {
      stopping = true;
      await working;
      client.close();
      return { writes, refused: counts.refused, unanswered: counts.unanswered, unexpected };
    },
  };
}
