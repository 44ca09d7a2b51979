import type { Box as BoxShape } from '../../../domain/documents/finding.js';
import {
  type Suggestion,
  type SuggestionField,
  type SuggestionSource,
  suggestionRules,
} from '../../../domain/uploads/suggestions.js';
import { builder } from '../../builder.js';

/** Makes the values of an enum out of words with their descriptions. */
const valuesOf = <Word extends string>(words: Readonly<Record<Word, string>>) =>
  Object.fromEntries(
    Object.entries<string>(words).map(([word, description]) => [
      word.toUpperCase(),
      { value: word, description },
    ]),
  ) as Record<string, { value: Word; description: string }>;

const Field = builder.enumType('UploadSuggestionField', {
  description: 'The details that are suggested for a document.',
  values: valuesOf<SuggestionField>({
    expiration_date: 'The last valid day, as `YYYY-MM-DD`.',
    document_number: 'The number of the document, or of an item that it mentions.',
    name: 'The name of the holder, or of an item that the document mentions.',
    document_type: 'The name of one of the document types.',
    contact: 'The e-mail address of one of the contacts.',
  }),
});

const Source = builder.enumType('UploadSuggestionSource', {
  description: 'Where the gateway found a detail.',
  values: valuesOf<SuggestionSource>({
    TEXT: 'In the text of the file.',
    OCR: 'In text that was recognized in a picture.',
    MRZ: 'In a machine-readable zone, as on passports. Its check digits agree.',
    BARCODE: 'In a barcode, as on driving licences.',
    WORKSPACE:
      'Among the records of the workspace, because the document mentions it. It may be only similar.',
    FILE_NAME: "In the file's name. No label says what it means, or the document says another.",
  }),
});

const Box = builder.objectRef<BoxShape>('Box').implement({
  description:
    "A rectangle on a page, in parts of the page's width and height from 0 to 1. Pictures are upright, as browsers show them.",
  fields: (t) => ({
    x: t.exposeFloat('x', { description: 'Distance from the left.' }),
    y: t.exposeFloat('y', { description: 'Distance from the top.' }),
    width: t.exposeFloat('width', { description: 'Width.' }),
    height: t.exposeFloat('height', { description: 'Height.' }),
  }),
});

builder.objectRef<Suggestion>('UploadSuggestion').implement({
  description: 'A detail found in a document.',
  extensions: { rules: suggestionRules },
  fields: (t) => ({
    field: t.field({ type: Field, description: 'Which detail it is.', resolve: ({ field }) => field }),
    value: t.exposeString('value', { description: 'The detail itself.' }),
    confidence: t.exposeInt('confidence', { description: 'How certain it is, from 0 to 100.' }),
    source: t.field({
      type: Source,
      description: 'Where it was found.',
      resolve: ({ source }) => source,
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The number of its page, from 1. Null if unknown.',
    }),
    box: t.field({
      type: Box,
      nullable: true,
      description: 'Its place on the page. Null if unknown.',
      resolve: ({ box }) => box,
    }),
    words: t.exposeString('words', {
      nullable: true,
      description: 'The words of the document around it, at most 120 characters.',
    }),
    reason: t.exposeString('reason', { description: 'A sentence that says why it is suggested.' }),
  }),
});
