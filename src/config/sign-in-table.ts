import * as z from 'zod';
import { type SignInWay, signInWays } from '../domain/sign-in.js';
import { onOff, splitList } from './formats.js';

const names = signInWays.map((way) => way.toLowerCase());

/** Settings of how people sign in, a part of the table of settings. */
export const signInTable = {
  SIGN_IN: {
    default: names.join(','),
    description:
      'Ways in which people may sign in, separated by commas; administrators can turn off more of them.',
    schema: z
      .string()
      .toLowerCase()
      .transform(splitList)
      .refine(
        (ways) => ways.length > 0 && ways.every((way) => names.includes(way)),
        `some of ${names.join(', ')}, separated by commas`,
      )
      .transform((ways) => ways.map((way) => way.toUpperCase() as SignInWay)),
  },
  INSECURE_COOKIES: {
    default: 'off',
    description:
      'Whether people may sign in without https from other machines, where others can read along: on or off.',
    schema: onOff,
  },
};
