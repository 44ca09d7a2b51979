import { notToldReasons } from '../../../domain/reminders/reasons.js';
import { uploadReasons } from '../../../domain/uploads/reasons.js';
import { builder } from '../../builder.js';

/** Makes the values of an enum out of codes with their descriptions. */
const valuesOf = <Code extends string>(codes: Readonly<Record<Code, string>>) =>
  Object.fromEntries(
    Object.entries<string>(codes).map(([code, description]) => [code, { value: code, description }]),
  ) as Record<Code, { value: Code; description: string }>;

/** Reasons for which somebody was not told. */
export const NotToldReasonEnum = builder.enumType('NotToldReason', {
  description: 'Codes for why somebody was not notified, for programs and translations.',
  values: valuesOf(notToldReasons),
});

builder.enumType('UploadReason', {
  description: 'Codes for why an upload was not filed, for programs and translations.',
  values: valuesOf(uploadReasons),
});
