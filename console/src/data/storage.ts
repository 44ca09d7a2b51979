// Shared with the other pages of the gateway.
export { keep, readKept } from '../../../public/session.js';
