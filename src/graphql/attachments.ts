import { contentsOf } from '../data/attachments.js';
import { loadThrough } from '../data/loaders.js';
import { encodeBase64 } from '../domain/files.js';
import { builder, Node } from './builder.js';

/** A file attached to an item. */
export const Attachment = builder.prismaObject('Attachment', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name', { nullable: true }),
    contentType: t.exposeString('contentType', { nullable: true }),
    contentLength: t.expose('contentLength', { type: 'BigInt' }),
    content: t.string({
      nullable: true,
      description: "The file's bytes in base64; null when they are not stored here.",
      extensions: { cost: 500 },
      resolve: async ({ id }, _args, { session, fileContent }) => {
        const bytes = fileContent ? await loadThrough(session, contentsOf, id) : null;
        return bytes && encodeBase64(bytes);
      },
    }),
    sourceUrl: t.exposeString('sourceUrl', { nullable: true }),
    created: t.expose('created', { type: 'DateTime' }),
  }),
});

/** An item's attachment as its input names or brings it. */
export const AttachmentInput = builder.inputType('AttachmentInput', {
  description: 'An attachment that is kept, by its id, or a new one, by its content.',
  fields: (t) => ({
    id: t.id({ description: 'An attachment of this item, which is kept as it is.' }),
    name: t.string({ description: "A new attachment's file name." }),
    contentType: t.string({ description: "A new attachment's media type." }),
    content: t.string({ description: "A new attachment's bytes in base64." }),
  }),
});
