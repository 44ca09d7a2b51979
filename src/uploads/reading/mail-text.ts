// A separate program, started by read-document.ts. It reads a mail from stdin, and writes its words and its files to stdout:
// first a line of JSON, then the bytes of the files.

import { buffer } from 'node:stream/consumers';
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { visibleText } from '../../domain/text/html.js';
import { endWith, guard, writeLine } from './guard.mjs';
import type { MailFile, ReadMail, TextLimits } from './read-document.js';

const limits: TextLimits = JSON.parse(process.argv[2] ?? '');
guard(limits);

const texts: string[] = [];
const files: MailFile[] = [];
let mails = 0;
let hasMore = false;

/** Files that say something about the mail, such as its signature or an appointment. */
const aside = /^(?:application\/(?:x-)?pkcs7-signature|application\/pgp-(?:signature|keys)|text\/calendar)$/;

/** Checks that an attachment is a mail, such as a forwarded one. */
const isMail = ({ mimeType, filename }: Attachment) =>
  mimeType === 'message/rfc822' || (filename ?? '').toLowerCase().endsWith('.eml');

/** Returns the words of a mail that are shown. */
const wordsOf = ({ subject = '', text = '', html }: Email) =>
  `${subject}\n\n${html ? visibleText(html.slice(0, limits.html)) : text}`;

/** Ends this program for an encrypted mail. A signature may contain the whole mail, too. */
function endIfSealed({ headers, attachments }: Email): void {
  const type = headers.find(({ key }) => key === 'content-type')?.value.toLowerCase() ?? '';
  const isSealed = attachments.some(({ mimeType }) => /^application\/(?:x-)?pkcs7-mime$/.test(mimeType));
  if (type.startsWith('multipart/encrypted')) endWith('PROTECTED');
  if (isSealed) endWith(type.includes('signed-data') ? 'UNSUPPORTED' : 'PROTECTED');
}

/** Makes a name that is the last part of a path. */
const plainName = (name: string | null) =>
  (name ?? '')
    .replace(/^.*[/\\]/s, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();

/** Takes the files of a mail, and those of the mails within it. */
async function open(bytes: Uint8Array, depth: number): Promise<void> {
  mails += 1;
  if (depth > limits.mails || mails > limits.files) {
    hasMore = true;
    return;
  }
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 100 });
  if (depth === 1) endIfSealed(mail);
  texts.push(wordsOf(mail));
  for (const attachment of mail.attachments) {
    // Only texts for programs, such as appointments, are no bytes.
    const content = typeof attachment.content === 'string' ? null : new Uint8Array(attachment.content);
    if (!content || content.length === 0 || aside.test(attachment.mimeType)) continue;
    if (isMail(attachment)) await open(content, depth + 1);
    else if (!attachment.related || content.length >= limits.shown) {
      if (files.length >= limits.files) hasMore = true;
      else
        files.push({
          name: plainName(attachment.filename) || 'Attachment',
          type: attachment.mimeType.slice(0, 100),
          bytes: content,
        });
    }
  }
}

await open(await buffer(process.stdin), 1);
const head: ReadMail = {
  text: texts.join('\n\n').slice(0, limits.characters).toWellFormed(),
  files: files.map(({ name, type, bytes }) => ({ name, type, length: bytes.length })),
  hasMore,
};
writeLine(head);
for (const { bytes } of files) process.stdout.write(bytes);
