import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import {
  CreateMailText,
  DeleteMailText,
  MailText,
  MailTextTargets,
  PreviewMailText,
  UpdateMailText,
} from '../../generated/operations/settings';
import { mailFields } from '../../generated/resources';
import type { MailTextRowFragment, MailTextScope, PreviewMailTextQuery } from '../../generated/types';
import { type Language, languages, language as ownLanguage, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Form } from '../../records/form/form';
import type { Draft, EditorProps, FieldSpec } from '../../records/record-type';
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

const places = ['subject', 'opening', 'closing'] as const;
type Place = (typeof places)[number];
type Words = Readonly<Record<Place, string>>;

/** The words of a mail text as they are filled in, by language. */
type AllWords = Readonly<Partial<Record<string, Words>>>;

const noWords: Words = { subject: '', opening: '', closing: '' };
const codes = Object.keys(languages) as Language[];

/** The language whose words and preview are shown. The person's own, if none was chosen. */
const chosenLanguage = signal<Language | undefined>(undefined);
const shownLanguage = () => chosenLanguage.value ?? ownLanguage.value;

/** Lists the words as they are sent. The gateway drops those that are empty. */
const sentWords = (all: AllWords) =>
  codes.flatMap((language) => (all[language] ? [{ language, ...all[language] }] : []));

/** Renders the words of a mail text in one language, and chooses the language. */
function WordsEditor({ value, violations, onChange }: EditorProps) {
  const [place, setPlace] = useState<Place>('subject');
  const all = value as AllWords;
  const language = shownLanguage();
  const words = all[language] ?? noWords;
  const write = (at: Place, text: string) => onChange({ ...all, [language]: { ...words, [at]: text } });
  const sent = sentWords(all);
  const index = sent.findIndex((entry) => entry.language === language);
  const wrong = (at: Place) => violations?.get(`words.${at}`) ?? violations?.get(`words.${index}.${at}`);
  const elsewhere = sent.flatMap((entry, at) =>
    places
      .map((name) => at !== index && violations?.get(`words.${at}.${name}`))
      .flatMap((text) => (text ? [`${languages[entry.language]}: ${text}`] : [])),
  );
  return (
    <div class="wide stack">
      <div class="tabs">
        {codes.map((code) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={code === language}
            onClick={() => {
              chosenLanguage.value = code;
            }}
          >
            {languages[code]}
          </button>
        ))}
      </div>
      {elsewhere.map((text) => (
        <p key={text} class="late-text" role="alert">
          {text}
        </p>
      ))}
      {places.map((at) => {
        const Control = at === 'subject' ? TextField : TextArea;
        return (
          <div key={at} onFocusCapture={() => setPlace(at)}>
            <Control
              label={t(`mailTexts.${at}`)}
              value={words[at]}
              wrong={wrong(at)}
              onInput={(text) => write(at, text)}
            />
          </div>
        );
      })}
      <fieldset class="choices stack tight">
        <legend class="label">{t('mailTexts.fields')}</legend>
        <div class="line">
          {mailFields.map((name) => (
            <Button key={name} onClick={() => write(place, `${words[place]}{{${name}}}`)}>
              {name}
            </Button>
          ))}
        </div>
        <p class="soft small">{t('mailTexts.fields_hint')}</p>
      </fieldset>
    </div>
  );
}

/** Renders the buttons that choose a logo and remove it. */
function LogoEditor({ value, violations, onChange }: EditorProps) {
  const input = useRef<HTMLInputElement>(null);
  function read(file: File | undefined) {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }
  return (
    <div class="wide stack tight">
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
        {value !== '' && <Button onClick={() => onChange('')}>{t('mailTexts.logo_remove')}</Button>}
      </div>
      {violations?.get('logo') && <p class="late-text">{violations.get('logo')}</p>}
      <p class="soft small">{t('mailTexts.logo_hint')}</p>
    </div>
  );
}

const fields: readonly FieldSpec<MailTextRowFragment>[] = [
  {
    ...{ type: 'own', name: 'words', label: 'mailTexts.title', Editor: WordsEditor, send: sentWords },
    read: (row): AllWords =>
      Object.fromEntries(
        (row?.words ?? []).map(({ language, subject, opening, closing }) => [
          language,
          { subject: subject ?? '', opening: opening ?? '', closing: closing ?? '' },
        ]),
      ),
    words: (all: AllWords) =>
      sentWords(all)
        .map(({ language, ...words }) => `${languages[language]}: ${places.map((at) => words[at]).join(' ')}`)
        .join(' · '),
  },
  { type: 'text', name: 'senderName', isWide: true },
  { type: 'text', name: 'replyTo', isWide: true, control: { type: 'email', autoComplete: 'off' } },
  {
    ...{ type: 'own', name: 'logo', Editor: LogoEditor },
    read: (row) => row?.logo ?? '',
    send: (logo) => logo || null,
    words: (logo) => (logo ? `✓ ${logo.length}` : ''),
  },
];

type MailPreview = NonNullable<PreviewMailTextQuery['previewMailText']>;

/**
 * Renders a mail as mail programs do. The page's policy refuses styles in HTML, so they are set afterwards. Nothing in
 * the frame runs, and its links lead nowhere.
 */
function MailFrame({ html, logo }: { readonly html: string; readonly logo: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  function dress() {
    const page = frame.current?.contentDocument;
    if (!page || !frame.current) return;
    for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
      element.style.cssText = element.dataset.style ?? '';
    }
    for (const link of page.querySelectorAll('a')) link.removeAttribute('href');
    frame.current.style.blockSize = `${page.documentElement.offsetHeight}px`;
  }
  return (
    <iframe
      ref={frame}
      class="mailframe"
      title={t('mailTexts.preview')}
      sandbox="allow-same-origin"
      srcdoc={html.replaceAll(' style="', ' data-style="').replaceAll(/"cid:[^"]*"/g, `"${logo}"`)}
      onLoad={dress}
    />
  );
}

interface PreviewProps {
  readonly target: Target;
  readonly draft: Draft | undefined;
  readonly onFound: (found: ReadonlyMap<string, string> | undefined) => void;
}

/** Shows the mail that the words lead to, a moment after they were changed. */
function Preview({ target, draft, onFound }: PreviewProps) {
  const [mail, setMail] = useState<MailPreview | null>();
  const language = shownLanguage();
  const words = (draft?.words as AllWords | undefined)?.[language] ?? noWords;
  const logo = String(draft?.logo ?? '');
  const senderName = String(draft?.senderName ?? '');
  const input = {
    ...{ ...target, senderName: senderName || null, logo: logo || null },
    words: { language, ...words },
  };
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const outcome = await request(PreviewMailText, { input }, stop.signal);
      if (stop.signal.aborted) return;
      onFound(outcome.ok ? undefined : outcome.fault.violations);
      if (outcome.ok) setMail(outcome.data.previewMailText);
    }, 300);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [JSON.stringify(input)]);
  return (
    <section class="stack tight" aria-label={t('mailTexts.preview')}>
      <h2>{t('mailTexts.preview')}</h2>
      {!mail && <Bones rows={4} />}
      {mail && (
        <>
          {senderName && <p class="soft">{senderName}</p>}
          <p class="strong" dir="auto">
            {mail.subject}
          </p>
          <MailFrame html={mail.html} logo={logo} />
          <details>
            <summary>{t('mailTexts.as_text')}</summary>
            <pre class="typed mailtext" lang={language} dir="auto">
              {mail.text}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}

interface EditorOfTextProps {
  readonly target: Target;
  /** The mail text; undefined for a new one. */
  readonly row?: MailTextRowFragment;
  readonly onDone: () => unknown;
  readonly onOutdated?: () => unknown;
}

/** Renders the form of a mail text beside its preview. */
function Editor({ target, row, onDone, onOutdated }: EditorOfTextProps) {
  const [draft, setDraft] = useState<Draft>();
  const [found, setFound] = useState<ReadonlyMap<string, string>>();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <div class="mailtexts">
      <Form
        fields={fields}
        {...(row && { row })}
        onDraft={setDraft}
        found={found}
        send={(input, base) =>
          base
            ? request(UpdateMailText, { id: base.id, ifVersion: base.version, input })
            : request(CreateMailText, { input: { ...target, ...input } })
        }
        onDone={() => {
          tell(t('common.saved'));
          onDone();
        }}
        {...(onOutdated && { onOutdated })}
        beside={
          row && (
            <Button icon="trash" weight="bad" onClick={() => setRemoving(true)}>
              {t('mailTexts.reset')}
            </Button>
          )
        }
      />
      <Preview target={target} draft={draft} onFound={setFound} />
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
  return row ? <Editor row={row} onOutdated={reload} {...editor} /> : <Bones rows={8} />;
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
        <Editor key={keyOf(target)} target={target} onDone={reload} />
      )}
    </section>
  );
}
