/** What the connections of gateways and workers call themselves, so that the server can tell who is there. */
export const APPLICATION_NAME = 'expiration-gateway';
