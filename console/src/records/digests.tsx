import { useQuery } from '../data/answers';
import { request } from '../data/client';
import { DeleteDigestSetting, DigestSetting, SetDigestSetting } from '../generated/operations/records';
import type { DigestMode } from '../generated/types';
import { weekdayName } from '../i18n/dates';
import { type Key, t } from '../i18n/i18n';
import { Card } from '../ui/page';
import { Bones, FaultNote } from '../ui/state';
import { tell } from '../ui/toast';
import { Form } from './form/form';
import type { Draft, FieldSpec } from './record-type';

/** Stands for the default among the choices. */
const inherited = 'DEFAULT';

/** A setting as the form shows it. */
interface Row {
  readonly mode: string;
  readonly weekday: string;
  readonly time: string;
  readonly allIsWell: boolean;
  readonly whatIsMissing: boolean;
}

const modes = ['SINGLE', 'DAILY', 'WEEKLY'] as const satisfies readonly DigestMode[];

// A Monday, from which the days of a week are counted.
const days = [...'1234567'].map((day) => ({ day, date: `2024-01-0${day}` as const }));

const isOwn = ({ mode }: Draft) => mode !== inherited;
const isWeekly = ({ mode, allIsWell, whatIsMissing }: Draft) =>
  mode !== inherited && (mode === 'WEEKLY' || allIsWell === true || whatIsMissing === true);

/** Returns the fields of a setting. @param otherwise text for the default */
const fieldsOf = (otherwise: string): readonly FieldSpec<Row>[] => [
  {
    type: 'choice',
    name: 'mode',
    label: 'digests.mode',
    isNeeded: true,
    isReminding: true,
    hint: ({ mode }) => (mode === 'WEEKLY' ? t('digests.weekly_hint') : ''),
    choices: [
      { value: inherited, words: otherwise },
      ...modes.map((value) => ({ value, label: `digests.${value}` as const })),
    ],
  },
  {
    type: 'choice',
    name: 'weekday',
    label: 'digests.weekday',
    isNeeded: true,
    isShown: isWeekly,
    choices: days.map(({ day, date }) => ({ value: day, words: weekdayName(date, 'long') })),
  },
  {
    type: 'time',
    name: 'time',
    label: 'digests.time',
    hint: 'digests.time_hint',
    isShown: (draft) => isWeekly(draft) || draft.mode === 'DAILY',
  },
  { type: 'check', name: 'allIsWell', label: 'digests.all_is_well', isShown: isOwn },
  { type: 'check', name: 'whatIsMissing', label: 'digests.what_is_missing', isShown: isOwn },
];

interface CardProps {
  /** Id of a user or contact, `me`, or the word for a default. */
  readonly id: string;
  readonly title?: Key;
}

/** Renders how somebody gets reminders, as a form. */
export function DigestCard({ id, title = 'digests.title' }: CardProps) {
  const { data, fault, reload } = useQuery(DigestSetting, { id });
  const setting = data?.digestSetting;
  const known = setting?.from === 'OWN';
  const row = setting && {
    mode: known ? setting.mode : inherited,
    weekday: String(setting.weekday),
    time: setting.time,
    allIsWell: setting.allIsWell,
    whatIsMissing: setting.whatIsMissing,
  };
  const otherwise =
    setting && !known
      ? t('digests.otherwise_is', { value: t(`digests.${setting.mode}`) })
      : t('digests.otherwise');
  return (
    <Card title={t(title)}>
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!row && !fault && <Bones rows={2} />}
      {row && (
        <Form
          key={JSON.stringify(row)}
          fields={fieldsOf(otherwise)}
          row={row}
          send={async (_input, _base, draft) => {
            const { mode, weekday, time, allIsWell, whatIsMissing } = draft as unknown as Row;
            if (mode === inherited) {
              const outcome = await request(DeleteDigestSetting, { id });
              return outcome.ok || !known ? { ok: true as const, data: undefined } : outcome;
            }
            const input = {
              mode: mode as DigestMode,
              weekday: Number(weekday),
              time: time || null,
              allIsWell,
              whatIsMissing,
            };
            const outcome = await request(SetDigestSetting, { id, input });
            return outcome.ok ? { ok: true as const, data: undefined } : outcome;
          }}
          onDone={async () => {
            await reload();
            tell(t('common.saved'));
          }}
        />
      )}
    </Card>
  );
}
