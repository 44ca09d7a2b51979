import { uniqueKey } from '../../data/browser';
import type { DataOf } from '../../data/operation';
import type { ReminderPolicyRecord } from '../../generated/operations/reminderPolicy';
import type { ItemDate, RecipientKind, ReminderStepInput } from '../../generated/types';
import { t } from '../../i18n/i18n';

/** A reminder policy as its page has it. */
export type Policy = NonNullable<DataOf<typeof ReminderPolicyRecord>['record']>;

/** A step of a policy as it is stored. */
export type Step = Policy['steps'][number];

/** A step as it is filled in. */
export interface StepDraft {
  readonly key: string;
  readonly about: ItemDate | null;
  readonly days: string;
  readonly side: 'before' | 'after';
  readonly recipients: readonly RecipientKind[];
  readonly addresses: string;
  readonly channelIds: readonly string[];
  readonly repeat: string;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
}

/** All possible recipients of a step. */
export const recipientKinds: readonly RecipientKind[] = [
  'MAIN_CONTACT',
  'CONTACTS',
  'ASSIGNEE',
  'WATCHERS',
  'WORKSPACE_MEMBERS',
  'ADMINS',
  'ADDRESSES',
];

const usual: readonly RecipientKind[] = ['CONTACTS', 'MAIN_CONTACT', 'ASSIGNEE', 'WATCHERS'];

/** Creates a step that nobody has filled in yet. */
export const newStep = (days: string, side: StepDraft['side']): StepDraft => ({
  key: uniqueKey(),
  // What comes after a date tells that something has expired.
  about: side === 'after' ? 'EXPIRATION' : null,
  days,
  side,
  recipients: usual,
  addresses: '',
  channelIds: [],
  repeat: '',
  repeatCount: null,
  onlyUnacknowledged: false,
});

/** Fills the form's rows with a policy's steps. A new one starts with the usual days. */
export function stepDrafts(steps: readonly Step[] | undefined): readonly StepDraft[] {
  if (!steps) return [newStep('30', 'before'), newStep('7', 'before'), newStep('0', 'before')];
  return steps.map((step) => ({
    key: step.id,
    about: step.about,
    days: String(Math.abs(step.offsetDays)),
    side: step.offsetDays > 0 ? 'after' : 'before',
    recipients: step.recipients,
    addresses: step.addresses.join(', '),
    channelIds: step.channelIds,
    repeat: step.repeatEveryDays === null ? '' : String(step.repeatEveryDays),
    repeatCount: step.repeatCount,
    onlyUnacknowledged: step.onlyUnacknowledged,
  }));
}

/** Creates the input from the form's rows. */
export const inputOfSteps = (drafts: readonly StepDraft[]): ReminderStepInput[] =>
  drafts.map((draft) => {
    const size = Math.round(Number(draft.days));
    return {
      about: draft.about,
      // Avoid `-0`, which is not a different day.
      offsetDays: size === 0 || draft.side === 'after' ? size : -size,
      recipients: [...draft.recipients],
      addresses: draft.addresses.split(/[\s,;]+/).filter(Boolean),
      channelIds: [...draft.channelIds],
      repeatEveryDays: draft.repeat.trim() === '' ? null : Number(draft.repeat),
      repeatCount: draft.repeat.trim() === '' ? null : draft.repeatCount,
      onlyUnacknowledged: draft.onlyUnacknowledged,
    };
  });

/** Describes the day of a step: `30 days before`. */
export const dayText = (offsetDays: number): string =>
  offsetDays === 0
    ? t('reminders.on')
    : t(offsetDays < 0 ? 'reminders.before' : 'reminders.after', { n: Math.abs(offsetDays) });
