import type { ErrorCode, FieldPath, GatewayError, ViolationRule } from '../errors.js';

/**
 * Reasons for which an upload is not filed, by their codes. APIs tell the code beside the technical text, and the
 * console has a sentence for each.
 */
export const uploadReasons = {
  ITEM_NOT_FOUND: 'The item that the sender names does not exist, or the sender may not see it.',
  DATE_INVALID: 'The expiration date in the tags is no date.',
  CONTACT_INVALID: 'The e-mail address of the contact in the tags is no e-mail address.',
  WORKSPACE_INVALID: 'The workspace in the tags does not exist, or the sender may not write there.',
  NAME_INVALID: 'The name in the tags is too long, or has characters that cannot be stored.',
  TYPE_INVALID: 'The document type in the tags is too long, or has characters that cannot be stored.',
  TAG_INVALID: 'Another tag has a value that cannot be read.',
  TOO_MANY_FILES: 'The item has as many files as it may have.',
  VALUE_INVALID: 'A value of the item is against a rule.',
  NOT_ALLOWED: 'The sender may not change the item any more.',
  CHANGED_MEANWHILE: 'The item was changed by others each time that filing was tried.',
  FILE_TOO_LARGE: 'The file is larger than a file may be.',
  FILE_GONE: 'There is no file at the address.',
  FILE_LOCKED: 'The host does not let the gateway read the file.',
  FILE_UNREADABLE: 'The host sends the file in a way in which it cannot be told to be whole.',
  ADDRESS_INVALID: 'The address of the file is none from which files are fetched.',
  HOST_NOT_ALLOWED: 'The host of the file is not among those that files may be fetched from.',
  HOST_NOT_FOUND: 'The name of the host could not be looked up.',
  HOST_UNREACHABLE: 'The connection to the host failed.',
  HOST_BUSY: 'The host asks to try later.',
  HOST_REFUSED: 'The host answers with something else than the file.',
  HOST_SLOW: 'The file did not arrive in time.',
  GATEWAY_BUSY: 'The database could not answer.',
  GATEWAY_FAILED: 'The gateway failed; the fault is logged.',
  GATEWAY_STOPPED: 'The gateway was stopped while it filed the upload.',
  NEVER_FINISHED: 'No attempt to file the upload came to an end.',
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
