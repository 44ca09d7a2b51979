import { expect } from 'vitest';
import type { EnumOf } from '../../src/db/sql/conditions.js';
import type { TestGateway } from '../support/gateway.js';
import { countAll, receive, settled, storedUpload, withWorker } from '../uploads/support.js';
import { ask } from './support.js';

const fields = `id state error attempts filedAt
  expirationItem {
    id name expirationDate status teamId category { name } contacts { email } attachments { nodes { id name sourceUrl } }
  }
  attachment { id }`;

/** Retries an upload. */
export const retry = `mutation ($id: ID!) { upload: retryUpload(id: $id) { ${fields} } }`;

/** Settles an upload with the given input. */
export const confirm = `mutation ($id: ID!, $input: ConfirmUploadInput!) {
  upload: confirmUpload(id: $id, input: $input) { ${fields} }
}`;

/** Settles an upload, which must succeed; returns the result. */
export async function settle(gateway: TestGateway, id: string, input: object = {}, token?: string) {
  return (await ask(gateway, confirm, { id, input }, token)).upload;
}

/** Lets a worker settle uploads; returns the first of them. */
export const work = (gateway: TestGateway, ...ids: string[]) =>
  withWorker(gateway, {}, () => settled(gateway, ...ids));

/** Returns an upload in a state, which it has reached in the normal way. */
export async function make(
  gateway: TestGateway,
  state: EnumOf<'UploadState'>,
  tags: object = {},
): Promise<string> {
  const wrong = state === 'FAILED' ? { expiration_date: 'soon' } : {};
  const text = {
    filename: 'Scan',
    url: 'https://cdn.example.com/abc',
    upload_Tags: { ...wrong, ...tags },
  };
  const id = await receive(gateway, text, undefined, state === 'IGNORED' ? 'fp.delete' : 'fp.upload');
  if (state === 'FAILED' || state === 'FILED') expect((await work(gateway, id)).state).toBe(state);
  return id;
}

/** Expects a rejection that leaves the upload and everything else unchanged. */
export async function expectUnchanged(
  gateway: TestGateway,
  id: string,
  refused: () => Promise<unknown>,
): Promise<void> {
  const before = [await storedUpload(gateway, id), await countAll(gateway)];
  await refused();
  expect([await storedUpload(gateway, id), await countAll(gateway)]).toEqual(before);
}
