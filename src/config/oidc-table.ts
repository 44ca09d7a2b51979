import * as z from 'zod';
import { isIssuer, isScope } from './formats.js';

/** Settings of an OpenID Connect issuer, a part of the table of settings. */
export const oidcTable = {
  OIDC_ISSUER: {
    otherwise: 'none: opaque tokens alone',
    description: 'OpenID Connect issuer whose JWTs are accepted, exactly as their claim `iss` has it.',
    schema: z
      .string()
      .refine(isIssuer, 'an https URL without query or fragment (http for this machine alone)')
      .optional(),
  },
  OIDC_AUDIENCE: {
    otherwise: 'none',
    description: 'What the claim `aud` of those JWTs must have: this gateway, as the issuer names it.',
    schema: z.string().optional(),
  },
  OIDC_ROLE_CLAIM: {
    otherwise: "none: the user's own role",
    description: 'Claim with the role, or a list with it; the path of one that is inside of others.',
    schema: z.string().optional(),
  },
  OIDC_TEAMS_CLAIM: {
    otherwise: "none: the user's own workspaces",
    description: 'Claim with the ids or names of workspaces; the path of one that is inside of others.',
    schema: z.string().optional(),
  },
  OIDC_CONSOLE_CLIENT_ID: {
    otherwise: 'none: the console takes tokens alone',
    description: 'Public client of the issuer by which people sign in at the console (code and PKCE).',
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{1,500}$/, 'the id of a client, of at most 500 ASCII characters')
      .optional(),
  },
  OIDC_CONSOLE_SCOPE: {
    otherwise: 'openid profile email',
    description: 'Scopes that the console asks the issuer for, `openid` among them, separated by spaces.',
    schema: z
      .string()
      .transform((text) => text.split(/\s+/))
      .refine(
        (scopes) => scopes.includes('openid') && scopes.every(isScope),
        'scopes such as openid profile email, separated by spaces, openid among them',
      )
      .transform((scopes) => scopes.join(' '))
      .optional(),
  },
};
