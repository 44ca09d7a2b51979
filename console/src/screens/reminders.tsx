import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import type { DataOf } from '../data/operation';
import {
  CreatePolicy,
  DeletePolicy,
  Policies,
  PolicyRecord,
  RestorePolicy,
  UpdatePolicy,
} from '../generated/operations/reminders';
import type {
  PolicyPageFragment,
  ReminderPolicyOrderField,
  UpdateReminderPolicyInput,
} from '../generated/types';
import { t } from '../i18n/i18n';
import type { Column } from '../list/declare';
import { HistoryCard } from '../records/aside';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import { Badge } from '../ui/status';
import './reminders.css';
import { ApplyCard } from './reminders/apply';
import { StepsEditor } from './reminders/editor';
import { dayText, inputOfSteps, type StepDraft, stepDrafts } from './reminders/steps';
import { Timeline } from './reminders/timeline';
import { UpcomingCard } from './reminders/upcoming';

type Row = DataOf<typeof Policies>['list']['nodes'][number];

/** Returns whether a policy is a workspace's default. */
const isOfTeam = ({ id, team }: Pick<PolicyPageFragment, 'id' | 'team'>): boolean =>
  team?.reminderPolicyId === id;

const policyType: RecordType<PolicyPageFragment, keyof UpdateReminderPolicyInput> = {
  kind: 'REMINDER_POLICY',
  folder: '/reminders',
  icon: 'bell',
  title: 'reminders.title',
  add: 'reminders.add',
  empty: 'reminders.empty',
  emptyText: 'reminders.empty_text',
  nameOf: ({ name }) => name,
  operations: {
    create: CreatePolicy,
    update: UpdatePolicy,
    remove: DeletePolicy,
    restore: RestorePolicy,
  },
  // A workspace's default policy always exists, and only administrators may change it.
  canChange: (policy) => may('ADMINISTER') || !isOfTeam(policy),
  canDelete: (policy) => !isOfTeam(policy),
  fields: [
    { type: 'text', name: 'name', control: { autoComplete: 'off' } },
    {
      type: 'text',
      name: 'timeOfDay',
      hint: 'reminders.time_hint',
      control: { type: 'time' },
    },
    {
      type: 'choice',
      name: 'deliverOn',
      isNeeded: true,
      choices: (['ANY', 'WORKING_DAYS'] as const).map((value) => ({
        value,
        label: `reminders.${value}` as const,
      })),
    },
    { type: 'check', name: 'contactsMayRenew' },
    {
      type: 'own',
      name: 'steps',
      read: (policy) => stepDrafts(policy?.steps),
      send: (steps: readonly StepDraft[]) => inputOfSteps(steps),
      words: (steps: readonly StepDraft[]) =>
        inputOfSteps(steps)
          .map(({ offsetDays }) => dayText(offsetDays))
          .join(', '),
      Editor: StepsEditor,
    },
  ],
};

const columns: readonly Column<Row, ReminderPolicyOrderField>[] = [
  { label: 'fields.name', order: 'NAME', text: ({ name }) => name },
  { label: 'fields.team', text: ({ team }) => team?.name },
  {
    label: 'fields.steps',
    text: ({ steps }) => steps.map(({ offsetDays }) => dayText(offsetDays)).join(', '),
    class: 'roomy',
  },
  {
    label: 'fields.timeOfDay',
    order: 'TIME_OF_DAY',
    text: ({ timeOfDay }) => timeOfDay.slice(0, 5),
    class: 'roomy',
  },
];

/** Renders reminder policies: their list, or one with its days and recipients. */
export default function RemindersScreen({ id }: ScreenProps) {
  if (!id) {
    return (
      <>
        <RecordList by="NAME" type={policyType} operation={Policies} columns={columns} />
        <UpcomingCard />
      </>
    );
  }
  return (
    <RecordPage
      type={policyType}
      id={id}
      operation={PolicyRecord}
      beside={(policy) => isOfTeam(policy) && <Badge>{t('reminders.team_default')}</Badge>}
      aside={(policy) => (
        <>
          <Timeline steps={policy.steps} teamId={policy.team?.id} />
          {may('WRITE') && policy.team && <ApplyCard policy={policy} />}
          <HistoryCard kind="REMINDER_POLICY" id={policy.id} />
        </>
      )}
    />
  );
}
