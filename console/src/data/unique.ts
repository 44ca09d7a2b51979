/**
 * Creates a key that nothing else in this page has. `crypto.randomUUID` is missing where the gateway is reached over
 * plain HTTP at another address than localhost, as in many small offices.
 */
export const uniqueKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
