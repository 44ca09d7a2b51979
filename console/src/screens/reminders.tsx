import { may } from '../app/session';
import { reminderPolicyDocuments } from '../generated/operations/reminderPolicy';
import { t } from '../i18n/i18n';
import { recordScreen } from '../records/record-screen';
import { Badge } from '../ui/status';
import './reminders.css';
import { ApplyCard } from './reminders/apply';
import { StepsEditor } from './reminders/editor';
import { dayText, inputOfSteps, type Policy, type StepDraft, stepDrafts } from './reminders/steps';
import { Timeline } from './reminders/timeline';
import { UpcomingCard } from './reminders/upcoming';

/** Returns whether a policy is a workspace's default. */
const isOfTeam = ({ id, team }: Policy): boolean => team?.reminderPolicyId === id;

/** Renders reminder policies: their list, or one with its days and recipients. */
export default recordScreen({
  kind: 'REMINDER_POLICY',
  documents: reminderPolicyDocuments,
  // A workspace's default policy always exists, and only administrators may change it.
  canChange: (policy) => may('ADMINISTER') || !isOfTeam(policy),
  canDelete: (policy) => !isOfTeam(policy),
  fields: [
    'name',
    { name: 'timeOfDay', hint: 'reminders.time_hint', control: { type: 'time' } },
    { name: 'deliverOn', isNeeded: true },
    'contactsMayRenew',
    {
      type: 'own',
      fact: false,
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
  columns: [
    'name',
    { label: 'fields.team', text: ({ team }) => team?.name },
    {
      label: 'fields.steps',
      text: ({ steps }) => steps.map(({ offsetDays }) => dayText(offsetDays)).join(', '),
      class: 'roomy',
    },
    {
      label: 'fields.timeOfDay',
      text: ({ timeOfDay }) => timeOfDay?.slice(0, 5),
      include: 'timeOfDay',
      class: 'roomy',
    },
  ],
  belowList: () => <UpcomingCard />,
  beside: (policy) => isOfTeam(policy) && <Badge>{t('reminders.team_default')}</Badge>,
  aside: (policy) => (
    <>
      <Timeline steps={policy.steps} teamId={policy.team?.id} />
      {may('WRITE') && policy.team && <ApplyCard policy={policy} />}
    </>
  ),
});
