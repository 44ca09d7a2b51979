/** Content of a mail. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail to one recipient. */
export interface MailMessage extends MailContent {
  readonly to: string;
  /**
   * Id, fixed before the first attempt (RFC 5322 section 3.6.4). Mail programs recognize a mail that was sent
   * twice.
   */
  readonly messageId: string;
  /** Message that it belongs to. Mail programs show those with the same one as a thread. */
  readonly thread?: string | undefined;
  /** Address that accepts a POST to unsubscribe with one click (RFC 8058). */
  readonly unsubscribe?: string | undefined;
}
