import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { untilClosed } from './wire.js';

/** A frame as it is sent (RFC 6455, section 5.2); right unless told otherwise. */
export interface Frame {
  readonly payload: Buffer | string;
  /** 1 for text. */
  readonly opcode?: number;
  /** True if it is the last of its message. */
  readonly fin?: boolean;
  readonly masked?: boolean;
  /** The three reserved bits. */
  readonly rsv?: number;
  /** The length that it tells of, instead of its own. */
  readonly length?: number;
}

/** Returns the bytes of a frame. */
export function bytesOf({ payload, opcode = 1, fin = true, masked = true, rsv = 0, length }: Frame): Buffer {
  const body = Buffer.from(payload);
  const told = length ?? body.length;
  const head = Buffer.alloc(told < 126 ? 2 : told < 65_536 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | (told < 126 ? told : told < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(told, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(told), 2);
  // A mask of nothing but zeros leaves bytes as they are.
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), body]);
}

/** What came from the other side. */
export interface Heard {
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
  readonly messages: any[];
  /** With which it ended the connection; none when it just closed it. */
  code: number | undefined;
  pongs: number;
  /** The answers to pings that are still to be sent. */
  pings: Buffer[];
}

/** Takes the whole frames off some bytes, and gives what is left of them. */
function hear(bytes: Buffer, heard: Heard): Buffer {
  let rest = bytes;
  for (;;) {
    const [first = 0, second = 0] = rest;
    const size = second === 126 ? 4 : second === 127 ? 10 : 2;
    if (rest.length < size) return rest;
    const length = size === 4 ? rest.readUInt16BE(2) : size === 10 ? Number(rest.readBigUInt64BE(2)) : second;
    if (rest.length < size + length) return rest;
    const payload = rest.subarray(size, size + length);
    if (first === 0x81) heard.messages.push(JSON.parse(String(payload)));
    else if (first === 0x88) heard.code ??= length >= 2 ? payload.readUInt16BE(0) : 1005;
    else if (first === 0x8a) heard.pongs++;
    else if (first === 0x89) heard.pings.push(payload);
    else throw new Error(`Not a frame that is expected: ${first}`);
    rest = rest.subarray(size + length);
  }
}

/** A WebSocket of which every byte can be told. */
export interface RawWebSocket extends Heard {
  readonly socket: Socket;
  /** True if it answers pings, as it does at first; of one who does not, the gateway ends the connection. */
  answersPings: boolean;
  send(...frames: Frame[]): void;
  say(...messages: unknown[]): void;
  /**
   * Waits for so many messages.
   * @throws Error when the connection is closed before
   */
  until(count: number): Promise<void>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<unknown>;
}

/** Opens a WebSocket at a gateway. */
export async function openRaw(
  gateway: { url: string },
  protocol = 'graphql-transport-ws',
): Promise<RawWebSocket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }).on('error', () => {});
  const closed = untilClosed(socket);
  const lines = ['GET /graphql HTTP/1.1', 'Host: gateway', 'Connection: Upgrade', 'Upgrade: websocket'];
  lines.push('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==');
  socket.write([...lines, `Sec-WebSocket-Protocol: ${protocol}`, '', ''].join('\r\n'));
  let bytes = Buffer.from((await once(socket, 'data'))[0]);
  const end = bytes.indexOf('\r\n\r\n') + 4;
  if (!bytes.subarray(0, end).toString().startsWith('HTTP/1.1 101')) throw new Error(String(bytes));
  const raw: RawWebSocket = {
    messages: [],
    code: undefined,
    pongs: 0,
    pings: [],
    answersPings: true,
    socket,
    closed,
    send(...frames) {
      if (socket.writable) socket.write(Buffer.concat(frames.map(bytesOf)));
    },
    say: (...messages) => raw.send(...messages.map((message) => ({ payload: JSON.stringify(message) }))),
    async until(count) {
      while (raw.messages.length < count) {
        if (socket.closed) throw new Error(`Closed with ${raw.code} after ${raw.messages.length} messages.`);
        await new Promise((resolve) => socket.once('heard', resolve).once('close', resolve));
      }
    },
  };
  const read = (part: Buffer) => {
    bytes = Buffer.from(hear(Buffer.concat([bytes, part]), raw));
    const pongs = raw.pings.splice(0).map((payload) => ({ payload, opcode: 10 }));
    if (raw.answersPings && pongs.length > 0) raw.send(...pongs);
    socket.emit('heard');
    // As the protocol asks: what is ended by one side is ended by the other.
    if (raw.code !== undefined) socket.end();
  };
  socket.once('end', () => socket.end());
  bytes = bytes.subarray(end);
  read(Buffer.alloc(0));
  socket.on('data', read);
  return raw;
}
