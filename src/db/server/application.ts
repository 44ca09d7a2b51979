/** `application_name` of the gateway's connections. By it, the server can tell who is there. */
export const APPLICATION_NAME = 'expiration-gateway';
