import type { Route } from '../route.js';

/** Rows of /v1 about the receiver of upload notifications. */
export const bulkScan: readonly Route[] = [
  {
    kind: 'receive',
    method: 'POST',
    path: '/v1/bulkscan/receive',
    origin: 'contract',
    field: 'receiveUpload',
    errors: [],
    tag: 'Bulk scan',
    summary: 'Receives an upload notification.',
    example: {
      id: 1,
      action: 'fp.upload',
      timestamp: 1_790_000_000,
      text: { filename: 'scan.pdf', type: 'application/pdf', size: 48_213 },
    },
  },
];
