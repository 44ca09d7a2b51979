/** What a mail says. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail to one recipient. */
export interface MailMessage extends MailContent {
  readonly to: string;
  /** Fixed before the first try, so that a mail that is sent twice is known as one (RFC 5322 section 3.6.4). */
  readonly messageId: string;
  /** Message that it belongs to: mail programs show those with the same one as a thread. */
  readonly thread?: string | undefined;
  /** Address that takes a POST to unsubscribe with one click (RFC 8058). */
  readonly unsubscribe?: string | undefined;
}

/**
 * Makes a message id from one of ours.
 * @param id letters, digits, dots and hyphens
 * @param from the sender's address, whose host makes it unique
 */
export function messageIdFor(id: string, from: string): string {
  return `<${id}@${hostOf(from)}>`;
}

/** Returns the host of an address, also of one with a name: `Gateway <mail@example.com>`. */
function hostOf(address: string): string {
  return address.replace(/>\s*$/, '').split('@').at(-1)?.trim().toLowerCase() || 'localhost';
}
