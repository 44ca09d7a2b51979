import { askCompliance, shownAnswer } from '../compliance/ask.js';
import { parseDate } from '../domain/dates.js';
import { GatewayError } from '../domain/errors.js';
import { type HolderKind, type HolderReference, holderKinds } from '../items/holders.js';
import { complianceKeys, complianceOperation } from '../rest/additions.js';
import { respondRead } from '../rest/handler.js';
import { refuseUnknownParameters } from '../rest/strict.js';
import { entityTag } from '../web/etag.js';
import { fieldName, percentDecoded, readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { endpointsOfAdditions } from './rest.js';
import type { Endpoint, Handle } from './routing/endpoint.js';

/** Returns the error of a query parameter. */
const badParameter = (name: string, message: string) =>
  new GatewayError('BAD_REQUEST', `${name} ${message}.`, { parameters: [{ name, message }] });

/** Reads the day that is asked about. @throws GatewayError BAD_REQUEST */
function dayIn(query: URLSearchParams): Date | null {
  const text = query.get('on');
  if (text === null) return null;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseDate(text) : undefined;
  if (!day) throw badParameter('on', 'must be a date, such as 2026-12-24');
  return day;
}

/** Creates the handler that answers for one record, by its id or a natural key. */
const answering =
  (kind: HolderKind, isByKey: boolean): Handle =>
  async (request, { session = noSession() }) => {
    const query = readParameters(request.query);
    const keys = isByKey ? complianceKeys[kind] : [];
    refuseUnknownParameters(query, ['on', ...keys]);
    const on = dayIn(query);
    const sent = keys.filter((key) => query.get(key));
    if (isByKey && sent.length !== 1)
      throw badParameter(keys[0] ?? '', `or another key is needed: one of ${keys.join(', ')}`);
    const [key = 'id'] = sent;
    const value = isByKey ? query.get(key) : (percentDecoded(request.id ?? '') ?? '');
    const holder: HolderReference = { kind, [fieldName(key)]: value };
    const answer = await askCompliance(session, holder, on);
    const body = JSON.stringify(shownAnswer(answer));
    return respondRead(request, { status: 200, headers: { ETag: entityTag({}, body) }, body });
  };

/** Creates the endpoints that say whether a record has what it must have. */
export const complianceEndpoints = (): Endpoint[] =>
  endpointsOfAdditions(
    'Compliance',
    Object.fromEntries(
      holderKinds.flatMap((kind) =>
        [false, true].map((isByKey) => [
          complianceOperation(kind, isByKey),
          { handle: answering(kind, isByKey) },
        ]),
      ),
    ),
  );
