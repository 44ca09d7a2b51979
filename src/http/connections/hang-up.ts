import type { ServerResponse } from 'node:http';

/**
 * Calls `tell` when a client half-closes its connection during its request. Most such clients are gone, and
 * the others cannot be told apart from them. Use it to skip work that would be in vain; work that has begun
 * is still answered.
 */
export function onHangUp(response: ServerResponse, tell: () => void): void {
  const { socket } = response;
  if (!socket) return;
  if (socket.readableEnded) tell();
  socket.once('end', tell);
  response.once('close', () => socket.off('end', tell));
}
