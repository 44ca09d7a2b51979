import type { ServerResponse } from 'node:http';

/**
 * Calls `tell` when a client half-closes its connection during its request. Most who do that are gone, and one that
 * only reads on cannot be told from them. It is for what is in vain then; what has begun is answered.
 */
export function onHangUp(response: ServerResponse, tell: () => void): void {
  const { socket } = response;
  if (!socket) return;
  if (socket.readableEnded) tell();
  socket.once('end', tell);
  response.once('close', () => socket.off('end', tell));
}
