import { useMemo, useState } from 'preact/hooks';
import { caller } from '../app/session';
import { Unsent } from '../app/unsent';
import { request } from '../data/client';
import { type Fault, faultOf, faultText, readError } from '../data/fault';
import { findContacts } from '../data/options';
import { AskForDocuments } from '../generated/operations/requests';
import { today } from '../i18n/dates';
import { languages, t } from '../i18n/i18n';
import { Form } from '../records/form/form';
import type { Draft, FieldSpec } from '../records/record-type';
import { Button } from '../ui/button';
import type { Option } from '../ui/combobox';
import { Dialog } from '../ui/dialog';
import { Bones, FaultNote } from '../ui/state';
import { Badge } from '../ui/status';
import { tell } from '../ui/toast';
import {
  type PlannedMail,
  planMails,
  type Sources,
  useSources,
  useStopped,
  type Wanted,
  wantedText,
} from './people';
import './requests.css';

/** The most documents that are asked for at once. */
const mostAtOnce = 500;
/** The most documents of a mail that are named. */
const mostNamed = 4;

const chosenIn = (draft: Draft): readonly Option[] => (draft.recipients ?? []) as readonly Option[];

interface PreviewProps {
  readonly wanted: readonly Wanted[];
  readonly sources: Sources;
  readonly draft: Draft;
}

/** Renders the documents of a mail by their names. */
function Documents({ wanted, sources }: Omit<PreviewProps, 'draft'>) {
  const others = wanted.length - mostNamed;
  return (
    <ul class="askeddocuments small">
      {wanted.slice(0, mostNamed).map((one, at) => (
        <li key={at} class="breaks">
          {wantedText(one, sources)}
        </li>
      ))}
      {others > 0 && <li class="soft">{t('requests.others', { n: others })}</li>}
    </ul>
  );
}

/** Renders who gets which mail, and for which documents nobody can be asked. */
function Preview({ wanted, sources, draft }: PreviewProps) {
  const { mails, nobody } = planMails(wanted, sources, chosenIn(draft));
  const stopped = useStopped(mails);
  const sent = mails.filter(({ to }) => !stopped.has(to.email.toLowerCase()));
  return (
    <section class="wide stack tight askedpreview" aria-live="polite">
      <h3>{t('requests.preview', { n: sent.length })}</h3>
      <ul class="rows">
        {mails.map(({ to, wanted: documents }) => (
          <li key={to.email}>
            <p class="line">
              <span class="strong breaks">{to.name || to.email}</span>
              {to.name !== '' && to.name !== to.email && <span class="soft small breaks">{to.email}</span>}
              {stopped.has(to.email.toLowerCase()) && <Badge urgency="late">{t('requests.stopped')}</Badge>}
            </p>
            <Documents wanted={documents} sources={sources} />
          </li>
        ))}
      </ul>
      {nobody.length > 0 && (
        <div class="note near">
          <div class="stack tight">
            <p>{t('requests.nobody', { n: nobody.length })}</p>
            <Documents wanted={nobody} sources={sources} />
          </div>
        </div>
      )}
    </section>
  );
}

/** The outcome of asking for documents. */
interface Sent {
  made: number;
  /** The number that was asked for before. */
  known: number;
  readonly failed: { readonly wanted: Wanted; readonly fault: Fault }[];
}

/** Creates the fault of a field. */
const wrongAt = (name: string, words: string): Fault => ({
  ...faultOf('invalid'),
  violations: new Map([[name, words]]),
});

/** Asks each person for each document. @returns the fault, if nothing could be sent at all */
async function send(
  mails: readonly PlannedMail[],
  { language, message, dueOn }: Readonly<Record<string, unknown>>,
): Promise<Sent | Fault> {
  const all = mails.flatMap(({ to, wanted }) =>
    wanted.map((one) => ({ one, recipient: to.id ? { recipientId: to.id } : { email: to.email } })),
  );
  const sent: Sent = { made: 0, known: 0, failed: [] };
  for (let at = 0; at < all.length; at += mostAtOnce) {
    const some = all.slice(at, at + mostAtOnce);
    const outcome = await request(AskForDocuments, {
      input: {
        requests: some.map(({ one, recipient }) => ({ ...one.input, ...recipient })),
        ...(language ? { language: String(language) } : {}),
        ...(message ? { message: String(message) } : {}),
        ...(dueOn ? { dueOn: String(dueOn) } : {}),
      },
    });
    const fault = outcome.ok ? undefined : outcome.fault;
    if (fault && at === 0) return fault;
    const { created = [], refused = [] } = (outcome.ok && outcome.data.createDocumentRequests) || {};
    sent.made += created.length;
    const refusals = fault
      ? some.map((_, index) => ({ index, fault }))
      : refused.map(({ index, code, field, message: words }) => ({
          index,
          fault: field ? wrongAt(field, words) : readError({ message: words, extensions: { code } }),
        }));
    for (const { index, fault: why } of refusals) {
      const wanted = some[index ?? 0]?.one;
      if (why.kind === 'taken') sent.known += 1;
      else if (wanted) sent.failed.push({ wanted, fault: why });
    }
  }
  return sent;
}

/** Says how many documents were asked for. */
const sentText = ({ made, known }: Sent): string =>
  [t('requests.asked', { n: made }), known > 0 ? t('requests.known', { n: known }) : '']
    .filter(Boolean)
    .join(' · ');

/** Returns a gateway's fault with the names that the form has. */
function inForm(fault: Fault): Fault {
  const violations = [...fault.violations].map(([path, words]): [string, string] => [
    ['recipientId', 'email'].includes(path) ? 'recipients' : path,
    words,
  ]);
  return { ...fault, violations: new Map(violations) };
}

interface AskDialogProps {
  readonly wanted: readonly Wanted[];
  readonly onClose: () => void;
  /** Is told when documents were asked for. */
  readonly onDone?: () => void;
}

/** Renders the form that asks people for documents, with a preview of the mails. */
export function AskDialog({ wanted: all, onClose, onDone = onClose }: AskDialogProps) {
  const wanted = useMemo(() => all.slice(0, mostAtOnce), [all]);
  const sources = useSources(wanted);
  const [sent, setSent] = useState<Sent>();
  const known = sources && 'names' in sources ? sources : undefined;
  const fields = useMemo(
    (): readonly FieldSpec<unknown>[] => [
      {
        type: 'records',
        name: 'recipients',
        label: 'requests.to',
        isWide: true,
        isOpen: true,
        find: findContacts,
        chosen: () => [],
        hint: 'requests.to_hint',
      },
      { type: 'date', name: 'dueOn', label: 'requests.due', control: { min: today() } },
      {
        type: 'choice',
        name: 'language',
        label: 'requests.language',
        isNeeded: true,
        choices: [
          { value: '', label: 'requests.language_own' },
          ...Object.entries(languages).map(([value, words]) => ({ value, words })),
        ],
      },
      {
        type: 'area',
        name: 'message',
        label: 'requests.message',
        hint: 'requests.message_hint',
      },
      {
        type: 'own',
        name: 'preview',
        read: () => null,
        send: () => null,
        words: () => '',
        Editor: ({ draft }) => known && <Preview wanted={wanted} sources={known} draft={draft} />,
      },
    ],
    [wanted, known],
  );
  const [first] = wanted;
  const title =
    first && wanted.length === 1 ? t('requests.ask_for', { name: first.name }) : t('requests.ask_title');
  return (
    <Dialog title={title} onClose={sent ? onDone : onClose} isLarge>
      {sources && !known && <FaultNote fault={sources as Fault} />}
      {!sources && <Bones rows={5} />}
      {known && !sent && (
        <>
          <Unsent teamId={caller.value?.me.team?.id} isSmall />
          {all.length > wanted.length && (
            <p class="note near">{t('requests.too_many', { n: all.length, most: wanted.length })}</p>
          )}
          <Form<unknown, Sent>
            fields={fields}
            isFocused
            isInDialog
            action={t('requests.ask')}
            icon="send"
            send={async (input, _base, draft) => {
              const { mails } = planMails(wanted, known, chosenIn(draft));
              const wrong = mails.find(({ to }) => !/^[^\s@]+@[^\s@]+$/.test(to.email));
              if (wrong)
                return {
                  ok: false,
                  fault: wrongAt('recipients', t('requests.no_address', { name: wrong.to.email })),
                };
              if (mails.length === 0)
                return { ok: false, fault: wrongAt('recipients', t('requests.to_needed')) };
              const done = await send(mails, input);
              if (!('made' in done)) return { ok: false, fault: inForm(done) };
              const [failed] = done.failed;
              // Of one document, or if it is true of all, the form says why.
              if (failed && done.made + done.known === 0) return { ok: false, fault: inForm(failed.fault) };
              return { ok: true, data: done };
            }}
            onDone={(done) => {
              if (done.failed.length > 0) return setSent(done);
              tell(sentText(done));
              onDone();
            }}
            onCancel={onClose}
          />
        </>
      )}
      {known && sent && (
        <div class="stack">
          <p>{sentText(sent)}</p>
          <div class="note late">
            <div class="stack tight">
              <p>{t('requests.not_asked', { n: sent.failed.length })}</p>
              <ul class="askeddocuments small">
                {sent.failed.map(({ wanted: one, fault }, at) => (
                  <li key={at} class="breaks">
                    {wantedText(one, known)}: {[...fault.violations.values()][0] ?? faultText(fault)}
                  </li>
                ))}
              </ul>
            </div>
          </div>
          <p class="end line">
            <Button weight="first" onClick={onDone}>
              {t('common.close')}
            </Button>
          </p>
        </div>
      )}
    </Dialog>
  );
}
