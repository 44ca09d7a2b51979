import { pino } from 'pino';
import { expect } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { composeMail } from '../../src/reminders/send/compose.js';
import { type ClaimedDelivery, claimDeliveries, settleDelivery } from '../../src/reminders/send/queue.js';
import { closeRequests, queueRequestMails } from '../../src/requests/mails.js';
import { ask } from '../graphql/support.js';
import { openPost, type Post, testKey } from '../reminders/sender.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

export {
  type ClaimedDelivery,
  claimDeliveries,
  closeRequests,
  composeMail,
  evaluateReminders,
  evaluateTurns,
  queueRequestMails,
  settleDelivery,
};

/** Settings of a gateway that can send mails with links. */
const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Expiry <expiry@example.com>',
  PUBLIC_URL: 'https://expiry.example.com',
  SECRET_KEY: testKey,
};

/** A PDF file, as far as its first bytes say. */
export const pdf = (words = 'Valid') => Buffer.from(`%PDF-1.4\n% ${words}\n%%EOF\n`);

/** A file in a form. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A gateway, a mail server, and what people do with both. */
export interface Office {
  readonly gateway: TestGateway;
  readonly post: Post;
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Sends what is due after some minutes, and returns the addresses of the links in the mails. */
  mailAfter(minutes: number, mails?: number): Promise<string[]>;
  /** Opens a page. */
  open(link: string, init?: RequestInit): Promise<{ status: number; headers: Headers; text: string }>;
  /** Sends a form of a page. */
  answer(
    link: string,
    fields: Readonly<Record<string, string>>,
    files?: readonly SentFile[],
  ): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

const minute = 60_000;

/** Starts a gateway and a mail server. */
export async function openOffice(
  env: Record<string, string> = {},
  options: Parameters<typeof startGateway>[2] = {},
): Promise<Office> {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const gateway = await startGateway({ ...mail, ...env }, undefined, { log, ...options });
  const post = await openPost(gateway);
  const open: Office['open'] = async (link, init) => {
    const response = await fetch(link.replace(mail.PUBLIC_URL, gateway.url), { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    ...{ gateway, post, lines, open },
    async mailAfter(minutes, mails = 1) {
      gateway.clock.now = new Date(gateway.clock.now.getTime() + minutes * minute);
      const { now } = gateway.clock;
      await closeRequests(gateway.database, now);
      await queueRequestMails(gateway.database, now);
      const before = post.sink.taken.length;
      if (mails > 0) await post.send(now.toISOString(), mails);
      return post.sink.taken
        .slice(before)
        .map(({ mail: { text = '' } }) => /https:\S+\/asked\/[\w-]{43}/.exec(text)?.[0] ?? '');
    },
    async answer(link, fields, files = []) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      for (const { name, bytes } of files) body.append('file', new Blob([new Uint8Array(bytes)]), name);
      const { status, text } = await open(link, { method: 'POST', body });
      return { status, text };
    },
    async close() {
      gateway.clock.now = testTime;
      await post.close();
      await gateway.close();
    },
  };
}

const members = `id state ending renews itemDate holderId email message dueOn declinedReason answer statedDate sentAt
  receivedAt settledAt version category { name } item { id name } recipient { name } holder { __typename }
  heldItem { id isActive attachments { nodes { name contentType } } } delivery { state } user { id } settledBy { id }`;

/** Asks for a document. */
export async function request({ gateway }: Pick<Office, 'gateway'>, input: object) {
  const document = `mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { ${members} } }`;
  return (await ask(gateway, document, { input })).createDocumentRequest;
}

/** Reads a request. */
export async function look({ gateway }: Pick<Office, 'gateway'>, id: string) {
  return (await ask(gateway, `query ($id: ID!) { documentRequest(id: $id) { ${members} } }`, { id }))
    .documentRequest;
}

/** Waits for the next mail to an address, among those to others, and returns its link. */
export async function linkTo(office: Office, address: string, minutes = 2): Promise<string> {
  const own = () => office.post.sink.taken.filter(({ to }) => to.includes(address));
  const before = own().length;
  await office.mailAfter(minutes);
  await expect.poll(() => own().length, { timeout: 30_000 }).toBe(before + 1);
  const { text = '' } = own().at(-1)?.mail ?? {};
  return /https:\S+\/asked\/[\w-]{43}/.exec(text)?.[0] ?? '';
}
