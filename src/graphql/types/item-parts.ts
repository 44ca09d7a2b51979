import * as z from 'zod';
import { largestFile } from '../../domain/files.js';
import { limits } from '../../domain/rules.js';
import { expirationItems } from '../../items/expiration-items.js';
import { attachFile, fileRules } from '../../items/files.js';
import { updateRecord } from '../../records/record.js';
import { builder } from '../builder.js';
import { presentIn } from '../define/coerce.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { selectionForField } from '../execution/selection.js';
import { ContactReference, ExpirationItem } from './expiration-items.js';

const AttachToItemInput = builder.inputType('AttachToExpirationItemInput', {
  description: `A file for an item, at most ${largestFile / 1024 / 1024} MiB.`,
  extensions: { rules: fileRules },
  fields: (t) => ({
    name: t.string({ description: "The file's name." }),
    contentType: t.string({ description: "The file's media type." }),
    content: t.string({ required: true, description: "The file's bytes, in base64." }),
  }),
});

const SetContactsInput = builder.inputType('SetExpirationItemContactsInput', {
  description: 'The contacts of an item.',
  extensions: { rules: z.object({ contacts: z.array(z.unknown()).max(limits.entries) }) },
  fields: (t) => ({
    contacts: t.field({
      type: [ContactReference],
      required: true,
      description: 'All contacts of the item, in order. An empty list removes them all.',
    }),
  }),
});

builder.mutationFields((t) => {
  const item = { type: ExpirationItem, nullable: true as const };
  const id = t.arg.id({ required: true, description: "The item's id." });
  return {
    attachToExpirationItem: t.field({
      ...item,
      extensions: { checksInput: true },
      description: 'Adds a file to an item, after its other files, and returns the item.',
      args: {
        id,
        input: t.arg({ type: AttachToItemInput, required: true, description: 'The file.' }),
        ...versionArgument(),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => attachFile(session, id, input)),
    }),
    setExpirationItemContacts: t.field({
      ...item,
      extensions: { checksInput: true },
      description: 'Replaces the contacts of an item and leaves everything else unchanged.',
      args: {
        id,
        input: t.arg({ type: SetContactsInput, required: true, description: 'The contacts.' }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, input, ifVersion }, context, info) => {
        const { session } = context;
        const values = presentIn(input, context, SetContactsInput.name);
        const selection = selectionForField(info, expirationItems.rows.model);
        const change = () => updateRecord(session, expirationItems, id, values, selection);
        return (await onVersion(session, ifVersion, change)).row;
      },
    }),
  };
});
