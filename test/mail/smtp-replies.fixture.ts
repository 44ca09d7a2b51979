import type { MailFailure } from '../../src/domain/reminders/reasons.js';

/** Part of a conversation to which a server replies. */
export type SmtpPhase = 'MAIL FROM' | 'RCPT TO' | 'DATA';

/** A reply, the cause that it has, and whether the mailbox is dead. */
export type ReplyCase = readonly [
  phase: SmtpPhase,
  reply: string,
  failure: MailFailure,
  about: 'dead' | 'recipient' | 'server',
];

/**
 * Replies of mail servers. Those of the large providers are as they have published them, with addresses of
 * documentation.
 */
export const replies: readonly ReplyCase[] = [
  // Mailboxes that do not exist, or are disabled.
  [
    'RCPT TO',
    '550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown in relay recipient table',
    'MAIL_ADDRESS_UNKNOWN',
    'dead',
  ],
  [
    'RCPT TO',
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or\n550 5.1.1 unnecessary spaces. https://support.example.com/?p=NoSuchUser x1 - gsmtp",
    'MAIL_ADDRESS_UNKNOWN',
    'dead',
  ],
  ['RCPT TO', '550 5.1.6 Mailbox has moved', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '556 5.1.10 Recipient address has null MX', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '556 No mail here', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['DATA', '550 5.1.1 No such user', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  [
    'DATA',
    '550 5.2.1 The email account that you tried to reach is disabled.',
    'MAIL_MAILBOX_DISABLED',
    'dead',
  ],
  ['RCPT TO', '550 5.2.1 Postfach geschlossen', 'MAIL_MAILBOX_DISABLED', 'dead'],
  ['RCPT TO', '550 no such user', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 5.5.0 Requested action not taken: unknown user', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 5.0.0 <anna@example.org>... User unknown', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 5.1.0 Address rejected: user not found', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '554 This mailbox is disabled', 'MAIL_MAILBOX_DISABLED', 'dead'],
  ['RCPT TO', '550-First line\n550 Mailbox not found', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 Empfänger unbekannt', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 Utilisateur inconnu', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 El usuario no existe', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 Utente sconosciuto', 'MAIL_ADDRESS_UNKNOWN', 'dead'],
  ['RCPT TO', '550 Onbekende gebruiker', 'MAIL_ADDRESS_UNKNOWN', 'dead'],

  // Limits of the server, in any phase.
  ['DATA', '550 5.4.5 Daily user sending limit exceeded', 'MAIL_LIMIT_REACHED', 'server'],
  ['RCPT TO', '550 5.4.5 Daily user sending limit exceeded', 'MAIL_LIMIT_REACHED', 'server'],
  ['MAIL FROM', '550 5.4.5 Daily user sending limit exceeded', 'MAIL_LIMIT_REACHED', 'server'],
  ['DATA', '550 Tageslimit erreicht', 'MAIL_LIMIT_REACHED', 'server'],
  ['DATA', '550 5.7.1 Too many messages from this account', 'MAIL_LIMIT_REACHED', 'server'],
  ['RCPT TO', '552 5.5.3 Too many recipients', 'MAIL_LIMIT_REACHED', 'server'],
  ['DATA', '550 5.7.28 Mail flood detected', 'MAIL_LIMIT_REACHED', 'server'],
  ['DATA', '554 5.4.5 Congestion', 'MAIL_SERVER_BUSY', 'server'],

  // Full mailboxes.
  ['RCPT TO', '552 5.2.2 Mailbox full', 'MAIL_MAILBOX_FULL', 'recipient'],
  [
    'DATA',
    '552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 Please direct the recipient to make room.',
    'MAIL_MAILBOX_FULL',
    'recipient',
  ],
  ['RCPT TO', '550 Mailbox has exceeded its quota and takes no messages', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '552 Over quota', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '552 Nein', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '550 Das Postfach ist voll', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '550 Casella di posta piena', 'MAIL_MAILBOX_FULL', 'recipient'],

  // Policy, spam, relaying, signing in, encryption.
  ['RCPT TO', '550 5.7.1 Not for you', 'MAIL_BLOCKED', 'server'],
  ['DATA', '554 5.7.1 Message considered spam', 'MAIL_BLOCKED', 'server'],
  ['DATA', '550 5.7.26 This message fails the authentication checks', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '554 Your host is on a blocklist', 'MAIL_BLOCKED', 'server'],
  ['DATA', '550 Als unerwünscht abgelehnt', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '541 No', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '554 5.7.1 <anna@example.org>: Relay access denied', 'MAIL_RELAY_REFUSED', 'server'],
  ['RCPT TO', '550 Relaying denied', 'MAIL_RELAY_REFUSED', 'server'],
  ['RCPT TO', '551 User not local', 'MAIL_RELAY_REFUSED', 'server'],
  ['RCPT TO', '530 5.7.0 Authentication required', 'MAIL_SIGN_IN_REFUSED', 'server'],
  ['MAIL FROM', '530 5.7.0 Authentication required', 'MAIL_SIGN_IN_REFUSED', 'server'],
  ['RCPT TO', '550 Please authenticate first', 'MAIL_SIGN_IN_REFUSED', 'server'],
  ['MAIL FROM', '530 Must issue a STARTTLS command first', 'MAIL_NOT_SECURE', 'server'],
  ['MAIL FROM', '550 5.7.10 Encryption needed', 'MAIL_NOT_SECURE', 'server'],
  ['RCPT TO', '525 5.7.13 User account disabled', 'MAIL_SIGN_IN_REFUSED', 'server'],
  ['MAIL FROM', '550 who are you', 'MAIL_SENDER_REFUSED', 'server'],
  ['MAIL FROM', '550 5.1.1 User unknown', 'MAIL_SENDER_REFUSED', 'server'],
  ['RCPT TO', '553 5.1.8 Sender address rejected: Domain not found', 'MAIL_SENDER_REFUSED', 'server'],
  ['RCPT TO', '550 Sender address rejected: User unknown', 'MAIL_SENDER_REFUSED', 'server'],
  ['DATA', '550 Your account has been suspended', 'MAIL_SENDER_REFUSED', 'server'],

  // Sizes and contents.
  ['DATA', '552 5.3.4 Message too big for system', 'MAIL_TOO_LARGE', 'server'],
  ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', 'MAIL_TOO_LARGE', 'server'],
  ['DATA', '552 Message size exceeds the maximum size', 'MAIL_TOO_LARGE', 'server'],
  ['RCPT TO', '550 5.2.3 Message length exceeds administrative limit', 'MAIL_TOO_LARGE', 'server'],
  ['DATA', '554 5.6.0 Malformed header', 'MAIL_MESSAGE_REFUSED', 'server'],
  ['DATA', '554 No', 'MAIL_MESSAGE_REFUSED', 'server'],
  ['DATA', '550 Nix da', 'MAIL_MESSAGE_REFUSED', 'server'],
  ['RCPT TO', '553 5.6.7 Non-ASCII addresses not permitted', 'MAIL_ADDRESS_NOT_ASCII', 'recipient'],

  // Networks, and servers that want it later, though with a 5.
  ['RCPT TO', '550 5.4.4 Unable to route', 'MAIL_NO_ROUTE', 'recipient'],
  ['RCPT TO', '550 5.1.2 Host unknown', 'MAIL_NO_ROUTE', 'recipient'],
  ['RCPT TO', '554 5.4.7 Delivery time expired', 'MAIL_NO_ROUTE', 'recipient'],
  ['RCPT TO', '550 Unrouteable address', 'MAIL_NO_ROUTE', 'recipient'],
  ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied.', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['DATA', '554 Please try again later', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '550 Bitte später erneut versuchen', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '554 5.3.2 System not accepting messages', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '503 5.5.1 Bad sequence of commands', 'MAIL_SERVER_REFUSED', 'server'],
  ['RCPT TO', '521 5.3.2 Closed', 'MAIL_SERVER_BUSY', 'server'],

  // Nothing sure.
  ['RCPT TO', '550 No', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['RCPT TO', '550', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['RCPT TO', '550 ユーザーが存在しません', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['RCPT TO', '550 Requested action not taken: mailbox unavailable', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['RCPT TO', '550 5.1.3 Bad destination mailbox address syntax', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  ['RCPT TO', '550 5.7.17 Mailbox owner has changed', 'MAIL_ADDRESS_REFUSED', 'recipient'],
  [
    'DATA',
    "554 delivery error: This user doesn't have an example.com account",
    'MAIL_ADDRESS_UNKNOWN',
    'recipient',
  ],

  // Codes that do not fit the words, or one another.
  ['RCPT TO', '550 5.1.1 Daily sending quota exceeded', 'MAIL_LIMIT_REACHED', 'server'],
  ['RCPT TO', '550 5.1.1 Mailbox full', 'MAIL_MAILBOX_FULL', 'recipient'],
  [
    'DATA',
    '550 5.2.1 The user is receiving mail at a rate that prevents further messages',
    'MAIL_LIMIT_REACHED',
    'server',
  ],
  ['DATA', '550 5.1.1 Blocked as spam', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '550 5.1.1 User unknown, try again later', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '550 5.7.1 User unknown', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '550 5.2.2 No such user', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '550 4.1.1 User unknown', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '550-5.7.1 Blocked\n550 5.1.1 User unknown', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '550-5.1.1 User unknown\n550 5.7.1 Blocked', 'MAIL_BLOCKED', 'server'],
  ['RCPT TO', '450 5.1.1 User unknown', 'MAIL_SERVER_BUSY', 'recipient'],
  ['RCPT TO', '550 5.1.10.1 What', 'MAIL_ADDRESS_REFUSED', 'recipient'],

  // Temporary replies. "Later" for one recipient is usual.
  ['RCPT TO', '450 4.2.0 Greylisted', 'MAIL_SERVER_BUSY', 'recipient'],
  ['RCPT TO', '451 4.7.1 Greylisting in action, please come back later', 'MAIL_SERVER_BUSY', 'recipient'],
  ['RCPT TO', '452 4.2.2 Over quota', 'MAIL_MAILBOX_FULL', 'recipient'],
  ['RCPT TO', '450 4.1.1 User unknown', 'MAIL_SERVER_BUSY', 'recipient'],
  ['DATA', '451 4.3.0 Local error', 'MAIL_SERVER_BUSY', 'server'],
  ['RCPT TO', '421 4.7.0 Too many connections', 'MAIL_LIMIT_REACHED', 'server'],
  ['DATA', '421 Closing', 'MAIL_SERVER_BUSY', 'server'],
  ['MAIL FROM', '451 try later', 'MAIL_SERVER_BUSY', 'server'],
];
