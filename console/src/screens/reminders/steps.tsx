import { Unsent } from '../../app/unsent';
import { uniqueKey } from '../../data/browser';
import type { DataOf } from '../../data/client';
import { usePages } from '../../data/pages';
import type { ReminderPolicyRecord } from '../../generated/operations/reminderPolicy';
import { Channels } from '../../generated/operations/settings';
import type { ChannelRowFragment, ItemDate, RecipientKind, ReminderStepInput } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { EditorProps } from '../../records/record-type';
import { Button, IconButton } from '../../ui/button';
import { Check, SelectField, TextField } from '../../ui/field';

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
  readonly asksForDocument: boolean;
}

/** All possible recipients of a step. */
const recipientKinds: readonly RecipientKind[] = [
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
const newStep = (days: string, side: StepDraft['side']): StepDraft => ({
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
  asksForDocument: false,
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
    asksForDocument: step.asksForDocument,
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
      asksForDocument: draft.asksForDocument && draft.about !== 'NOTICE',
    };
  });

/** Describes the day of a step: `30 days before`. */
export const dayText = (offsetDays: number): string =>
  offsetDays === 0
    ? t('reminders.on')
    : t(offsetDays < 0 ? 'reminders.before' : 'reminders.after', { n: Math.abs(offsetDays) });

interface StepProps {
  readonly step: StepDraft;
  readonly channels: readonly ChannelRowFragment[];
  readonly wrong: (member: string) => string | undefined;
  readonly onChange: (changes: Partial<StepDraft>) => void;
  readonly onRemove: () => void;
}

function StepFields({ step, channels, wrong, onChange, onRemove }: StepProps) {
  const {
    about,
    days,
    side,
    recipients,
    addresses,
    channelIds,
    repeat,
    onlyUnacknowledged,
    asksForDocument,
  } = step;
  const toldIds = (id: string, isOn: boolean) =>
    isOn ? [...channelIds, id] : channelIds.filter((one) => one !== id);
  // A policy takes only channels of its own workspace.
  const hasTeams = new Set(channels.map(({ team }) => team?.id)).size > 1;
  const chosen = channels.filter(({ id }) => channelIds.includes(id)).map(({ name }) => name);
  const toggle = (kind: StepDraft['recipients'][number], isOn: boolean) =>
    onChange({ recipients: isOn ? [...recipients, kind] : recipients.filter((one) => one !== kind) });
  return (
    <li class="step">
      <div class="stepday">
        <TextField
          label={t('reminders.days')}
          wrong={wrong('offsetDays')}
          control={{ type: 'number', min: 0, max: 3650, inputMode: 'numeric' }}
          value={days}
          onInput={(value) => onChange({ days: value })}
        />
        <SelectField
          label={t('reminders.side')}
          value={side}
          onChange={(value) => onChange({ side: value })}
          choices={[
            { value: 'before', label: t('reminders.side_before') },
            { value: 'after', label: t('reminders.side_after') },
          ]}
        />
        <TextField
          label={t('reminders.repeat')}
          wrong={wrong('repeatEveryDays') ?? wrong('repeatCount')}
          control={{ type: 'number', min: 1, inputMode: 'numeric', placeholder: t('reminders.once') }}
          value={repeat}
          onInput={(value) => onChange({ repeat: value })}
        />
        <IconButton icon="trash" label={t('common.remove', { name: days })} onClick={onRemove} />
      </div>
      <SelectField
        label={t('reminders.about')}
        value={about ?? ''}
        onChange={(value) => onChange({ about: value === '' ? null : value })}
        choices={[
          { value: '', label: t('reminders.about_both') },
          { value: 'EXPIRATION', label: t('fields.expirationDate') },
          { value: 'NOTICE', label: t('fields.noticeDate') },
        ]}
      />
      <details class="recipients" open={wrong('recipients') !== undefined}>
        <summary>
          <span class="label">{t('reminders.who')}</span>{' '}
          <span class="soft small">
            {recipients
              .map((kind): string => t(`reminders.${kind}`))
              .concat(chosen)
              .join(', ')}
          </span>
        </summary>
        <div class="kinds">
          {recipientKinds.map((kind) => (
            <Check
              key={kind}
              label={t(`reminders.${kind}`)}
              checked={recipients.includes(kind)}
              onChange={(isOn) => toggle(kind, isOn)}
            />
          ))}
          {channels.map(({ id, name, team }) => (
            <Check
              key={id}
              label={team && hasTeams ? `${name} (${team.name})` : name}
              checked={channelIds.includes(id)}
              onChange={(isOn) => onChange({ channelIds: toldIds(id, isOn) })}
            />
          ))}
        </div>
        <Check
          label={t('reminders.only_unacknowledged')}
          checked={onlyUnacknowledged}
          onChange={(isOn) => onChange({ onlyUnacknowledged: isOn })}
        />
        {about !== 'NOTICE' && (
          <Check
            label={t('reminders.asks')}
            checked={asksForDocument}
            onChange={(isOn) => onChange({ asksForDocument: isOn })}
          />
        )}
      </details>
      {wrong('channelIds') && <p class="late-text small">{wrong('channelIds')}</p>}
      {wrong('recipients') && <p class="late-text small">{wrong('recipients')}</p>}
      {recipients.includes('ADDRESSES') && (
        <TextField
          label={t('reminders.ADDRESSES')}
          hint={t('reminders.addresses_hint')}
          wrong={wrong('addresses')}
          control={{ autoComplete: 'off', inputMode: 'email' }}
          value={addresses}
          onInput={(value) => onChange({ addresses: value })}
        />
      )}
    </li>
  );
}

/** Renders the steps of a policy as rows: day, recipients, repetitions. */
export function StepsEditor({ label, value, violations, onChange }: EditorProps) {
  const steps = value as readonly StepDraft[];
  const { rows: channels } = usePages(Channels, { filter: { isActive: true } }, (data) => data.list);
  const wrongOf = (at: number) => (member: string) =>
    [...(violations ?? [])].find(([path]) => path.startsWith(`steps.${at}.${member}`))?.[1];
  return (
    <div class="wide stack">
      <p class="label">{label}</p>
      <Unsent isSmall />
      {violations?.get('steps') && <p class="late-text small">{violations.get('steps')}</p>}
      <ol class="stack">
        {steps.map((step, at) => (
          <StepFields
            key={step.key}
            step={step}
            channels={channels}
            wrong={wrongOf(at)}
            onChange={(changes) =>
              onChange(steps.map((one) => (one.key === step.key ? { ...one, ...changes } : one)))
            }
            onRemove={() => onChange(steps.filter((one) => one.key !== step.key))}
          />
        ))}
      </ol>
      <div>
        <Button icon="plus" onClick={() => onChange([...steps, newStep('1', 'before')])}>
          {t('reminders.add_step')}
        </Button>
      </div>
    </div>
  );
}
