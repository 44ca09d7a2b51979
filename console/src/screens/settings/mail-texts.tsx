import { useEffect, useRef, useState } from 'preact/hooks';
import { useUnkept } from '../../app/leaving';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import type { Fault } from '../../data/fault';
import {
  CreateMailText,
  DeleteMailText,
  MailText,
  MailTextTargets,
  PreviewMailText,
  UpdateMailText,
} from '../../generated/operations/settings';
import { mailFields } from '../../generated/resources';
import type { MailTextRowFragment, MailTextScope } from '../../generated/types';
import { type Language, languages, language as ownLanguage, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Button } from '../../ui/button';
import { RemovalDialog } from '../../ui/dialog';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { Bones, FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';

/** Records whose mails a mail text is for. */
interface Target {
  readonly scope: MailTextScope;
  readonly teamId?: string;
  readonly categoryId?: string;
}

type Place = 'subject' | 'opening' | 'closing';
type Words = Readonly<Record<Place, string>>;

interface Values {
  readonly senderName: string;
  readonly replyTo: string;
  readonly logo: string;
  readonly words: Readonly<Partial<Record<string, Words>>>;
}

const noWords: Words = { subject: '', opening: '', closing: '' };
const codes = Object.keys(languages) as Language[];

/** Returns the form's values of a mail text. */
const valuesOf = (row: MailTextRowFragment | undefined): Values => ({
  senderName: row?.senderName ?? '',
  replyTo: row?.replyTo ?? '',
  logo: row?.logo ?? '',
  words: Object.fromEntries(
    (row?.words ?? []).map(({ language, subject, opening, closing }) => [
      language,
      { subject: subject ?? '', opening: opening ?? '', closing: closing ?? '' },
    ]),
  ),
});

/** Returns the input of a mail text. The gateway drops words that are empty. */
const inputOf = ({ words, senderName, replyTo, logo }: Values) => ({
  ...{ senderName: senderName || null, replyTo: replyTo.trim() || null, logo: logo || null },
  words: codes.flatMap((language) => (words[language] ? [{ language, ...words[language] }] : [])),
});

/** Shows the mail that the words lead to, a moment after they were changed. */
function Preview({
  target,
  values,
  language,
  onFault,
}: {
  readonly target: Target;
  readonly values: Values;
  readonly language: Language;
  readonly onFault: (fault: Fault | undefined) => void;
}) {
  const [mail, setMail] = useState<{ readonly subject: string; readonly text: string } | null>();
  const { senderName, logo, words } = values;
  const input = {
    ...{ ...target, senderName: senderName || null, logo: logo || null },
    words: { language, ...(words[language] ?? noWords) },
  };
  const sent = JSON.stringify(input);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await request(PreviewMailText, { input }, stop.signal);
      if (stop.signal.aborted) return;
      onFault(outcome.ok ? undefined : outcome.fault);
      if (outcome.ok) setMail(outcome.data.previewMailText);
    }, 300);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [sent]);
  return (
    <section class="stack tight" aria-label={t('mailTexts.preview')}>
      <h2>{t('mailTexts.preview')}</h2>
      {!mail && <Bones rows={4} />}
      {mail && (
        <>
          {logo && <img class="logo" src={logo} alt="" />}
          {senderName && <p class="soft">{senderName}</p>}
          <p>
            <strong dir="auto">{mail.subject}</strong>
          </p>
          <pre class="typed mailtext" lang={language} dir="auto">
            {mail.text}
          </pre>
        </>
      )}
    </section>
  );
}

/** Renders a logo, and chooses another one. */
function LogoField({
  value,
  wrong,
  onChange,
}: {
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  function read(file: File | undefined) {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }
  return (
    <div class="stack tight">
      <div class="line">
        <input
          ref={input}
          type="file"
          hidden
          accept="image/png,image/jpeg"
          onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
        />
        <Button icon="upload" onClick={() => input.current?.click()}>
          {t('mailTexts.logo_add')}
        </Button>
        {value && <Button onClick={() => onChange('')}>{t('mailTexts.logo_remove')}</Button>}
      </div>
      {wrong && <p class="wrong">{wrong}</p>}
      <p class="hint">{t('mailTexts.logo_hint')}</p>
    </div>
  );
}

/** Renders the editor of a mail text beside its preview. */
function Editor({
  target,
  row,
  onDone,
}: {
  readonly target: Target;
  readonly row: MailTextRowFragment | undefined;
  readonly onDone: () => unknown;
}) {
  const [before] = useState(() => valuesOf(row));
  const [values, setValues] = useState(before);
  const [language, setLanguage] = useState<Language>(ownLanguage.value);
  const [place, setPlace] = useState<Place>('subject');
  const [fault, setFault] = useState<Fault>();
  const [faultOfPreview, setFaultOfPreview] = useState<Fault>();
  const [isRemoving, setRemoving] = useState(false);
  useUnkept(JSON.stringify(values) !== JSON.stringify(before));
  const words = values.words[language] ?? noWords;
  const change = (part: Partial<Values>) => setValues({ ...values, ...part });
  const write = (at: Place, text: string) =>
    change({ words: { ...values.words, [language]: { ...words, [at]: text } } });
  const index = inputOf(values).words.findIndex((entry) => entry.language === language);
  const wrong = (name: string, at = name) =>
    faultOfPreview?.violations.get(at) ?? fault?.violations.get(name);
  const wrongIn = (at: Place) => wrong(`words.${index}.${at}`, `words.${at}`);
  async function save(event: Event) {
    event.preventDefault();
    const input = inputOf(values);
    const outcome = row
      ? await request(UpdateMailText, { id: row.id, ifVersion: row.version, input })
      : await request(CreateMailText, { input: { ...target, ...input } });
    setFault(outcome.ok ? undefined : outcome.fault);
    if (!outcome.ok) return;
    tell(t('common.saved'));
    onDone();
  }
  return (
    <div class="mailtexts">
      <form class="stack" noValidate onSubmit={save}>
        {fault && fault.violations.size === 0 && <FaultNote fault={fault} />}
        <div class="tabs">
          {codes.map((code) => (
            <button
              key={code}
              type="button"
              lang={code}
              aria-pressed={code === language}
              onClick={() => setLanguage(code)}
            >
              {languages[code]}
            </button>
          ))}
        </div>
        <div onFocusCapture={() => setPlace('subject')}>
          <TextField
            label={t('mailTexts.subject')}
            value={words.subject}
            wrong={wrongIn('subject')}
            onInput={(text) => write('subject', text)}
          />
        </div>
        {(['opening', 'closing'] as const).map((at) => (
          <div key={at} onFocusCapture={() => setPlace(at)}>
            <TextArea
              label={t(`mailTexts.${at}`)}
              value={words[at]}
              wrong={wrongIn(at)}
              onInput={(text) => write(at, text)}
            />
          </div>
        ))}
        <fieldset class="stack tight">
          <legend>{t('mailTexts.fields')}</legend>
          <div class="line">
            {mailFields.map((name) => (
              <Button key={name} onClick={() => write(place, `${words[place]}{{${name}}}`)}>
                {name}
              </Button>
            ))}
          </div>
          <p class="hint">{t('mailTexts.fields_hint')}</p>
        </fieldset>
        <TextField
          label={t('fields.senderName')}
          value={values.senderName}
          wrong={wrong('senderName')}
          onInput={(senderName) => change({ senderName })}
        />
        <TextField
          label={t('fields.replyTo')}
          value={values.replyTo}
          wrong={wrong('replyTo')}
          onInput={(replyTo) => change({ replyTo })}
          control={{ type: 'email', autoComplete: 'off' }}
        />
        <LogoField value={values.logo} wrong={wrong('logo')} onChange={(logo) => change({ logo })} />
        <div class="line">
          <Button type="submit" weight="first">
            {t('common.save')}
          </Button>
          {row && (
            <Button icon="trash" weight="bad" onClick={() => setRemoving(true)}>
              {t('mailTexts.reset')}
            </Button>
          )}
        </div>
      </form>
      <Preview target={target} values={values} language={language} onFault={setFaultOfPreview} />
      {isRemoving && row && (
        <RemovalDialog
          title={t('mailTexts.reset')}
          text={t('mailTexts.reset_text')}
          action={t('mailTexts.reset')}
          gone={t('common.saved')}
          send={() => request(DeleteMailText, { id: row.id, ifVersion: row.version })}
          onDone={onDone}
          onClose={() => setRemoving(false)}
        />
      )}
    </div>
  );
}

/** Reads a mail text for its editor. */
function Stored({
  id,
  ...editor
}: {
  readonly id: string;
  readonly target: Target;
  readonly onDone: () => unknown;
}) {
  const { data, fault, reload } = useQuery(MailText, { id });
  const row = data?.mailText;
  if (fault) return <FaultNote fault={fault} onRetry={reload} />;
  return row ? <Editor key={row.version} row={row} {...editor} /> : <Bones rows={8} />;
}

/** Renders the own words of mails: for the organization, a workspace or a document type. */
export function MailTextsPart() {
  const { data, fault, reload } = useQuery(MailTextTargets, {});
  const [chosen, setChosen] = useState('ORGANIZATION');
  const targets: (Target & { readonly label: string })[] = [
    { scope: 'ORGANIZATION', label: shownName(data?.organization?.name ?? '') },
    ...(data?.teams.nodes ?? []).map(({ id: teamId, name }) => ({
      ...{ scope: 'TEAM' as const, teamId, label: shownName(name) },
    })),
    ...(data?.categories.nodes ?? []).map(({ id: categoryId, name, team }) => ({
      ...{
        scope: 'CATEGORY' as const,
        categoryId,
        label: `${shownName(name)} · ${shownName(team?.name ?? '')}`,
      },
      ...(team && { teamId: team.id }),
    })),
  ];
  const keyOf = ({ scope, teamId, categoryId }: Target) => categoryId ?? teamId ?? scope;
  const found = targets.find((one) => keyOf(one) === chosen) ?? targets[0];
  if (!data || !found) {
    return (
      <section class="card stack">
        {fault ? <FaultNote fault={fault} onRetry={reload} /> : <Bones rows={8} />}
      </section>
    );
  }
  const { label: _, ...target } = found;
  const stored = data.mailTexts.nodes.find(
    ({ scope, teamId, categoryId }) =>
      scope === target.scope &&
      (scope === 'ORGANIZATION' || (categoryId ?? teamId) === (target.categoryId ?? target.teamId)),
  );
  return (
    <section class="card stack">
      <SelectField
        label={t('mailTexts.target')}
        value={keyOf(target)}
        onChange={setChosen}
        choices={targets.map((one) => ({ value: keyOf(one), label: one.label }))}
      />
      {stored ? (
        <Stored key={stored.id} id={stored.id} target={target} onDone={reload} />
      ) : (
        <Editor key={keyOf(target)} target={target} row={undefined} onDone={reload} />
      )}
    </section>
  );
}
