import * as z from 'zod';
import { isIssuer, isScope } from './formats.js';

/** Settings of an OpenID Connect issuer, a part of the table of settings. */
export const oidcTable = {
  OIDC_ISSUER: {
    otherwise: "none; only the gateway's own tokens are accepted",
    description: 'OpenID Connect issuer whose JWTs are accepted, exactly as in their claim `iss`.',
    schema: z
      .string()
      .refine(isIssuer, 'an https URL without query or fragment (http only for this machine)')
      .optional(),
  },
  OIDC_AUDIENCE: {
    otherwise: 'none',
    description:
      'Value that the claim `aud` of those JWTs must contain: the name of this gateway at the issuer.',
    schema: z.string().optional(),
  },
  OIDC_ROLE_CLAIM: {
    otherwise: 'none; users have their own roles',
    description:
      'Claim with the role or a list of roles; use a path such as realm_access.roles if it is nested.',
    schema: z.string().optional(),
  },
  OIDC_TEAMS_CLAIM: {
    otherwise: 'none; users have their own workspaces',
    description: 'Claim with the ids or names of workspaces; use a path if it is nested.',
    schema: z.string().optional(),
  },
  OIDC_CONSOLE_CLIENT_ID: {
    otherwise: 'none; people sign in to the console with tokens',
    description: 'Public client at the issuer for signing in to the console (authorization code with PKCE).',
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{1,500}$/, 'the id of a client, of at most 500 ASCII characters')
      .optional(),
  },
  OIDC_CONSOLE_SCOPE: {
    otherwise: 'openid profile email',
    description:
      'Scopes that the console and assistants request from the issuer, separated by spaces; must include `openid`.',
    schema: z
      .string()
      .transform((text) => text.split(/\s+/))
      .refine(
        (scopes) => scopes.includes('openid') && scopes.every(isScope),
        'scopes separated by spaces, including openid, such as openid profile email',
      )
      .transform((scopes) => scopes.join(' '))
      .optional(),
  },
};
