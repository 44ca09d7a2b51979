import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/domain/errors.js';
import { MemoryBudget } from '../../src/http/load/memory.js';
import { createItem } from '../rest/items.support.js';
import { eventually } from '../support/eventually.js';
import { familiesOf } from '../support/exposition.js';
import { useGateway } from '../support/gateway.js';

const mebi = 1024 * 1024;

describe('a budget', () => {
  /** Opens a request's account. */
  const open = (budget: MemoryBudget, caller: string) => {
    const hold = budget.open();
    hold.caller = caller;
    return hold;
  };

  test('gives one caller a quarter, and lets further requests wait until some is returned', async () => {
    const budget = new MemoryBudget({ limit: 400 * mebi });
    const [first, second, other] = [open(budget, 'a'), open(budget, 'a'), open(budget, 'b')];
    expect(first.grow(100 * mebi, 'body')).toBeUndefined();
    const wait = second.grow(1, 'body');
    expect(wait).toBeInstanceOf(Promise);
    expect(other.grow(100 * mebi, 'body')).toBeUndefined();
    first.close();
    await wait;
    expect(budget.held).toEqual({ body: 100 * mebi + 1, answer: 0, stream: 0 });
  });

  test('rejects with 503 and Retry-After after too long a wait, and requests for more than the total', async () => {
    const budget = new MemoryBudget({ limit: 400 * mebi, maxWaitMs: 1 });
    const hold = open(budget, 'a');
    hold.force(100 * mebi, 'answer');
    const refused = { status: 503, headers: { 'Retry-After': '2' } };
    await expect(hold.grow(1, 'body')).rejects.toMatchObject(refused);
    expect(() => open(budget, 'b').grow(101 * mebi, 'body')).toThrow(GatewayError);
    expect(budget.refused).toBe(2);
  });

  test('drops a waiting request that ends', async () => {
    const budget = new MemoryBudget({ limit: 400 * mebi });
    const [first, second] = [open(budget, 'a'), open(budget, 'a')];
    first.force(100 * mebi, 'body');
    const wait = second.grow(1, 'body');
    second.close();
    await expect(wait).rejects.toThrow(GatewayError);
    first.close();
    expect(budget.held).toEqual({ body: 0, answer: 0, stream: 0 });
  });
});

describe('a gateway', () => {
  const gateway = useGateway();

  /** Returns the samples of a metric. */
  async function samplesOf(name: string) {
    const { text } = await gateway.send('GET', '/metrics', { token: null });
    return familiesOf(text).get(name)?.samples ?? [];
  }

  test('does not treat an aborted download as an error', async () => {
    const content = Buffer.alloc(11 * mebi).toString('base64');
    const { attachments } = await createItem(gateway, { attachments: [{ name: 'f', content }] });
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(
      `GET /attachments/${attachments[0].id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${gateway.admin}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await eventually(async () => {
      const requests = await samplesOf('gateway_http_request_duration_seconds');
      expect(requests.filter(({ labels }) => labels.door === 'attachment')).not.toEqual([]);
    });
    const errors = await samplesOf('gateway_errors_total');
    expect(errors.filter(({ labels, value }) => labels.code === 'INTERNAL_ERROR' && value > 0)).toEqual([]);
  });
});
