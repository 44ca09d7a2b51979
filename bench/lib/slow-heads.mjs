// Opens connections that never send a whole head, in a process of their own: slow-heads.mjs <url> <count>
// <mode> <seconds>
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [url, count, mode, seconds] = process.argv.slice(2);
const { hostname, port } = new URL(url);
/** Linux lets a client bind any address of 127.0.0.0/8. */
const senders = Array.from({ length: 11 }, (_, at) => `127.0.0.${at + 1}`);
/** Connections that are opened at once; more would wait in the listener's backlog. */
const together = 200;
/** Milliseconds between two bytes. */
const pause = 3_000;

const open = new Set();

function begin(at) {
  return new Promise((done) => {
    const socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: senders[at % senders.length],
    });
    socket.on('error', () => {});
    socket.once('connect', () => {
      open.add(socket);
      if (mode === 'slow') socket.write('GET / HTTP/1.1\r\nHost: gateway\r\nX-Slow: ');
      done();
    });
    socket.once('close', () => {
      open.delete(socket);
      done();
    });
    // Read answers like an honest slow client, and end the connection when the server does.
    socket.resume();
  });
}

const end = performance.now() + Number(seconds) * 1_000;
for (let at = 0; at < Number(count); at += together) {
  const wave = Math.min(together, Number(count) - at);
  await Promise.race([Promise.all(Array.from({ length: wave }, (_, of) => begin(at + of))), sleep(2_000)]);
}
process.send?.('begun');
process.on('message', () => process.send?.({ open: open.size }));
const drip = setInterval(() => {
  if (mode === 'slow') for (const socket of open) socket.write('x');
}, pause);
await sleep(Math.max(0, end - performance.now()));
clearInterval(drip);
for (const socket of open) socket.destroy();
process.exit();
