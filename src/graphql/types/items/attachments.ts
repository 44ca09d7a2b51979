import { createFileLink, longestLink } from '../../../access/file-links.js';
import type { Session } from '../../../db/connection/session.js';
import { paths } from '../../../domain/doors/paths.js';
import { argumentError, badField } from '../../../domain/errors.js';
import {
  base64Length,
  encodeBase64,
  FileContent,
  FileError,
  fileReference,
  largestFile,
} from '../../../domain/files.js';
import { isStoredByAttachment } from '../../../items/attachments/attachments.js';
import { contentByAttachment } from '../../../items/attachments/contents.js';
import { addAttachment, removeAttachment } from '../../../items/attachments/files.js';
import { restoreFile } from '../../../items/attachments/replaced-files.js';
import { type BatchLoader, loadBatched } from '../../../records/loaders.js';
import { builder, typeOf } from '../../builder.js';
import { fileToken } from '../../define/patch/files.js';
import { onVersion, versionArgument } from '../../define/versions.js';
import { needs } from '../../execution/selection.js';

/**
 * Loads attachments' bytes in base64, or why they cannot be read. Each is encoded once in a request, however often
 * it is answered.
 */
const encodedContents: BatchLoader<string | FileError | null> = async (session, ids) =>
  (await contentByAttachment(session, ids)).map((found) =>
    found === null || found instanceof FileError ? found : encodeBase64(found),
  );

const addressOf =
  "It needs the same access token as this query. With `expiresIn`, it works without one, for use in `<img>` and `<a>`. Such a link stops working when its time is up, when the caller's token ends, or when the caller may no longer see the file. Null if the bytes are not stored here.";
const expiresIn = `The number of seconds for which the link works without a token, at most ${longestLink}. If omitted, it always needs one.`;

/** Returns the path of a file's bytes. @returns null if they are not stored here */
async function pathOf(session: Session, id: string, seconds: number | null | undefined) {
  if (!(await loadBatched(session, isStoredByAttachment, id))) return null;
  const path = paths.attachment.replace('{id}', id);
  if (seconds == null) return path;
  return `${path}?link=${await createFileLink(session, { kind: 'attachment', id }, seconds)}`;
}

builder.prismaObjectFields('Attachment', (t) => ({
  content: t.string({
    nullable: true,
    description:
      "The file's bytes, in base64. Null if they are not stored here. If they are missing, damaged or cannot be read now, it is null, and an error says why.",
    extensions: {
      cost: 500,
      isFileContent: true,
      ...needs({ fields: ['contentLength', 'sourceUrl'] }).extensions,
    },
    resolve: async ({ id, contentLength, sourceUrl }, _args, { session, fileContent, answer }) => {
      if (fileContent === 'none') return null;
      if (fileContent === 'reference') return fileReference(id);
      // Of a file that a scan told of, there may be nothing but the size that its sender told.
      const isTold = sourceUrl !== null || contentLength > largestFile;
      if (isTold && !(await loadBatched(session, isStoredByAttachment, id))) return null;
      if (fileContent === 'token') return fileToken(id, Number(contentLength));
      const bytes = base64Length(Number(contentLength));
      const found = await answer.expect(bytes, session.slices, () =>
        loadBatched(session, encodedContents, id),
      );
      if (found instanceof FileError) throw found;
      return found;
    },
  }),
  contentUrl: t.string({
    nullable: true,
    description: `The address where GET returns the file's bytes. ${addressOf}`,
    args: { expiresIn: t.arg.int({ description: expiresIn }) },
    ...needs({}),
    resolve: async ({ id }, { expiresIn }, { session, origin = '' }) => {
      const path = await pathOf(session, id, expiresIn);
      return path === null ? null : `${origin}${path}`;
    },
  }),
  downloadUrl: t.string({
    nullable: true,
    description: `A path on this server where GET returns the file's bytes. ${addressOf}`,
    deprecationReason: 'Ask for `contentUrl`, which is a whole address. It goes in version 1.0.',
    args: { expiresIn: t.arg.int({ description: expiresIn }) },
    ...needs({}),
    resolve: ({ id }, { expiresIn }, { session }) => pathOf(session, id, expiresIn),
  }),
}));

builder.inputType('AttachmentInput', {
  description:
    'Either an existing attachment, given by its id, or a new one, given by its content. Other content replaces the file of an existing one; its former bytes go to the bin.',
  fields: (t) => ({
    id: t.id({ description: 'The id of an attachment of this item, which is kept.' }),
    name: t.string({ description: 'The name of a new file, or of one that replaces another.' }),
    contentType: t.string({ description: 'The media type of a new file, or of one that replaces another.' }),
    content: t.string({
      description: 'The bytes in base64. If omitted or null, an existing attachment keeps its file.',
    }),
  }),
});

const AddAttachmentInput = builder.inputType('AddAttachmentInput', {
  description: `A file for an item, at most ${largestFile / 1024 / 1024} MiB. Give either \`content\` or \`file\`.`,
  fields: (t) => ({
    itemId: t.id({ description: 'The id of the item. Required.' }),
    name: t.string({ description: "The file's name. Default: that of `file`." }),
    contentType: t.string({ description: "The file's media type. Default: that of `file`." }),
    content: t.string({ description: "The file's bytes, in base64." }),
    file: t.field({ type: 'Upload', description: 'The file itself, as a multipart upload.' }),
  }),
});

/** Reads the file of an input. */
async function readFileInput({ content, file, name, contentType }: typeof AddAttachmentInput.$inferInput) {
  if (file && content == null) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return {
      name: name ?? file.name,
      contentType: contentType ?? file.type,
      content: new FileContent(bytes),
    };
  }
  if (file || content == null) {
    throw argumentError('BAD_REQUEST', 'Send either `content` or `file`.', ['content']);
  }
  return { name, contentType, content };
}

builder.mutationFields((t) => ({
  addAttachment: t.field({
    extensions: { checksInput: true, loose: ['itemId'] },
    type: typeOf('attachment'),
    nullable: true,
    description: 'Adds a file to an item, after its other files.',
    args: {
      input: t.arg({ type: AddAttachmentInput, required: true, description: 'The file.' }),
      ...versionArgument('the item'),
    },
    resolve: async (_root, { input, ifVersion }, { session }) => {
      const { itemId } = input;
      // Its type cannot say so, as long as it may also come beside the input.
      if (itemId == null) throw badField(['itemId'], 'is required', 'required');
      const file = await readFileInput(input);
      return onVersion(session, ifVersion, () => addAttachment(session, itemId, file));
    },
  }),
  removeAttachment: t.field({
    type: typeOf('attachment'),
    nullable: true,
    description: 'Removes a file from its item and returns it as it was.',
    args: {
      id: t.arg.id({ required: true, description: "The attachment's id." }),
      ...versionArgument('its item, which this changes'),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => removeAttachment(session, id)),
  }),
  restoreAttachment: t.field({
    type: typeOf('attachment'),
    nullable: true,
    description:
      'Restores a replaced file from the bin: adds it to its item as another file, after the others. Its id is the `recordId` of its entry.',
    args: {
      id: t.arg.id({ required: true, description: "The file's id in the bin." }),
      ...versionArgument('its entry in the bin'),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => restoreFile(session, id)),
  }),
}));
