import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailSink, startMailSink } from '../mail/smtp.support.js';
import { compileGateway, type GatewayProcess, startProcess } from './support.js';

let root: string;
let sink: MailSink;
let gateway: GatewayProcess | undefined;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-demo-mail-'));
  await chmod(root, 0o711); // as root, PostgreSQL runs as another user
  sink = await startMailSink();
});
afterAll(async () => {
  await gateway?.kill();
  await sink.close();
  await rm(root, { recursive: true, force: true });
});

test('a newcomer sees mails of the demo within two minutes of the first start', async () => {
  const program = await compileGateway(root);
  const started = Date.now();
  gateway = await startProcess({
    program,
    dataDir: join(root, 'data'),
    token: `egw_${randomBytes(32).toString('base64url')}`,
    env: {
      DEMO_DATA: 'on',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
      MAIL_FROM: 'Expiry <expiry@example.com>',
      DEMO_MAIL_TO: 'me@example.org',
      PUBLIC_URL: 'https://expiry.example.com',
    },
  });
  await expect.poll(() => sink.taken.length, { timeout: 120_000 }).toBeGreaterThan(0);
  expect(Date.now() - started).toBeLessThan(120_000);
  const subjects = () => sink.taken.map(({ mail }) => mail.subject);
  // In the morning of the demo's time zone, one of them is due later.
  await expect.poll(subjects, { timeout: 60_000 }).toEqual([expect.stringMatching(/^[89] documents/)]);
  expect(new Set(sink.taken.flatMap(({ to }) => to))).toEqual(new Set(['me@example.org']));
  expect(sink.taken[0]?.mail.text).toMatch(/https:\/\/expiry\.example\.com\/r\//);
}, 300_000);
