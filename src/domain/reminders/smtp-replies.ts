import { type MailFailure, ofDeadMailboxes } from './reasons.js';

/** Properties that nodemailer gives its errors. */
export interface SmtpError extends Error {
  readonly code?: string;
  /** Code of the system's error that is behind it. */
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** The meaning of a reply. Words of the reply can say more about a vague one. */
type Meaning = readonly [failure: MailFailure, vague?: 'vague'];

/**
 * Meanings of enhanced status codes (RFC 3463), by subject and detail, as IANA lists them. The first digit only says
 * whether a failure is permanent.
 */
export const codeMeanings: Readonly<Record<string, Meaning>> = {
  '1.1': ['MAIL_ADDRESS_UNKNOWN'], // bad destination mailbox address
  '1.2': ['MAIL_NO_ROUTE'], // bad destination system address, also if only its DNS fails
  '1.3': ['MAIL_ADDRESS_REFUSED'], // bad destination mailbox address syntax
  '1.4': ['MAIL_ADDRESS_REFUSED'], // ambiguous address
  '1.6': ['MAIL_ADDRESS_UNKNOWN'], // mailbox has moved, and nobody knows where to
  '1.7': ['MAIL_SENDER_REFUSED'], // bad sender's mailbox address syntax
  '1.8': ['MAIL_SENDER_REFUSED'], // bad sender's system address
  '1.9': ['MAIL_MESSAGE_REFUSED'], // relayed to a server that cannot take it
  '1.10': ['MAIL_ADDRESS_UNKNOWN'], // null MX: the domain takes no mail (RFC 7505)
  '2.1': ['MAIL_MAILBOX_DISABLED'],
  '2.2': ['MAIL_MAILBOX_FULL'],
  '2.3': ['MAIL_TOO_LARGE'],
  '2.4': ['MAIL_ADDRESS_REFUSED'], // mailing list expansion problem
  '3.1': ['MAIL_SERVER_BUSY'], // mail system full
  '3.2': ['MAIL_SERVER_BUSY'], // system not accepting messages
  '3.3': ['MAIL_SERVER_REFUSED'], // system not capable of features
  '3.4': ['MAIL_TOO_LARGE'],
  '3.5': ['MAIL_SERVER_REFUSED'], // system incorrectly configured
  '4.1': ['MAIL_NO_ROUTE', 'vague'], // no answer from host; Exchange says so of unknown recipients, too
  '4.2': ['MAIL_NO_ROUTE'], // bad connection
  '4.3': ['MAIL_NO_ROUTE'], // directory server failure
  '4.4': ['MAIL_NO_ROUTE'], // unable to route
  '4.5': ['MAIL_SERVER_BUSY', 'vague'], // congestion; Google says so of a sending limit
  '4.6': ['MAIL_NO_ROUTE'], // routing loop
  '4.7': ['MAIL_NO_ROUTE'], // delivery time expired
  '5.3': ['MAIL_LIMIT_REACHED'], // too many recipients
  '6.7': ['MAIL_ADDRESS_NOT_ASCII'], // non-ASCII addresses not permitted (RFC 6531)
  '6.8': ['MAIL_ADDRESS_NOT_ASCII'],
  '6.9': ['MAIL_ADDRESS_NOT_ASCII'],
  '6.10': ['MAIL_ADDRESS_NOT_ASCII'],
  '7.2': ['MAIL_ADDRESS_REFUSED'], // mailing list expansion prohibited
  '7.8': ['MAIL_SIGN_IN_REFUSED'], // credentials invalid
  '7.9': ['MAIL_SIGN_IN_REFUSED'], // mechanism too weak
  '7.10': ['MAIL_NOT_SECURE'], // encryption needed
  '7.11': ['MAIL_SIGN_IN_REFUSED'], // encryption required for the mechanism
  '7.12': ['MAIL_SIGN_IN_REFUSED'], // password transition needed
  '7.13': ['MAIL_SIGN_IN_REFUSED'], // the account that signs in is disabled
  '7.14': ['MAIL_SIGN_IN_REFUSED'], // trust relationship required
  '7.16': ['MAIL_TOO_LARGE'], // too big for its priority
  '7.17': ['MAIL_ADDRESS_REFUSED'], // mailbox owner has changed
  '7.18': ['MAIL_ADDRESS_REFUSED'], // domain owner has changed
  '7.19': ['MAIL_ADDRESS_REFUSED'], // whether the owner has changed cannot be said
  '7.27': ['MAIL_SENDER_REFUSED'], // the sender's domain takes no mail
  '7.28': ['MAIL_LIMIT_REACHED'], // mail flood detected
  '7.30': ['MAIL_NOT_SECURE'], // REQUIRETLS support required
};

/** Meanings of the other codes of a subject. A detail of 0 is about nothing in particular. */
export const subjectMeanings: Readonly<Record<string, Meaning>> = {
  '1': ['MAIL_ADDRESS_REFUSED', 'vague'], // addressing
  '2': ['MAIL_ADDRESS_REFUSED', 'vague'], // mailbox
  '3': ['MAIL_SERVER_REFUSED', 'vague'], // mail system
  '4': ['MAIL_NO_ROUTE', 'vague'], // network and routing
  '5': ['MAIL_SERVER_REFUSED', 'vague'], // protocol; Outlook says so of unknown recipients, too
  '6': ['MAIL_MESSAGE_REFUSED', 'vague'], // content
  '7': ['MAIL_BLOCKED', 'vague'], // security and policy
};

/**
 * Meanings of replies by their words, in the languages of the gateway. The first that fits counts. A dead
 * mailbox comes late: a reply that also speaks of a limit, of spam or of later says nothing sure of it.
 */
export const wordMeanings: readonly (readonly [failure: MailFailure, ...words: readonly RegExp[]])[] = [
  [
    'MAIL_RELAY_REFUSED',
    /\brelay(?:ing|ed)? (?:access )?(?:is )?(?:denied|not |prohibited)/,
    /\b(?:unable to|cannot|will not|do not|not (?:allowed|permitted|authorized) to) relay/,
  ],
  [
    'MAIL_SIGN_IN_REFUSED',
    /\bauthenticat(?:e|ion)\b.*\b(?:required|failed|needed|first)/,
    /\b(?:must|need to|please) (?:first )?(?:authenticate|log ?in)/,
  ],
  ['MAIL_NOT_SECURE', /\bstarttls\b|\bencryption (?:is )?(?:required|needed)/],
  [
    'MAIL_TOO_LARGE',
    /\b(?:message|mail|size)\b.*\b(?:too (?:big|large)|exceed\w* .*\bsize|size limit)/,
    /\bsize\b.*\bexceed|\bmaximum (?:message )?size|\blarger than\b/,
    /zu groß|trop (?:grande?|gros|volumineux)|demasiado grande|troppo grande|te groot/,
  ],
  [
    'MAIL_MAILBOX_FULL',
    /\b(?:mailbox|mail box|inbox|maildir)\b.*\b(?:full|over|quota|exceed\w*|limit)\b/,
    /\b(?:account|recipient|storage)\b.*\bfull\b|\bfull (?:mailbox|inbox)\b/,
    /postfach.* voll|bo[îi]te.* pleine|buz[óo]n.* lleno|casella.* piena|(?:mailbox|postvak).* vol\b/,
  ],
  [
    'MAIL_LIMIT_REACHED',
    /\b(?:send(?:ing|er)?|sent|daily|hourly|per (?:day|hour|minute))\b.*\b(?:limit|quota|exceed\w*)\b/,
    /\b(?:limit|quota|exceed\w*)\b.*\b(?:send(?:ing|er)?|sent|daily|hourly|per (?:day|hour|minute))\b/,
  ],
  ['MAIL_MAILBOX_FULL', /\bquota\b|\b(?:storage|disk space)\b|\bout of space\b|\bspeicherplatz\b/],
  [
    'MAIL_LIMIT_REACHED',
    /\b(?:limit\w*|rate|throttl\w*)\b|\btoo (?:many|quickly|fast|frequent\w*|often)\b/,
    /\b(?:tages|sende)limit\b|\bkontingent\b|\bl[ií]mites?\b|\blimieten?\b/,
  ],
  [
    'MAIL_BLOCKED',
    /\b(?:spam\w*|junk|unsolicited|reputation|virus\w*|policy|policies|spf|dkim|dmarc)\b/,
    /\b(?:black|block|deny)[ -]?list\w*|\bblock(?:ed|ing)\b/,
    /unerwünscht|ind[ée]sirable|no deseado|indesiderat|ongewenst/,
  ],
  [
    'MAIL_SENDER_REFUSED',
    /\bsender\b.*\b(?:reject\w*|denied|refused|not (?:allowed|permitted|authorized|found)|invalid|unknown)/,
    /\b(?:your|sending|sender['’]?s?) (?:e-?mail )?(?:account|mailbox|domain|user)\b/,
    /\babsender\b|\bexp[ée]diteur\b|\bremitente\b|\bmittente\b|\bafzender\b/,
  ],
  [
    'MAIL_SERVER_BUSY',
    /\b(?:try|again|retry)\b.*\blater\b|\btry again\b|\btemporar\w*|\bgr[ae]y-?list\w*/,
    /\b(?:is|too|server) busy\b/,
    /sp[äa]ter (?:erneut|noch|wieder)|plus tard|m[áa]s tarde|pi[ùu] tardi|later opnieuw/,
  ],
  [
    'MAIL_MAILBOX_DISABLED',
    /\b(?:mailbox|account|user|recipient)\b.* (?:disabled|inactive|deactivated|suspended|discontinued|closed)\b/,
    /\b(?:disabled|inactive|deactivated|suspended|closed) (?:mailbox|account|user|recipient)\b/,
    /postfach.* (?:deaktiviert|gesperrt|geschlossen)|bo[îi]te.* d[ée]sactiv[ée]e/,
    /(?:cuenta|buz[óo]n).* desactivad[ao]|casella.* disattivat[ao]|postvak.* (?:uitgeschakeld|gesloten)/,
  ],
  [
    'MAIL_ADDRESS_UNKNOWN',
    /\b(?:no such|unknown|non-?existent) (?:local )?(?:user|recipient|mailbox|account|address|person)\b/,
    /\b(?:user|recipient|mailbox|account|address|addressee)(?: is| was)? (?:unknown|not found|not known)\b/,
    /\b(?:user|recipient|mailbox|account|address)\b.*\b(?:does ?n[’']?t|does not|not) exist\b/,
    /\bno mailbox (?:here|by that name)\b|\bdoes ?n[’']?t have an? .*\baccount\b/,
    /\b(?:benutzer|empf[äa]nger|adresse|postfach)\b.* (?:unbekannt|existiert nicht)\b/,
    /\bunbekannter (?:benutzer|empf[äa]nger)\b/,
    /\b(?:utilisateur|destinataire|adresse) (?:inconnue?|inexistante?)\b/,
    /\b(?:utilisateur|destinataire|adresse)\b.* n[’']existe pas\b/,
    /\b(?:usuario|destinatario|buz[óo]n|cuenta)\b.* (?:desconocid[oa]|inexistente|no existe)\b/,
    /\b(?:utente|destinatario|casella|indirizzo)\b.* (?:sconosciut[oa]|inesistente|non esiste)\b/,
    /\bonbekende (?:gebruiker|ontvanger)\b|\b(?:gebruiker|ontvanger|adres)\b.* (?:onbekend|bestaat niet)\b/,
  ],
  [
    'MAIL_NO_ROUTE',
    /\bdomain\b.*\b(?:not found|does ?n.t exist|not exist|unknown)|\b(?:unknown|invalid) (?:domain|host)\b/,
    /\bhost (?:not found|unknown)\b|\bno route\b|\bunrout\w*|\bdns\b/,
  ],
  ['MAIL_ADDRESS_REFUSED', /\brecipient\b.*\breject\w*|\baddress rejected\b|\baccess denied\b/],
  ['MAIL_MESSAGE_REFUSED', /\b(?:content|attachment|malformed|header)s?\b/],
];

/** Meanings of replies that say nothing else, by their three digits. */
export const replyMeanings: Readonly<Record<number, MailFailure>> = {
  500: 'MAIL_SERVER_REFUSED', // syntax error
  502: 'MAIL_SERVER_REFUSED', // command not implemented
  503: 'MAIL_SERVER_REFUSED', // bad sequence of commands
  504: 'MAIL_SERVER_REFUSED', // parameter not implemented
  521: 'MAIL_SERVER_REFUSED', // the server takes no mail (RFC 7504)
  523: 'MAIL_NOT_SECURE', // encryption needed (RFC 5248)
  524: 'MAIL_SIGN_IN_REFUSED',
  525: 'MAIL_SIGN_IN_REFUSED',
  530: 'MAIL_SIGN_IN_REFUSED',
  533: 'MAIL_SIGN_IN_REFUSED',
  534: 'MAIL_SIGN_IN_REFUSED',
  535: 'MAIL_SIGN_IN_REFUSED',
  538: 'MAIL_SIGN_IN_REFUSED',
  541: 'MAIL_BLOCKED',
  551: 'MAIL_RELAY_REFUSED', // user not local
  555: 'MAIL_SERVER_REFUSED', // parameters not recognized
  556: 'MAIL_ADDRESS_UNKNOWN', // the domain takes no mail (RFC 7504)
};

/** Reasons by the codes of nodemailer for what happens before a server answers. */
const byCode: Readonly<Record<string, MailFailure>> = {
  EAUTH: 'MAIL_SIGN_IN_REFUSED',
  ENOAUTH: 'MAIL_SIGN_IN_REFUSED',
  EOAUTH2: 'MAIL_SIGN_IN_REFUSED',
  ETLS: 'MAIL_NOT_SECURE',
  EREQUIRETLS: 'MAIL_NOT_SECURE',
};

/** Codes of Node.js for a certificate that is not trusted, or a handshake that failed. */
const insecure = /CERT|SIGNATURE|^ERR_(?:SSL|TLS)_|^EPROTO$/;

/** Finds the reason of an error without a reply. */
function failureWithoutReply({ code, originalCode = '' }: SmtpError): MailFailure {
  // An envelope that nodemailer itself does not take: no server was asked.
  if (code === 'EENVELOPE') return 'MAIL_ADDRESS_REFUSED';
  if (insecure.test(originalCode)) return 'MAIL_NOT_SECURE';
  const isLost = code === 'ECONNECTION' && originalCode === '';
  return isLost || /^(?:ECONNRESET|EPIPE)$/.test(originalCode)
    ? 'MAIL_CONNECTION_LOST'
    : 'MAIL_SERVER_UNREACHABLE';
}

/** Failures that are about one recipient. All others would meet other mails as well. */
const ofRecipients: ReadonlySet<MailFailure> = new Set([
  ...ofDeadMailboxes,
  ...(['MAIL_ADDRESS_REFUSED', 'MAIL_ADDRESS_NOT_ASCII', 'MAIL_MAILBOX_FULL', 'MAIL_NO_ROUTE'] as const),
]);

/** Failures that a greeting of the server finds, too. */
const ofGreetings: ReadonlySet<MailFailure> = new Set([
  'MAIL_SERVER_UNREACHABLE',
  'MAIL_SIGN_IN_REFUSED',
  'MAIL_NOT_SECURE',
]);

/** Returns whether a greeting of the server shows that a failure has ended. */
export const endsWithGreeting = (failure: MailFailure): boolean => ofGreetings.has(failure);

/** Matches the codes at the beginning of a reply's line. */
const lineStart = /^\d{3}[ -]?(?:([245])\.(\d{1,3}\.\d{1,3})(?![\d.]))?/;

/** Returns the words of a reply, without its codes, and without the names of addresses. */
const wordsOf = (lines: readonly string[]): string =>
  lines
    .map((line) => line.replace(lineStart, ''))
    .join(' ')
    .replace(/<[^>]*>|\S+@\S+|https?:\S+/g, ' ')
    .toLowerCase();

const meaningOfWords = (words: string) =>
  wordMeanings.find(([, ...patterns]) => patterns.some((pattern) => pattern.test(words)))?.[0];

const meaningOfCode = (detail: string): Meaning | undefined =>
  codeMeanings[detail] ?? subjectMeanings[detail.replace(/\..*$/, '')];

/** Finds the reason of a reply by its three digits and its phase alone. */
function failureOfDigits(responseCode: number, phase: string): MailFailure {
  if (phase === 'MAIL') return 'MAIL_SENDER_REFUSED';
  const known = replyMeanings[responseCode];
  if (known) return known;
  if (phase === 'RCPT') return responseCode === 552 ? 'MAIL_MAILBOX_FULL' : 'MAIL_ADDRESS_REFUSED';
  return phase === 'DATA' ? 'MAIL_MESSAGE_REFUSED' : 'MAIL_SERVER_REFUSED';
}

/** The cause of a refusal. */
interface Cause {
  readonly failure: MailFailure;
  /** True if it comes from the words alone. */
  readonly isByWords: boolean;
}

/** Matches codes that say nothing in particular. Words may then even speak of a dead mailbox. */
const unspecific = /^[0125]\.0$/;

/** Finds the cause of a permanent refusal. An enhanced code decides, and words where it is vague or missing. */
function causeOfRefusal(responseCode: number, phase: string, lines: readonly string[]): Cause {
  const told = meaningOfWords(wordsOf(lines));
  const isToldAlive = told !== undefined && !ofDeadMailboxes.has(told);
  const codes = lines.flatMap((line) => {
    const [, kind, detail] = lineStart.exec(line) ?? [];
    return kind && detail ? [{ kind, detail, meaning: meaningOfCode(detail) }] : [];
  });
  // Lines may differ, and so may digits. Only a reply that agrees with itself speaks of a dead mailbox.
  const code =
    codes.find(({ kind, meaning }) => kind !== '5' || !ofDeadMailboxes.has(meaning?.[0] as MailFailure)) ??
    codes[0];
  if (!code?.meaning) {
    const failure = told ?? failureOfDigits(responseCode, phase);
    return { failure, isByWords: told !== undefined };
  }
  const [failure, isVague] = code.meaning;
  if (ofDeadMailboxes.has(failure)) {
    if (isToldAlive && told !== 'MAIL_ADDRESS_REFUSED') return { failure: told, isByWords: true };
    return { failure: code.kind === '5' ? failure : 'MAIL_SERVER_BUSY', isByWords: false };
  }
  const maySay = isVague && told && (isToldAlive || unspecific.test(code.detail));
  return maySay ? { failure: told, isByWords: true } : { failure, isByWords: false };
}

/** The meaning of a failed attempt. */
interface Verdict {
  readonly failure: MailFailure;
  /** True if the mailbox does not exist or is disabled: nothing will ever arrive there. */
  readonly isDead: boolean;
  /** True if the failure is not about the recipient: other mails would fail as well. */
  readonly isServerFault: boolean;
}

/** Reads a temporary reply. A dead mailbox is never temporary. */
function readTemporary(responseCode: number, isLate: boolean, lines: readonly string[]): Verdict {
  const detail = lineStart.exec(lines[0] ?? '')?.[2] ?? '';
  const [known, isVague] = codeMeanings[detail] ?? [];
  const named = (isVague ? undefined : known) ?? meaningOfWords(wordsOf(lines)) ?? 'MAIL_SERVER_BUSY';
  const failure = ofDeadMailboxes.has(named) ? 'MAIL_SERVER_BUSY' : named;
  // Many servers ask to try one recipient or message later (greylisting). 421 ends the session, 4.3 is of the system.
  const isUsual = failure === 'MAIL_SERVER_BUSY' || failure === 'MAIL_BLOCKED';
  const isOwn = isLate && responseCode !== 421 && !detail.startsWith('3.') && isUsual;
  return { failure, isDead: false, isServerFault: !isOwn && !ofRecipients.has(failure) };
}

/**
 * Finds out why a mail was not taken, and whether its mailbox is dead. Only a permanent reply to the recipient or to the
 * message can say so of a mailbox, and only if nothing in it says otherwise. A mailbox that is wrongly taken for dead
 * would get nothing for weeks.
 */
export function readSmtpError(error: SmtpError): Verdict {
  const { code = '', command = '', responseCode, response = '' } = error;
  const isData = /^(?:BDAT|DATA)/i.test(command) || code === 'EMESSAGE';
  const phase = isData ? 'DATA' : command.slice(0, 4).toUpperCase();
  const isLate = phase === 'RCPT' || phase === 'DATA';
  const found = byCode[code] ?? (responseCode === undefined ? failureWithoutReply(error) : undefined);
  if (found || responseCode === undefined) {
    const failure = found ?? 'MAIL_SERVER_UNREACHABLE';
    return { failure, isDead: false, isServerFault: !ofRecipients.has(failure) };
  }
  const lines = response.split(/\r?\n/);
  if (responseCode < 500) return readTemporary(responseCode, isLate, lines);
  const { failure, isByWords } = causeOfRefusal(responseCode, phase, lines);
  // What is said before the recipient is named cannot be about the recipient.
  if (!isLate && ofRecipients.has(failure)) {
    const own = phase === 'MAIL' ? 'MAIL_SENDER_REFUSED' : 'MAIL_SERVER_REFUSED';
    return { failure: own, isDead: false, isServerFault: true };
  }
  // Words after the message may be about the sender's own mailbox.
  const isProved = phase === 'RCPT' || (isLate && !isByWords);
  return {
    failure,
    isDead: isProved && ofDeadMailboxes.has(failure),
    isServerFault: !ofRecipients.has(failure),
  };
}
