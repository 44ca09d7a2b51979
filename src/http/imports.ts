import { Readable } from 'node:stream';
import { resultFile } from '../csv/import/result.js';
import { makeTemplate } from '../csv/workbook/template.js';
import { importListWords } from '../domain/doors/paths.js';
import { badField } from '../domain/errors.js';
import { contentDisposition } from '../domain/files.js';
import { languages } from '../domain/rules.js';
import { findImport } from '../imports/imports.js';
import { refuseUnknownParameters } from '../rest/strict.js';
import { percentDecoded, readParameters } from '../web/parameters.js';
import { noSession } from './auth/auth.js';
import { endpointsOfAdditions } from './rest.js';
import type { Endpoint, Handle } from './routing/endpoint.js';

const result: Handle = async (request, { session = noSession() }) => {
  const shown = await findImport(session, percentDecoded(request.id ?? '') ?? '');
  const name = (shown.fileName ?? 'import.csv').replace(
    /(\.(csv|tsv|txt|zip|xlsx|xlsm|ods))?$/i,
    '-result.csv',
  );
  const file = await resultFile(session, shown);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
    },
    body: Readable.from(file, { objectMode: false }),
  };
};

/** Reads one of some words from a query. @throws GatewayError BAD_REQUEST */
function wordIn<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
  otherwise?: Word,
): Word {
  const sent = query.get(name) ?? otherwise;
  const found = words.find((word) => word === sent);
  if (!found) throw badField([name], `must be one of ${words.join(', ')}`);
  return found;
}

const template: Handle = async (request) => {
  const query = readParameters(request.query);
  refuseUnknownParameters(query, ['kind', 'language']);
  const kind = wordIn(query, 'kind', importListWords);
  const file = await makeTemplate(
    kind.toUpperCase() as Uppercase<typeof kind>,
    wordIn(query, 'language', languages, 'en'),
  );
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'Content-Disposition': contentDisposition(`${kind}.xlsx`),
      'Cache-Control': 'no-store',
    },
    body: file,
  };
};

/** Creates the endpoints of imports. */
export const importEndpoints = (): Endpoint[] =>
  endpointsOfAdditions('Imports', { importResult: { handle: result }, importTemplate: { handle: template } });
