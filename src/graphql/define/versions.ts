import type { Session } from '../../db/connection/session.js';
import { badField } from '../../domain/errors.js';
import { expectVersion, expectVersions } from '../../domain/versions.js';
import { builder } from '../builder.js';

/**
 * Returns the argument that names a record's version.
 * @param what the record whose version it is, if that is not the one that the mutation names
 */
export const versionArgument = (what = 'the record') =>
  builder.args((t) => ({
    ifVersion: t.string({
      description: `The expected \`version\` of ${what}. If it has a different one, the request fails with \`PRECONDITION_FAILED\`.`,
    }),
  }));

/** Returns the argument that names the versions of many records. */
export const versionsArgument = () =>
  builder.args((t) => ({
    ifVersions: t.stringList({
      description:
        'The expected versions of the records, one for each id and in the same order. If one differs, the request fails with `PRECONDITION_FAILED`.',
    }),
  }));

/** Runs a change of one record, if its version matches the given one. */
export function onVersion<T>(
  session: Session,
  ifVersion: string | null | undefined,
  change: () => Promise<T>,
): Promise<T> {
  return ifVersion == null ? change() : session.onCondition(expectVersion(ifVersion), change);
}

/**
 * Runs a change of many records, if their versions match the given ones.
 * @throws GatewayError BAD_REQUEST unless there are as many versions as ids
 */
export async function onVersions<T>(
  session: Session,
  ids: readonly string[],
  ifVersions: readonly string[] | null | undefined,
  change: () => Promise<T>,
): Promise<T> {
  if (ifVersions == null) return change();
  if (ifVersions.length !== ids.length) {
    throw badField(['ifVersions'], 'must have as many versions as there are ids', 'entries');
  }
  return session.onCondition(expectVersions(ids, ifVersions), change);
}
