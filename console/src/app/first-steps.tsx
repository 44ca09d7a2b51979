import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useQuery } from '../data/answers';
import { keep, readKept } from '../data/browser';
import { type DataOf, request } from '../data/client';
import { FirstSteps as FirstStepsQuery, RemoveDemo } from '../generated/operations/start';
import { t } from '../i18n/i18n';
import { Button, IconButton } from '../ui/button';
import { RemovalDialog } from '../ui/dialog';
import { Icon } from '../ui/icon';
import { Card } from '../ui/page';
import { itemsAddress } from './addresses';
import { caller, may, refreshCaller } from './session';

const storage = 'egw-first-steps';

/** True if this person has put the first steps away. The browser remembers it. */
const isAway = signal(readKept('localStorage', storage) === 'away');

const demoTeams = (): readonly string[] => caller.value?.organization.demoTeamIds ?? [];

/** A first step: where it is done, and how one sees that it was. */
interface Step {
  readonly label: 'mail' | 'file' | 'people' | 'photo';
  readonly href: string;
  readonly isDone: (data: DataOf<typeof FirstStepsQuery>) => boolean;
}

const steps: readonly Step[] = [
  { label: 'mail', href: '/settings/mail', isDone: ({ mailSettings }) => !!mailSettings?.host },
  { label: 'file', href: '/imports', isDone: ({ imports }) => imports.length > 0 },
  {
    label: 'people',
    href: '/settings/people?new=1',
    isDone: ({ users }) => (users?.nodes.length ?? 0) > 1,
  },
  {
    label: 'photo',
    href: '/inbox',
    isDone: ({ attachments, uploadNotifications }) =>
      (attachments?.nodes.length ?? 0) > 0 ||
      (uploadNotifications?.nodes ?? []).some(({ team }) => !demoTeams().includes(team?.id ?? '')),
  },
];

function StepList() {
  const demo = demoTeams();
  // A filter of no workspaces matches all files, so that no file would be outside of it.
  const attachments = demo.length > 0 ? { not: { teamIds: [...demo] } } : {};
  const { data } = useQuery(FirstStepsQuery, { attachments });
  if (!data || steps.every(({ isDone }) => isDone(data))) return null;
  return (
    <Card
      title={t('start.first_steps')}
      action={
        <IconButton
          icon="close"
          label={t('start.steps_away')}
          onClick={() => {
            isAway.value = true;
            keep('localStorage', storage, 'away');
          }}
        />
      }
    >
      <ul class="rows firststeps">
        {steps.map(({ label, href, isDone }) => {
          const done = isDone(data);
          return (
            <li key={label} class="line">
              <Icon name={done ? 'check' : 'next'} />
              {done ? (
                <span>
                  {t(`start.step_${label}`)} <span class="unseen">{t('start.step_done')}</span>
                </span>
              ) : (
                <a href={href}>{t(`start.step_${label}`)}</a>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Renders what an administrator does first, until it is done or put away. */
export function FirstSteps() {
  return may('ADMINISTER') && !isAway.value ? <StepList /> : null;
}

/** Renders that some records are those of the demo, and lets administrators remove it. */
export function DemoNote() {
  const [isAsked, ask] = useState(false);
  const teams = demoTeams();
  if (teams.length === 0 || !may('ADMINISTER')) return null;
  const close = () => ask(false);
  const own = (caller.value?.me.teams ?? []).map(({ id }) => id).filter((id) => !teams.includes(id));
  return (
    <div class="note demonote">
      <Icon name="help" />
      <p>
        {t('start.demo')} <a href={itemsAddress({ team: teams.join() })}>{t('start.demo_only')}</a>
        {own.length > 0 && (
          <>
            {' · '}
            <a href={itemsAddress({ team: own.join() })}>{t('start.demo_own')}</a>
          </>
        )}
      </p>
      <Button icon="trash" onClick={() => ask(true)}>
        {t('start.demo_remove')}
      </Button>
      {isAsked && (
        <RemovalDialog
          title={t('start.demo_remove')}
          text={t('start.demo_remove_text')}
          action={t('start.demo_remove')}
          gone={t('start.demo_gone')}
          send={() => request(RemoveDemo, {})}
          onDone={async () => {
            close();
            await refreshCaller();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
