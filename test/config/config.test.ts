import { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, settings } from '../../src/config/config.js';
import { secretNames } from '../../src/config/secret-files.js';
import { problemsOf } from './support.js';

describe('readConfig', () => {
  it('needs no setting', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4000,
      databaseUrl: undefined,
      databasePooling: 'session',
      startupTimeout: 30,
      migrate: true,
      dataDir: '.data',
      databasePool: 10,
      rowSecurity: false,
      bootstrapToken: undefined,
      secretKey: undefined,
      secretKeyOld: undefined,
      secretKeyOldLinks: true,
      metricsPort: undefined,
      metricsToken: undefined,
      tracing: false,
      shutdownDelay: 0,
      binDays: 30,
      demoData: true,
      workers: 1,
      worker: true,
      logLevel: 'info',
      logFormat: undefined,
      rateLimit: Number.POSITIVE_INFINITY,
      rateLimitFailures: 300,
      trustProxy: 0,
      maxConnections: 10_000,
      memoryBudget: 256 * 1024 * 1024,
      compression: true,
      connectionsPerAddress: 1_000,
      corsOrigins: [],
      uploadHosts: [],
      uploadSpace: 16 * 1024 ** 3,
      ocr: 'on',
      ocrCommand: 'tesseract',
      webhookPrivateHosts: [],
      notifyHosts: [],
      changesDays: 3,
      eventLogDays: Number.POSITIVE_INFINITY,
      deliveryDays: Number.POSITIVE_INFINITY,
      oidc: undefined,
      mail: undefined,
      mailRate: 10,
      asking: { perDay: 500, mails: 5, mailDays: 7, linkDays: 30 },
      demoMailTo: undefined,
      publicUrl: undefined,
      console: true,
      graphiql: true,
      signIn: ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'],
      insecureCookies: false,
      hstsDays: 365,
      introspection: true,
      federation: false,
      mcp: { on: false, operations: undefined, asks: false },
      persistedOperations: { folder: undefined, only: false },
    });
  });

  it('uses the set values', () => {
    const env = {
      HOST: '::',
      PORT: '0',
      DATABASE_URL: 'postgresql://user:word@db.example.com:5433/gateway?sslmode=require',
      DATABASE_DIRECT_URL: 'postgresql://user:word@direct.example.com/gateway',
      DATABASE_POOLING: 'transaction',
      DATABASE_REPLICA_URL: 'postgresql://user:word@replica.example.com/gateway',
      STARTUP_TIMEOUT: '90',
      MIGRATE: 'off',
      DATA_DIR: '/var/lib/gateway',
      POSTGRES_PROGRAMS: '/usr/lib/postgresql/18/bin',
      DATABASE_POOL: '25',
      BOOTSTRAP_TOKEN: 'abc-._~+/123Qm4zT9vK2xW7rB5nL8cJ3hY6Tq==',
      SECRET_KEY: 'c2VjcmV0IGtleSBvZiAzMiBieXRlcywgbm90IG1vcmU=',
      SECRET_KEY_OLD: '5e'.repeat(32),
      SECRET_KEY_OLD_LINKS: 'off',
      METRICS_PORT: '9400',
      METRICS_TOKEN: 'scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      SHUTDOWN_DELAY: '5',
      BIN_DAYS: '7',
      DEMO_DATA: 'on',
      WORKERS: '4',
      WORKER: 'off',
      LOG_LEVEL: 'WARN',
      LOG_FORMAT: 'JSON',
      RATE_LIMIT: '600',
      RATE_LIMIT_FAILURES: 'OFF',
      TRUST_PROXY: '2',
      MAX_CONNECTIONS: '500',
      MEMORY_BUDGET: '512',
      COMPRESSION: 'off',
      CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
      CHANGES_DAYS: '14',
      EVENT_LOG_DAYS: '730',
      DELIVERY_DAYS: '90',
      FEDERATION: 'on',
      MCP: 'on',
      MCP_OPERATIONS: '/srv/tools',
      WEBHOOK_PRIVATE_HOSTS: 'Chat.LAN,10.0.0.7:8080, 10.1.0.0/16',
      NOTIFY_HOSTS: 'ntfy.lan',
      OCR: 'Command',
      OCR_COMMAND: '/usr/bin/tesseract',
      UPLOAD_HOSTS: 'Files.Example.com:443, *.bucket.example.com,files.example.com:8443',
      UPLOAD_SPACE: '2',
      SMTP_URL: 'smtps://user:word@mail.example.com',
      MAIL_FROM: 'Expiry <expiry@example.com>',
      MAIL_REPLY_TO: 'office@example.com',
      MAIL_RATE: '25',
      REQUESTS_PER_DAY: '0',
      REQUEST_MAILS: '3',
      REQUEST_MAIL_DAYS: '4',
      REQUEST_LINK_DAYS: '60',
      DEMO_MAIL_TO: 'me@example.com',
      PUBLIC_URL: 'https://expiry.example.com',
      GRAPHIQL: 'off',
      INTROSPECTION: 'off',
      PERSISTED_OPERATIONS: '/srv/operations',
      PERSISTED_OPERATIONS_ONLY: 'on',
      CONSOLE: 'off',
      SIGN_IN: 'password, oidc',
      INSECURE_COOKIES: 'on',
      HSTS_DAYS: '30',
      FILES: 's3://bucket/some/where?endpoint=https://s3.example.com&region=eu-1',
      FILES_FROM: 'file:///srv/files',
      FILES_ACCESS_KEY_ID: 'id',
      FILES_SECRET_ACCESS_KEY: 'secret',
    };
    expect(readConfig(env)).toEqual({
      host: '::',
      port: 0,
      databaseUrl: `${env.DATABASE_URL}&uselibpqcompat=true`,
      databaseDirectUrl: env.DATABASE_DIRECT_URL,
      databasePooling: 'transaction',
      databaseReplicaUrl: env.DATABASE_REPLICA_URL,
      startupTimeout: 90,
      migrate: false,
      dataDir: env.DATA_DIR,
      postgresPrograms: env.POSTGRES_PROGRAMS,
      databasePool: 25,
      rowSecurity: false,
      bootstrapToken: env.BOOTSTRAP_TOKEN,
      secretKey: expect.any(KeyObject),
      secretKeyOld: expect.any(KeyObject),
      secretKeyOldLinks: false,
      metricsPort: 9400,
      metricsToken: 'scrape-Qm4zT9vK2xW7rB5nL8cJ3hY6Tq',
      tracing: true,
      shutdownDelay: 5,
      binDays: 7,
      demoData: true,
      workers: 4,
      worker: false,
      logLevel: 'warn',
      logFormat: 'json',
      rateLimit: 600,
      rateLimitFailures: Number.POSITIVE_INFINITY,
      trustProxy: 2,
      maxConnections: 500,
      memoryBudget: 512 * 1024 * 1024,
      compression: false,
      connectionsPerAddress: Number.POSITIVE_INFINITY,
      corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
      webhookPrivateHosts: ['chat.lan', '10.0.0.7:8080', '10.1.0.0/16'],
      notifyHosts: ['ntfy.lan'],
      uploadHosts: ['files.example.com', '*.bucket.example.com', 'files.example.com:8443'],
      uploadSpace: 2 * 1024 ** 3,
      ocr: 'command',
      ocrCommand: '/usr/bin/tesseract',
      mail: {
        server: {
          host: 'mail.example.com',
          port: 465,
          tls: 'implicit',
          login: { user: 'user', password: 'word' },
        },
        from: env.MAIL_FROM,
        replyTo: env.MAIL_REPLY_TO,
        withoutTls: false,
      },
      mailRate: 25,
      asking: { perDay: 0, mails: 3, mailDays: 4, linkDays: 60 },
      demoMailTo: 'me@example.com',
      publicUrl: env.PUBLIC_URL,
      changesDays: 14,
      eventLogDays: 730,
      deliveryDays: 90,
      graphiql: false,
      signIn: ['PASSWORD', 'OIDC'],
      insecureCookies: true,
      hstsDays: 30,
      files: {
        target: {
          kind: 'S3',
          bucket: 'bucket',
          prefix: 'some/where/',
          endpoint: 'https://s3.example.com',
          region: 'eu-1',
        },
        from: { kind: 'FOLDER', folder: '/srv/files' },
        key: { accessKeyId: 'id', secretAccessKey: 'secret' },
      },
      introspection: false,
      federation: true,
      mcp: { on: true, operations: '/srv/tools', asks: false },
      console: false,
      persistedOperations: { folder: '/srv/operations', only: true },
    });
  });

  it('takes an empty value for an absent one', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, ' ']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('cannot be changed', () => {
    const config = readConfig({});
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.corsOrigins)).toBe(true);
    expect(Object.isFrozen(config.uploadHosts)).toBe(true);
    expect(Object.isFrozen(config.persistedOperations)).toBe(true);
  });

  it('creates no demo data in an external database by default', () => {
    const env = { DATABASE_URL: 'postgres://localhost/gateway' };
    expect(readConfig(env).demoData).toBe(false);
    expect(readConfig({ ...env, DEMO_DATA: 'on' }).demoData).toBe(true);
    expect(readConfig({ DEMO_DATA: 'off' }).demoData).toBe(false);
  });

  it('limits requests to an external database by default', () => {
    const env = { DATABASE_URL: 'postgres://localhost/gateway' };
    expect(readConfig(env).rateLimit).toBe(60_000);
    expect(readConfig({ ...env, RATE_LIMIT: 'off' }).rateLimit).toBe(Number.POSITIVE_INFINITY);
    expect(readConfig({ RATE_LIMIT: '999999' }).rateLimit).toBe(999_999);
  });

  it('limits the connections of an address, unless they are those of proxies', () => {
    const most = (env: NodeJS.ProcessEnv) => readConfig(env).connectionsPerAddress;
    expect(most({ CONNECTIONS_PER_ADDRESS: '20' })).toBe(20);
    expect(most({ CONNECTIONS_PER_ADDRESS: 'off' })).toBe(Number.POSITIVE_INFINITY);
    expect(most({ TRUST_PROXY: '1' })).toBe(Number.POSITIVE_INFINITY);
    expect(most({ TRUST_PROXY: '1', CONNECTIONS_PER_ADDRESS: 'off' })).toBe(Number.POSITIVE_INFINITY);
    expect(problemsOf({ TRUST_PROXY: '1', CONNECTIONS_PER_ADDRESS: '20' })).toEqual([
      'CONNECTIONS_PER_ADDRESS "20": expected off with TRUST_PROXY, because all connections come from the proxies',
    ]);
  });

  it.each([
    ['GRAPHIQL', 'graphiql'],
    ['INTROSPECTION', 'introspection'],
  ] as const)('has %s off in production by default', (name, member) => {
    expect(readConfig({ NODE_ENV: 'production' })[member]).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', [name]: 'on' })[member]).toBe(true);
  });

  it('wants persisted operations where only those are answered', () => {
    expect(problemsOf({ PERSISTED_OPERATIONS_ONLY: 'on' })).toEqual([
      'PERSISTED_OPERATIONS_ONLY "on": expected PERSISTED_OPERATIONS to be set, too',
    ]);
  });

  it('wants a folder of tools only where assistants can call them', () => {
    expect(problemsOf({ MCP_OPERATIONS: '/srv/tools' })).toEqual([
      'MCP_OPERATIONS "/srv/tools": expected MCP to be on',
    ]);
  });

  it.each(['DATABASE_REPLICA_URL', 'DATABASE_DIRECT_URL'])('requires an external database for %s', (name) => {
    expect(problemsOf({ [name]: 'postgresql://other.example.com/gateway' })).toEqual([
      `${name} (value not shown): expected DATABASE_URL to be set, too`,
    ]);
  });

  it('requires a direct address beside one with transaction pooling', () => {
    const env = { DATABASE_URL: 'postgresql://pooler.example.com/gateway', DATABASE_POOLING: 'transaction' };
    expect(problemsOf(env)).toEqual([
      'DATABASE_POOLING "transaction": expected DATABASE_DIRECT_URL to be set, too',
    ]);
  });

  it('reports all invalid settings at once, with their values and what was expected', () => {
    const env = { HOST: 'a b', PORT: '65536', DATABASE_POOL: '0', DEMO_DATA: 'maybe', LOG_LEVEL: 'loud' };
    expect(problemsOf(env)).toEqual([
      'HOST "a b": expected an IP address or a host name',
      'PORT "65536": expected a whole number from 0 to 65535',
      'DATABASE_POOL "0": expected a whole number from 1 to 1000',
      'DEMO_DATA "maybe": expected on or off',
      'LOG_LEVEL "loud": expected one of trace, debug, info, warn, error, fatal, silent',
    ]);
  });

  it.each([
    ['DATABASE_POOL "10" with WORKERS "17"', 'a pool of at most 9, or at most 16 WORKERS'],
    ['DATABASE_POOL "180" with WORKERS "1"', 'a pool of at most 179'],
    ['DATABASE_POOL "90" with WORKERS "2"', 'a pool of at most 89, or at most 1 WORKERS'],
  ])('rejects more connections than the embedded PostgreSQL accepts: %s', (given, expected) => {
    const [, pool, workers] = /"(\d+)".*"(\d+)"/.exec(given) ?? [];
    const env = { DATABASE_POOL: pool, WORKERS: workers };
    expect(problemsOf(env)).toEqual([
      `${given}: expected ${expected}, because the embedded PostgreSQL allows 180 connections`,
    ]);
    expect(problemsOf({ ...env, DATABASE_URL: 'postgres://localhost/gateway' })).toEqual([]);
  });

  it('keeps no traces where the SDK is disabled, or nobody takes them', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com' };
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }).tracing).toBe(false);
    expect(readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'false' }).tracing).toBe(true);
    expect(readConfig({ OTEL_SERVICE_NAME: 'gateway' }).tracing).toBe(false);
    expect(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT "collector:4318": expected an http:// or https:// URL',
    ]);
  });

  it('puts each problem on a line of the message', () => {
    expect(() => readConfig({ PORT: 'x', GRAPHIQL: 'x' })).toThrow(
      '2 settings are wrong:\n  PORT "x": expected a whole number from 0 to 65535\n  GRAPHIQL "x": expected on or off',
    );
  });

  describe('with secrets in files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };

    it('reads each of them', () => {
      const values: Record<string, string> = {
        DATABASE_URL: 'postgresql://user:word@db.example.com/gateway',
        DATABASE_DIRECT_URL: 'postgresql://user:word@direct.example.com/gateway',
        DATABASE_REPLICA_URL: 'postgresql://user:word@replica.example.com/gateway',
        SECRET_KEY: '5e'.repeat(32),
        SECRET_KEY_OLD: 'e5'.repeat(32),
        BOOTSTRAP_TOKEN: 'dGhpcyBpcyBhIHRva2VuIGZvciB0ZXN0cyBvZiBzZXR0aW5ncw',
        METRICS_TOKEN: 'dGhpcyBpcyBhbm90aGVyIHRva2VuIGZvciB0aGVzZSB0ZXN0cw',
        FILES_SECRET_ACCESS_KEY: 'secret',
        SMTP_URL: 'smtps://user:word@mail.example.com',
      };
      expect(Object.keys(values).sort()).toEqual([...secretNames].sort());
      const others = {
        ...{ FILES: 's3://bucket/x?endpoint=https://s3.example.com&region=eu', FILES_ACCESS_KEY_ID: 'id' },
        MAIL_FROM: 'expiry@example.com',
      };
      const files = Object.entries(values).map(([name, text]) => [`${name}_FILE`, file(name, `${text}\n`)]);
      const read = readConfig({ ...Object.fromEntries(files), ...others });
      const plain = readConfig({ ...values, ...others });
      expect(JSON.stringify(read)).toBe(JSON.stringify(plain));
      expect(read.secretKey?.equals(plain.secretKey as KeyObject)).toBe(true);
    });

    it('says what is wrong with a file, and never what is in it', () => {
      const problems = problemsOf({
        DATABASE_URL_FILE: join(folder, 'missing'),
        SECRET_KEY_FILE: file('empty', ' \n'),
        METRICS_TOKEN_FILE: folder,
        SMTP_URL: 'smtps://user:hunter2@mail.example.com',
        SMTP_URL_FILE: file('both', 'hunter2'),
        SECRET_KEY_OLD_FILE: file('wrong', 'hunter2'),
        MAIL_FROM: 'expiry@example.com',
      });
      const of = (name: string) => problems.find((line) => line.startsWith(name));
      expect(of('DATABASE_URL_FILE')).toMatch(/missing": expected a file that can be read \(ENOENT\)$/);
      expect(of('SECRET_KEY_FILE')).toMatch(/empty": expected a file with the secret, but it is empty$/);
      expect(of('METRICS_TOKEN_FILE')).toMatch(/expected a file that can be read \(EISDIR\)$/);
      expect(of('SMTP_URL_FILE')).toMatch(/both": expected SMTP_URL not to be set as well$/);
      expect(of('SECRET_KEY_OLD ')).toMatch(/\(value not shown\): expected 32 bytes/);
      expect(problems.join('\n')).not.toContain('hunter2');
      expect(problems).toHaveLength(5);
    });
  });

  it('never shows a secret', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      BOOTSTRAP_TOKEN: 'hunter2 hunter2',
      SECRET_KEY: 'hunter2',
      METRICS_TOKEN: 'hunter2 hunter2',
    });
    expect(problems).toHaveLength(4);
    expect(problems.join('\n')).not.toContain('hunter2');
  });
});

describe('settings', () => {
  it('lists each setting once, with a default and a description of one line', () => {
    expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length);
    for (const setting of settings) {
      expect(setting.default).not.toBe('');
      expect(setting.description).toMatch(/^.+\.$/);
    }
  });
});
