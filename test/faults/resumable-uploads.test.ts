import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { idOf, sendByTus } from '../clients/tus.support.js';
import { onPosix, prepareBench, timeout } from './fixture.js';

const bench = prepareBench();
const { token } = bench;

onPosix('an upload in pieces survives gateways that are killed between them', { timeout }, async () => {
  const databaseUrl = await bench.database();
  const bytes = randomBytes(512 * 1024);
  const chunkSize = 128 * 1024;
  let uploadUrl: string | undefined;
  for (let cut = 1; cut <= 3; cut++) {
    const gateway = await bench.start({ databaseUrl });
    const cutAt = cut < 3 ? cut * chunkSize : Number.POSITIVE_INFINITY;
    // Another gateway has another port.
    const id: string | undefined = uploadUrl && idOf(uploadUrl);
    const at = id ? { uploadUrl: `${gateway.url}/v1/resumable-uploads/${id}` } : {};
    const answered: number[] = [];
    const onAfterResponse = (request: { getMethod(): string }) => {
      if (request.getMethod() === 'PATCH') answered.push(1);
    };
    uploadUrl = await sendByTus({ url: gateway.url, token }, bytes, {
      ...at,
      cutAt,
      chunkSize,
      onAfterResponse,
    });
    // Nothing that had come is sent again.
    expect(answered).toHaveLength(cut < 3 ? 1 : 2);
    if (cut < 3) {
      await gateway.kill();
      continue;
    }
    const add = await fetch(`${gateway.url}/v1/uploads`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ resumable_upload_id: idOf(uploadUrl), file_name: 'scan.pdf' }),
    });
    expect([add.status, (await add.json()).size]).toEqual([201, bytes.length]);
  }
});
