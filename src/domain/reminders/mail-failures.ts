/** Reasons for which a mail was not taken, by their codes. */
export const mailFailures = {
  MAIL_ADDRESS_UNKNOWN: 'The mail server does not know the address.',
  MAIL_ADDRESS_REFUSED: 'The mail server does not accept mail for the address.',
  MAIL_MAILBOX_FULL: 'The mailbox is full.',
  MAIL_MAILBOX_DISABLED: 'The mailbox does not accept mail.',
  MAIL_BLOCKED: "The recipient's mail server does not trust the sender, or considers the mail spam.",
  MAIL_SERVER_BUSY: 'The mail server asked the gateway to try again later.',
  MAIL_SERVER_REFUSED: 'The mail server does not accept mail from the gateway.',
  MAIL_SERVER_UNREACHABLE: 'The mail server could not be reached.',
  MAIL_SENDER_REFUSED: "The mail server does not accept the sender's address.",
  MAIL_SIGN_IN_REFUSED: 'The mail server does not accept the user name or password.',
  MAIL_NOT_SECURE: 'A secure connection to the mail server could not be established.',
  CHAT_REFUSED: 'The chat service did not accept the message.',
  CHAT_UNREACHABLE: 'The chat service could not be reached.',
  MAIL_LINKS_UNAVAILABLE: 'The process that sends mail cannot create its link.',
} as const satisfies Record<string, string>;

/** Code of a reason for which a mail was not taken. */
export type MailFailure = keyof typeof mailFailures;

/** Tells whether a text is the code of a mail's failure. */
export const isMailFailure = (code: string | null): code is MailFailure =>
  code !== null && Object.hasOwn(mailFailures, code);

/** Properties that nodemailer gives its errors. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** Code of the system's error that is behind it. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Reasons by the codes of nodemailer for what happens before a server answers. */
const byCode: Readonly<Record<string, MailFailure>> = {
  EAUTH: 'MAIL_SIGN_IN_REFUSED',
  ENOAUTH: 'MAIL_SIGN_IN_REFUSED',
  EOAUTH2: 'MAIL_SIGN_IN_REFUSED',
  ETLS: 'MAIL_NOT_SECURE',
  EREQUIRETLS: 'MAIL_NOT_SECURE',
};

/** Reasons by the subject and detail of an enhanced status code (RFC 3463). */
const byDetail: readonly (readonly [pattern: RegExp, reason: MailFailure])[] = [
  [/^1\.(1|2|3|6|10)$/, 'MAIL_ADDRESS_UNKNOWN'],
  [/^1\.(7|8)$/, 'MAIL_SENDER_REFUSED'],
  [/^2\.1$/, 'MAIL_MAILBOX_DISABLED'],
  [/^2\.2$/, 'MAIL_MAILBOX_FULL'],
  [/^7\./, 'MAIL_BLOCKED'],
];

/** Reads the enhanced status code of an answer, such as `1.1` of `550 5.1.1 No such user`. */
const detailOf = (response = '') => /^\d{3}[ -][245]\.(\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];

/** Codes of Node.js for a certificate that is not trusted, or a handshake that failed. */
const insecure = /CERT|SIGNATURE|^ERR_(?:SSL|TLS)_|^EPROTO$/;

/** Tells whether an error is about the recipient, and not about all mails. */
export const isOfRecipient = ({ code, command = '' }: SmtpError): boolean =>
  /^(?:RCPT|DATA|BDAT)/i.test(command) || code === 'EMESSAGE';

/** Finds the reason for which a mail was not taken, by the codes of SMTP. No words are read: servers have their own. */
export function mailFailureOf(error: SmtpError): MailFailure {
  const { code = '', originalCode = '', command = '', responseCode, response } = error;
  const known = byCode[code];
  if (known) return known;
  // An envelope that nodemailer itself does not take: no server was asked.
  if (responseCode === undefined && code === 'EENVELOPE') return 'MAIL_ADDRESS_REFUSED';
  if (responseCode === undefined)
    return insecure.test(originalCode) ? 'MAIL_NOT_SECURE' : 'MAIL_SERVER_UNREACHABLE';
  if (responseCode >= 530 && responseCode <= 538) return 'MAIL_SIGN_IN_REFUSED';
  const detail = detailOf(response) ?? '';
  if (responseCode < 500) return detail === '2.2' ? 'MAIL_MAILBOX_FULL' : 'MAIL_SERVER_BUSY';
  const told = byDetail.find(([pattern]) => pattern.test(detail));
  if (told) return told[1];
  if (/^MAIL/i.test(command)) return 'MAIL_SENDER_REFUSED';
  if (!isOfRecipient(error)) return 'MAIL_SERVER_REFUSED';
  return responseCode === 552 ? 'MAIL_MAILBOX_FULL' : 'MAIL_ADDRESS_REFUSED';
}
