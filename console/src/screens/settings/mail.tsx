import { useEffect, useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { type DataOf, request } from '../../data/client';
import { askReminding } from '../../data/reminding';
import { MailServer, TestMailServer, UpdateMailServer } from '../../generated/operations/settings';
import type { MailServerRowFragment, MailSettingsInput } from '../../generated/types';
import { hasText, t } from '../../i18n/i18n';
import { Facts } from '../../records/facts';
import { changesOf, draftOf } from '../../records/form/draft';
import { Form } from '../../records/form/form';
import type { Draft, FieldSpec } from '../../records/record-type';
import { Button } from '../../ui/button';
import { RemovalDialog } from '../../ui/dialog';
import { Bones, FaultNote } from '../../ui/state';
import { tell } from '../../ui/toast';
import { hasProvider, providerField, withProvider } from './mail-providers';

/** The ports that mail servers usually have, by the security of the connection. */
const usualPorts: Readonly<Record<string, string>> = { STARTTLS: '587', TLS: '465', NONE: '25' };

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;

/** Matches an address that leads to the reader's own computer. */
const ownComputer = /^(?:https?:\/\/)?(?:127\.[\d.]+|localhost|\[::1\])(?:[:/]|$)/i;

const isAskedFor = { isShown: (draft: Draft) => !hasProvider(draft) } as const;

/** Lists what the gateway keeps of a mail server. */
const serverFields = (hasPassword: boolean): readonly FieldSpec<unknown>[] => [
  {
    ...{ type: 'text', name: 'host', label: 'mail.host', ...isAskedFor },
    control: { ...plain, required: true, placeholder: 'smtp.example.com' },
  },
  {
    ...{ type: 'choice', name: 'security', label: 'mail.security', isNeeded: true, ...isAskedFor },
    choices: (['STARTTLS', 'TLS', 'NONE'] as const).map((value) => ({
      value,
      label: `mail.security_${value}` as const,
    })),
  },
  {
    ...{ type: 'number', name: 'port', label: 'mail.port', isPlain: true, ...isAskedFor },
    hint: ({ security }) => t('common.if_empty', { value: usualPorts[String(security)] ?? '' }),
    control: { ...plain, min: 1, max: 65535 },
  },
  {
    ...{ type: 'text', name: 'user', label: 'mail.user' },
    hint: (draft) => (hasProvider(draft) ? '' : t('mail.user_hint')),
    control: plain,
  },
  {
    ...{ type: 'text', name: 'password', label: 'mail.password' },
    ...(hasPassword && { hint: 'mail.password_hint' as const }),
    control: { ...plain, type: 'password', autoComplete: 'new-password' },
  },
  {
    ...{ type: 'text', name: 'from', label: 'mail.from' },
    control: { ...plain, required: true, placeholder: 'Expiry <expiry@example.com>' },
  },
  { type: 'text', name: 'replyTo', label: 'mail.reply_to', hint: 'mail.reply_to_hint', control: plain },
  {
    ...{ type: 'text', name: 'publicUrl', label: 'mail.public_url' },
    hint: ({ publicUrl }) =>
      t(ownComputer.test(String(publicUrl ?? '')) ? 'mail.public_url_own' : 'mail.public_url_hint'),
    control: { ...plain, type: 'url' },
  },
];

/** Lists the fields of a mail server. @param hasPassword true if one is stored, which an empty field keeps */
export const fieldsOfServer = (hasPassword: boolean): readonly FieldSpec<unknown>[] => [
  providerField,
  ...serverFields(hasPassword),
];

/** Returns a mail server as both APIs take it, without what is empty. */
export const inputOfServer = (draft: Draft) =>
  changesOf(serverFields(false), undefined, withProvider(draft)) as unknown as MailSettingsInput;

/** The server that a test asks. */
interface Asked {
  readonly host: string;
  readonly port: string;
}

/** Returns the server that a test of the settings asks. */
export const askedOf = ({ host, port, security }: MailSettingsInput): Asked => ({
  host,
  port: String(port ?? usualPorts[security ?? 'STARTTLS']),
});

interface TriedProps {
  readonly asked: Asked;
  /** Result of the test; undefined while it runs. */
  readonly result: TrialAnswer | undefined;
}

/** Result of a test mail. */
export type TrialAnswer = NonNullable<DataOf<typeof TestMailServer>['sendTestMail']>;

/** Milliseconds after which a server is said not to answer yet. Most answer within one. */
const slowMs = 4_000;

/** Renders a test that runs. A server behind a firewall may not answer at all, for minutes. */
function Running({ asked }: { readonly asked: Asked }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, []);
  return <p class="soft">{t(isSlow ? 'mail.test_slow' : 'mail.test_running', { ...asked })}</p>;
}

/** Renders the result of a test mail, also in words of the server. */
export function Tried({ asked, result }: TriedProps) {
  if (!result) return <Running asked={asked} />;
  if (result.isSent) return <p class="note">{t('mail.test_sent')}</p>;
  const key = `mail.test_${result.reasonCode}`;
  return (
    <div class="note bad">
      <div class="stack tight grow">
        <p>{hasText(key) ? t(key, { ...asked }) : t('mail.test_failed')}</p>
        <pre class="typed">{result.answer}</pre>
      </div>
    </div>
  );
}

const testFields: readonly FieldSpec<unknown>[] = [
  {
    ...{ type: 'text', name: 'to', label: 'mail.test_to', isWide: true },
    control: { type: 'email', autoComplete: 'email' },
  },
];

interface TestProps {
  readonly asked: Asked;
  /** Settings that are not stored yet; undefined for the ones that apply. */
  readonly settings: MailSettingsInput | undefined;
  readonly onWrong?: (found: ReadonlyMap<string, string>) => void;
}

/** Sends a test mail, and shows what the mail server said. */
function TestMail({ asked, settings, onWrong }: TestProps) {
  const [tested, setTested] = useState<TrialAnswer | 'running'>();
  return (
    <section class="card narrow stack">
      <Form
        fields={testFields}
        initial={{ to: caller.value?.me.email ?? '' }}
        action={t('mail.test')}
        icon="send"
        send={async ({ to }) => {
          setTested('running');
          const outcome = await request(TestMailServer, {
            to: String(to ?? ''),
            ...(settings && { settings }),
          });
          if (!outcome.ok) setTested(undefined);
          const found = outcome.ok ? [] : [...outcome.fault.violations];
          onWrong?.(new Map(found.map(([path, words]) => [path.replace(/^settings\./, ''), words])));
          return outcome;
        }}
        onDone={({ sendTestMail }) => setTested(sendTestMail ?? undefined)}
      />
      <div role="status">
        {tested && <Tried asked={asked} result={tested === 'running' ? undefined : tested} />}
      </div>
    </section>
  );
}

/** Returns the server that a test without other settings asks. */
const storedServer = ({ host, port }: MailServerRowFragment): Asked => ({
  host: host ?? '',
  port: String(port ?? ''),
});

interface ServerProps {
  readonly mail: MailServerRowFragment;
  readonly onDone: () => unknown;
}

/** Renders the form of the mail server, and a test of what is typed. */
function Server({ mail, onDone }: ServerProps) {
  const [draft, setDraft] = useState<Draft>();
  const [found, setFound] = useState<ReadonlyMap<string, string>>();
  const [isRemoving, setRemoving] = useState(false);
  const isNew = mail.source === 'NONE';
  const fields = fieldsOfServer(mail.user !== null);
  const before = isNew ? undefined : draftOf(fields, mail);
  const stored = storedServer(mail);
  const isChanged = draft && Object.keys(changesOf(fields, before, draft)).length > 0;
  return (
    <>
      <section class="card narrow stack">
        {mail.problem && <p class="note near">{t('mail.lost')}</p>}
        {isNew && <p class="note near">{t('mail.missing')}</p>}
        <Form
          fields={fields}
          {...(isNew ? { initial: { publicUrl: location.origin } } : { row: mail })}
          onDraft={setDraft}
          found={found}
          send={(_input, _base, all) => request(UpdateMailServer, { input: inputOfServer(all) })}
          onDone={() => {
            tell(t('common.saved'));
            void askReminding();
            onDone();
          }}
          beside={
            mail.source === 'DATABASE' && (
              <Button icon="trash" weight="bad" onClick={() => setRemoving(true)}>
                {t('mail.remove')}
              </Button>
            )
          }
        />
      </section>
      <TestMail
        asked={draft ? askedOf(inputOfServer(draft)) : stored}
        settings={isChanged ? inputOfServer(draft) : undefined}
        onWrong={setFound}
      />
      {isRemoving && (
        <RemovalDialog
          title={t('mail.remove')}
          text={t('mail.remove_text')}
          action={t('mail.remove')}
          gone={t('mail.removed')}
          send={() => request(UpdateMailServer, {})}
          onDone={() => {
            void askReminding();
            onDone();
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

/** Renders the mail server, which only the gateway's own organization may set up. */
export function MailPart() {
  const { data, fault, reload } = useQuery(MailServer, {});
  const [turn, setTurn] = useState(0);
  const mail = data?.mailSettings;
  if (fault?.kind === 'forbidden') return <p>{t('mail.not_yours')}</p>;
  return (
    <div class="stack">
      {fault && <FaultNote fault={fault} onRetry={reload} />}
      {!mail && !fault && <Bones rows={6} />}
      {mail?.source === 'ENVIRONMENT' && (
        <>
          <section class="card narrow stack">
            <p>{t('mail.from_environment')}</p>
            <Facts fields={fieldsOfServer(false)} row={mail} />
          </section>
          <TestMail asked={storedServer(mail)} settings={undefined} />
        </>
      )}
      {mail && mail.source !== 'ENVIRONMENT' && (
        // A new form, in which the password is no longer.
        <Server
          key={turn}
          mail={mail}
          onDone={async () => {
            await reload();
            setTurn(turn + 1);
          }}
        />
      )}
    </div>
  );
}
