// Reads large pages from one gateway, one after the other, until it is stopped. It is a separate process,
// because a client would be on another machine: its work must not take time from what is measured.
import { Agent, get } from 'node:http';

/** Reads one page, and drops its bytes. */
function readPage(url, { agent, token }) {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A page was answered with ${response.statusCode}.`));
      response.on('end', resolve).on('error', reject).resume();
    }).on('error', reject);
  });
}

process.once('message', async ({ url, token }) => {
  const agent = new Agent({ keepAlive: true });
  let [pages, isOver] = [0, false];
  process.once('message', () => {
    isOver = true;
  });
  while (!isOver) {
    await readPage(`${url}/v1/expirationitems?paging=500&page=${1 + (pages % 20)}`, { agent, token });
    pages += 1;
  }
  agent.destroy();
  process.send(pages);
  process.disconnect();
});

// Without its parent there is nothing to read for.
process.once('disconnect', () => process.exit());
