import { Readable } from 'node:stream';
import { resultFile } from '../csv/import/result.js';
import { contentDisposition } from '../domain/files.js';
import { findImport } from '../imports/imports.js';
import { percentDecoded } from '../web/parameters.js';
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

/** Creates the endpoints of imports. */
export const importEndpoints = (): Endpoint[] =>
  endpointsOfAdditions('Imports', { importResult: { handle: result } });
