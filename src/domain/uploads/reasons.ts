import type { ErrorCode, FieldPath, GatewayError, ViolationRule } from '../errors.js';

/**
 * Reasons for which an upload is not filed, by their codes. APIs tell the code beside the technical text, and the
 * console has a sentence for each.
 */
export const uploadReasons = {
  ITEM_NOT_FOUND: 'The item that the sender names does not exist, or the sender may not see it.',
  DATE_INVALID: 'The expiration date in the tags is not a date.',
  CONTACT_INVALID: 'The e-mail address of the contact in the tags is not valid.',
  WORKSPACE_INVALID: 'The workspace in the tags does not exist, or the sender may not write there.',
  NAME_INVALID: 'The name in the tags is too long, or has characters that cannot be stored.',
  TYPE_INVALID: 'The document type in the tags is too long, or has characters that cannot be stored.',
  TAG_INVALID: 'Another tag has a value that cannot be read.',
  TOO_MANY_FILES: 'The item already has the maximum number of files.',
  VALUE_INVALID: 'A value of the item breaks a rule.',
  NOT_ALLOWED: 'The sender may no longer change the item.',
  CHANGED_MEANWHILE: 'Others changed the item during every attempt to file the upload.',
  FILE_TOO_LARGE: 'The file is too large.',
  FILE_GONE: 'There is no file at the address.',
  FILE_LOCKED: 'The host does not allow the gateway to read the file.',
  FILE_UNREADABLE: 'The host sends the file in a way that does not show whether it is complete.',
  ADDRESS_INVALID: 'Files cannot be fetched from an address of this form.',
  HOST_NOT_ALLOWED: 'Files may not be fetched from this host.',
  HOST_NOT_FOUND: 'The name of the host could not be looked up.',
  HOST_UNREACHABLE: 'The connection to the host failed.',
  HOST_BUSY: 'The host asked the gateway to try again later.',
  HOST_REFUSED: 'The host did not return the file.',
  HOST_SLOW: 'The file did not arrive in time.',
  GATEWAY_BUSY: 'The database could not answer.',
  GATEWAY_FAILED: 'Something went wrong in the gateway; the details are in its log.',
  GATEWAY_STOPPED: 'The gateway was stopped while it was filing the upload.',
  NEVER_FINISHED: 'No attempt to file the upload was completed.',
} as const satisfies Record<string, string>;

/** Code of a reason for which an upload is not filed. */
export type UploadReason = keyof typeof uploadReasons;

/** Tells whether a text is the code of a reason. Another version of the gateway may have kept others. */
export const isUploadReason = (code: string | null): code is UploadReason =>
  code !== null && Object.hasOwn(uploadReasons, code);

/** Reasons of errors that name no value. */
const byCode: Partial<Record<ErrorCode, UploadReason>> = {
  UNAUTHORIZED: 'NOT_ALLOWED',
  FORBIDDEN: 'NOT_ALLOWED',
  NOT_FOUND: 'ITEM_NOT_FOUND',
  GONE: 'GATEWAY_FAILED',
  CONFLICT: 'CHANGED_MEANWHILE',
  PRECONDITION_FAILED: 'CHANGED_MEANWHILE',
  PAYLOAD_TOO_LARGE: 'FILE_TOO_LARGE',
  TOO_MANY_REQUESTS: 'GATEWAY_BUSY',
  UNAVAILABLE: 'GATEWAY_BUSY',
  INTERNAL_ERROR: 'GATEWAY_FAILED',
};

/** Reasons by the tag, or the member of the item, whose value is wrong. */
const byMember: Readonly<Record<string, UploadReason>> = {
  expiration_date: 'DATE_INVALID',
  expirationDate: 'DATE_INVALID',
  contact_email: 'CONTACT_INVALID',
  contacts: 'CONTACT_INVALID',
  team_id: 'WORKSPACE_INVALID',
  teamId: 'WORKSPACE_INVALID',
  name: 'NAME_INVALID',
  category: 'TYPE_INVALID',
  categoryName: 'TYPE_INVALID',
};

function reasonOfValue([first, second]: FieldPath, rule: ViolationRule | undefined): UploadReason {
  const isTag = first === 'upload_Tags';
  const member = String(isTag ? second : first);
  if (member === 'expiration_item_id' && rule === 'reference') return 'ITEM_NOT_FOUND';
  if (member === 'attachments' && rule === 'entries') return 'TOO_MANY_FILES';
  return byMember[member] ?? (isTag ? 'TAG_INVALID' : 'VALUE_INVALID');
}

/** Finds the reason of an error for which an upload could not be filed. */
export function uploadReasonOf({ code, fieldPath, violations }: GatewayError): UploadReason {
  return byCode[code] ?? reasonOfValue(fieldPath, violations[0]?.rule);
}
