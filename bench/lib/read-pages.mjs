// Reads large pages from one gateway, one after the other, from a process of its own, until it is told to stop. A client
// is on another machine: what it does with a page takes no time of those who are measured.
import { Agent, get } from 'node:http';

/** Reads one page, and throws its bytes away as they come. */
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

// Without who asked for it there is nothing to read for.
process.once('disconnect', () => process.exit());
