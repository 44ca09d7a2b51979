import { createHmac } from 'node:crypto';

/** The signatures in the tests of Filestack's own libraries. */
export const filestack = [
  {
    source: 'filestack-js, src/lib/api/security.spec.node.ts',
    secret: 'Y5cWb1rdRDSTSqEjF5pv',
    timestamp: '1559199901',
    body: '{"id": 6844, "action": "fp.upload", "timestamp": 1559199901, "text": {"url": "http://cdn.filestackapi.dev/xK88QArxRiyVvFzo4p33", "client": "Computer", "data": {"filename": "01 (1).png", "type": "image/png", "size": 881855}}}',
    signature: '14495b54b246e1352bb69cd91c5c1bfe2221f2d0330414b3df8f5fb2903db730',
  },
  {
    source: 'filestack-python, tests/filestack_helpers_test.py',
    secret: 'webhook-secret',
    timestamp: '123456789999',
    body: '{"text": {"filename": "filename.jpg", "key": "kGaeljnga9wkysK6Z_filename.jpg"}}',
    signature: '57cbb25386c3d6ff758a7a75cf52ba02cf2b0a1a2d6d5dfb9c886553ca6011cb',
  },
] as const;

/** Returns the headers of a body signed at a given time, like Filestack does. */
export function signedHeaders(secret: string, now: Date, body: string | Uint8Array): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return { 'FS-Signature': signature, 'FS-Timestamp': timestamp };
}
