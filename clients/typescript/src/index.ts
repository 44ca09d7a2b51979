export { type Client, createClient } from './client.js';
export {
  type ClientOptions,
  etagOf,
  GatewayError,
  type Json,
  type RequestOptions,
  type Version,
} from './exchange.js';
export { attachment, bytesOf } from './files.js';
export type * from './generated.js';
export type { List } from './list.js';
