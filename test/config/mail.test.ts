import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';

const from = 'Expiry <expiry@example.com>';
const read = (env: NodeJS.ProcessEnv) => readConfig({ MAIL_FROM: from, ...env });

describe('SMTP_URL', () => {
  it.each([
    [
      'smtps://user:p%40ss@mail.example.com',
      { port: 465, tls: 'implicit', login: { user: 'user', password: 'p@ss' } },
    ],
    ['smtp://mail.example.com', { port: 587, tls: 'required', login: undefined }],
    ['smtp://mail.example.com:2525?tls=required', { port: 2525, tls: 'required' }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'optional' }],
    ['smtp://localhost:1025?tls=required', { tls: 'required' }],
    ['smtp://[::1]:1025/', { host: '::1', tls: 'optional' }],
  ])('%s', (SMTP_URL, server) => {
    expect(read({ SMTP_URL }).mail).toMatchObject({ from, replyTo: undefined, withoutTls: false, server });
  });

  it.each([
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls=off',
    'smtp://mail.example.com?insecure=1',
    'smtp://a%zz:secret@mail.example.com',
  ])('is not %s, of which nothing is shown', (SMTP_URL) => {
    expect(() => read({ SMTP_URL })).toThrow(
      /^A setting is wrong:\n {2}SMTP_URL \(value not shown\): expected smtps:/,
    );
  });

  it('needs a sender, and a sender needs it', () => {
    expect(() => readConfig({ SMTP_URL: 'smtp://localhost' })).toThrow(
      /SMTP_URL .*expected MAIL_FROM to be set/,
    );
    expect(() => read({})).toThrow(/MAIL_FROM .*expected SMTP_URL to be set/);
    expect(readConfig({}).mail).toBeUndefined();
  });

  it('is used without TLS if that is switched off', () => {
    expect(read({ SMTP_URL: 'smtp://mail', SMTP_TLS: 'off' }).mail?.withoutTls).toBe(true);
  });
});

describe('addresses', () => {
  it.each(['expiry@example.com', 'Büro <buero@exämple.com>'])('of senders: %s', (MAIL_FROM) => {
    expect(readConfig({ SMTP_URL: 'smtp://mail', MAIL_FROM }).mail?.from).toBe(MAIL_FROM);
  });

  it.each(['nobody', 'a@b, c@d', 'A <a@b> <c@d>', 'A\r\nBcc: c@d <a@b>'])('are not %j', (MAIL_FROM) => {
    expect(() => readConfig({ SMTP_URL: 'smtp://mail', MAIL_FROM })).toThrow(/MAIL_FROM/);
  });

  it.each(['https://expiry.example.com/path', 'expiry.example.com', 'ftp://example.com'])(
    'of the gateway are not %s',
    (PUBLIC_URL) => {
      expect(() => readConfig({ PUBLIC_URL })).toThrow(/PUBLIC_URL/);
    },
  );
});
