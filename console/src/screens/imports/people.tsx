import { useRef, useState } from 'preact/hooks';
import { caller } from '../../app/session';
import {
  type Find,
  findCompanies,
  findContacts,
  findLocations,
  findUsers,
  findVehicles,
} from '../../data/options';
import type { HolderKind, ImportPageFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { Combobox, type Option } from '../../ui/combobox';
import { Check, SelectField, TextField } from '../../ui/field';
import { Card } from '../../ui/page';

type Preview = NonNullable<ImportPageFragment['preview']>;
type Answer = ImportPageFragment['people'][number];

/** Kinds of holders, with the functions that find some. */
const finders = {
  VEHICLE: findVehicles,
  CONTACT: findContacts,
  COMPANY: findCompanies,
  LOCATION: findLocations,
} as const satisfies Record<HolderKind, Find>;

/** Ways to answer for a name, or for a holder that does not exist. */
type Way = '' | 'me' | 'known' | 'new' | 'none' | 'skip' | HolderKind;

const fold = (name: string) => name.trim().toLowerCase();

/** A name that is asked about. */
interface Asked {
  readonly value: string;
  readonly rows: number;
  /** True if only users can be meant. */
  readonly isUser: boolean;
  /** Kinds of records that can be made of it. None for people who are told. */
  readonly kinds: readonly HolderKind[];
}

/** Returns the answer of a way that needs nothing further. Undefined if it does. */
function answerOf(value: string, way: Way): Answer | undefined {
  const answer = { value, email: null, make: null, skipRows: false };
  if (way === 'me') return { ...answer, email: caller.value?.me.email ?? '' };
  if (way === 'none') return answer;
  if (way === 'skip') return { ...answer, skipRows: true };
  return way in finders ? { ...answer, make: way as HolderKind } : undefined;
}

/** Returns the way that an answer says. */
function wayOf(answer: Answer | undefined, own: string): Way {
  if (!answer) return '';
  if (answer.skipRows) return 'skip';
  if (answer.email === null) return answer.make ?? 'none';
  if (answer.email === own) return 'me';
  return answer.email.includes('@') ? 'new' : 'known';
}

/** Lists the ways to answer for a name. */
function waysFor({ isUser, kinds }: Asked, own: string): readonly { value: Way; label: string }[] {
  const isHolder = kinds.length > 0;
  const made = kinds.map((kind) => ({ value: kind, label: t(`imports.make_${kind}`) }));
  return [
    { value: '', label: t('imports.please_choose') },
    ...(own && !isHolder ? [{ value: 'me' as const, label: t('imports.person_me') }] : []),
    ...made,
    // Of several kinds, nobody knows where to look.
    ...(kinds.length < 2
      ? [{ value: 'known' as const, label: t(isHolder ? 'imports.holder_known' : 'imports.person_known') }]
      : []),
    ...(isUser || isHolder ? [] : [{ value: 'new' as const, label: t('imports.make_CONTACT') }]),
    { value: 'none', label: t(isHolder ? 'imports.holder_none' : 'imports.leave_out') },
    { value: 'skip', label: t('imports.skip_rows') },
  ];
}

interface QuestionProps {
  readonly asked: Asked;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer | undefined) => void;
}

/** Asks who a name is. */
function Question({ asked, answer, onAnswer }: QuestionProps) {
  const { value, rows, isUser, kinds } = asked;
  const own = caller.value?.me.email ?? '';
  const [known, setKnown] = useState<readonly Option[]>([]);
  const [way, setWay] = useState(wayOf(answer, own));
  const ofAddress = (email: string): Answer => ({ value, email, make: null, skipRows: false });
  const [kind] = kinds;
  return (
    <div class="importcolumn">
      <SelectField
        label={rows > 0 ? t('imports.person', { name: value, n: rows }) : value}
        value={way}
        onChange={(next) => {
          setWay(next);
          setKnown([]);
          onAnswer(answerOf(value, next));
        }}
        choices={waysFor(asked, own)}
      />
      {way === 'known' && (
        <Combobox
          label={t(kind ? 'imports.holder_which' : 'imports.person_who', { name: value })}
          chosen={known}
          onChange={([one]) => {
            setKnown(one ? [one] : []);
            onAnswer(one && ofAddress(one.id));
          }}
          find={kind ? finders[kind] : isUser ? findUsers : findContacts}
        />
      )}
      {way === 'new' && (
        <TextField
          label={t('imports.person_email', { name: value })}
          value={answer?.email ?? ''}
          // A half address is a question yet.
          onInput={(email) => onAnswer(/.@./.test(email) ? ofAddress(email.trim()) : undefined)}
          control={{ type: 'email', autoComplete: 'off' }}
        />
      )}
    </div>
  );
}

interface PeopleCardProps {
  readonly preview: Preview;
  readonly answers: readonly Answer[];
  readonly makeHolders: readonly HolderKind[];
  readonly onChange: (changes: { people?: Answer[]; makeHolders?: HolderKind[] }) => void;
}

/** Asks once for each name of nobody, and for each holder that does not exist. */
export function PeopleCard({ preview, answers, makeHolders, onChange }: PeopleCardProps) {
  // A name that has its answer is unknown no more, but may get another one.
  const all = useRef(new Map<string, Asked>());
  for (const { value, make } of answers)
    if (!all.current.has(fold(value)))
      all.current.set(fold(value), { value, rows: 0, isUser: false, kinds: make ? [make] : [] });
  // An address answers for somebody who is told and a holder at once.
  const told = new Set(preview.people.flatMap(({ value, kinds }) => (kinds.length > 0 ? [] : fold(value))));
  for (const { header, value, rows, ...one } of preview.people) {
    const kinds = told.has(fold(value)) ? [] : one.kinds;
    const isUser = preview.columns.some((one) => one.header === header && one.column === 'assigned_to');
    const before = all.current.get(fold(value));
    all.current.set(fold(value), { value, rows: Math.max(rows, before?.rows ?? 0), isUser, kinds });
  }
  const asked = [...all.current.values()];
  const answered = (value: string) => answers.find((one) => fold(one.value) === fold(value));
  // Those that are made anyway need no answer of their own.
  const isMade = ({ value, kinds: [kind, ...others] }: Asked) =>
    kind !== undefined && others.length === 0 && makeHolders.includes(kind) && !answered(value);
  const groups = [false, true].map((isHolder) => asked.filter(({ kinds }) => kinds.length > 0 === isHolder));
  const alike = (Object.keys(finders) as HolderKind[]).map((kind) => ({
    kind,
    n: asked.filter((one) => one.kinds.length === 1 && one.kinds[0] === kind && !answered(one.value)).length,
  }));
  return (
    <>
      {groups.map(
        (some, at) =>
          (some.length > 0 || (at === 1 && makeHolders.length > 0)) && (
            <Card key={at} title={t(at === 1 ? 'imports.holders' : 'imports.people')}>
              <div class="stack">
                <p class="soft small">{t('imports.people_hint')}</p>
                {at === 1 &&
                  alike
                    .filter(({ kind, n }) => n > 1 || makeHolders.includes(kind))
                    .map(({ kind }) => (
                      <Check
                        key={kind}
                        label={t(`imports.make_all_${kind}`)}
                        checked={makeHolders.includes(kind)}
                        onChange={(isOn) =>
                          onChange({
                            makeHolders: [
                              ...makeHolders.filter((other) => other !== kind),
                              ...(isOn ? [kind] : []),
                            ],
                          })
                        }
                      />
                    ))}
                <div class="importgrid">
                  {some
                    .filter((one) => !isMade(one))
                    .map((one) => (
                      <Question
                        key={one.value}
                        asked={one}
                        answer={answered(one.value)}
                        onAnswer={(answer) =>
                          onChange({
                            people: [
                              ...answers.filter(({ value }) => fold(value) !== fold(one.value)),
                              ...(answer ? [answer] : []),
                            ],
                          })
                        }
                      />
                    ))}
                </div>
              </div>
            </Card>
          ),
      )}
    </>
  );
}
