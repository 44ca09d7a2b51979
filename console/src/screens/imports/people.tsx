import { useRef, useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { findContacts, findUsers } from '../../data/options';
import type { ImportPageFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Combobox, type Option } from '../../ui/combobox';
import { SelectField, TextField } from '../../ui/field';
import { Card } from '../../ui/page';

type Preview = NonNullable<ImportPageFragment['preview']>;
type Answer = ImportPageFragment['people'][number];

/** Ways to say who a name is. */
type Way = '' | 'me' | 'known' | 'new' | 'none';

const fold = (name: string) => name.trim().toLowerCase();

/** A name that is asked about. */
interface Asked {
  readonly value: string;
  readonly rows: number;
  /** True if only users can be meant. */
  readonly isUser: boolean;
}

interface QuestionProps {
  readonly asked: Asked;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer | undefined) => void;
}

/** Asks who a name is. */
function Question({ asked: { value, rows, isUser }, answer, onAnswer }: QuestionProps) {
  const own = caller.value?.me.email ?? '';
  const [known, setKnown] = useState<readonly Option[]>([]);
  const given: Way =
    answer === undefined
      ? ''
      : answer.email === null
        ? 'none'
        : answer.email === own
          ? 'me'
          : answer.email.includes('@')
            ? 'new'
            : 'known';
  const [way, setWay] = useState(given);
  const ways: readonly { readonly value: Way; readonly label: string }[] = [
    { value: '', label: t('imports.please_choose') },
    ...(own ? [{ value: 'me' as const, label: t('imports.person_me') }] : []),
    { value: 'known', label: t('imports.person_known') },
    ...(isUser ? [] : [{ value: 'new' as const, label: t('imports.person_new') }]),
    { value: 'none', label: t('imports.leave_out') },
  ];
  return (
    <div class="importcolumn">
      <SelectField
        label={rows > 0 ? t('imports.person', { name: value, n: rows }) : value}
        value={way}
        onChange={(next) => {
          setWay(next);
          setKnown([]);
          const email = next === 'me' ? own : null;
          onAnswer(next === 'me' || next === 'none' ? { value, email } : undefined);
        }}
        choices={ways}
      />
      {way === 'known' && (
        <Combobox
          label={t('imports.person_who', { name: value })}
          chosen={known}
          onChange={([one]) => {
            setKnown(one ? [one] : []);
            onAnswer(one && { value, email: one.id });
          }}
          find={isUser ? findUsers : findContacts}
        />
      )}
      {way === 'new' && (
        <TextField
          label={t('imports.person_email', { name: value })}
          value={answer?.email ?? ''}
          // A half address is a question yet.
          onInput={(email) => onAnswer(/.@./.test(email) ? { value, email: email.trim() } : undefined)}
          control={{ type: 'email', autoComplete: 'off' }}
        />
      )}
    </div>
  );
}

interface PeopleCardProps {
  readonly preview: Preview;
  readonly answers: readonly Answer[];
  readonly onChange: (answers: Answer[]) => void;
}

/** Asks once for each name in cells that nobody known has. */
export function PeopleCard({ preview, answers, onChange }: PeopleCardProps) {
  // A name that has its answer is unknown no more, but may get another one.
  const all = useRef(new Map<string, Asked>());
  for (const { value } of answers)
    if (!all.current.has(fold(value))) all.current.set(fold(value), { value, rows: 0, isUser: false });
  for (const { header, value, rows } of preview.people) {
    const isUser = preview.columns.some((one) => one.header === header && one.column === 'assigned_to');
    const before = all.current.get(fold(value));
    all.current.set(fold(value), { value, rows: Math.max(rows, before?.rows ?? 0), isUser });
  }
  if (all.current.size === 0) return null;
  return (
    <Card title={t('imports.people')}>
      <div class="stack">
        <p class="soft small">{t('imports.people_hint')}</p>
        <div class="importgrid">
          {[...all.current.values()].map((asked) => (
            <Question
              key={asked.value}
              asked={asked}
              answer={answers.find(({ value }) => fold(value) === fold(asked.value))}
              onAnswer={(answer) =>
                onChange([
                  ...answers.filter(({ value }) => fold(value) !== fold(asked.value)),
                  ...(answer ? [answer] : []),
                ])
              }
            />
          ))}
        </div>
      </div>
    </Card>
  );
}
