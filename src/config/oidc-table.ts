import * as z from 'zod';
import { isIssuer } from './formats.js';

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
};
