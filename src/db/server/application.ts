/** `application_name` of the gateway's connections. The server can recognize them by it. */
export const APPLICATION_NAME = 'expiration-gateway';
