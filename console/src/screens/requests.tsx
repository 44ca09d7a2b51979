import { useState } from 'preact/hooks';
import { addressOf } from '../app/addresses';
import type { ScreenProps } from '../app/screen';
import { hasTeams, may } from '../app/session';
import { useQuery } from '../data/answers';
import { type DataOf, request } from '../data/client';
import { findCategories, findContacts, findTeams } from '../data/options';
import {
  CancelRequest,
  DocumentRequest,
  DocumentRequests,
  UploadsOfAnswer,
} from '../generated/operations/requests';
import type {
  AskedDocumentFragment,
  DocumentRequestFilter,
  DocumentRequestOrderField,
} from '../generated/types';
import { formatDay, formatMoment, today } from '../i18n/dates';
import { languages, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import type { ListSpec } from '../list/declare';
import { ListScreen } from '../list/list';
import { Facts } from '../records/facts';
import { kindOfHolder } from '../records/holders';
import { RecordPage } from '../records/page';
import type { FieldSpec } from '../records/record-type';
import {
  askedName,
  canCancel,
  canResend,
  DeclineDialog,
  holderNameOf,
  isUnanswered,
  RequestState,
  recipientName,
  takeStep,
} from '../requests/steps';
import { Button, LinkButton } from '../ui/button';
import { RemovalDialog } from '../ui/dialog';
import { saveFile } from '../ui/files';
import { Card } from '../ui/page';
import { Ago, Badge, DateText, notToldText } from '../ui/status';

const waiting: DocumentRequestFilter = { or: [{ state: 'OPEN' }, { state: 'SENT' }, { state: 'OPENED' }] };

/** Lists of requests, by how far they have come. */
const lists = {
  open: () => waiting,
  overdue: (): DocumentRequestFilter => ({ and: [waiting, { dueOn: { lt: today() } }] }),
  received: (): DocumentRequestFilter => ({ state: 'RECEIVED' }),
  all: (): DocumentRequestFilter => ({}),
} as const;

const names = Object.keys(lists) as (keyof typeof lists)[];

/** Tells whether the day by which an unanswered document is needed has passed. */
const isOverdue = (asked: AskedDocumentFragment) =>
  isUnanswered(asked) && asked.dueOn !== null && asked.dueOn < today();

/** Returns a function that takes a step of those selected requests that allow it. */
const forAll =
  (step: 'resend' | 'cancel', can: (asked: AskedDocumentFragment) => boolean) =>
  (rows: readonly AskedDocumentFragment[]) =>
    takeStep(step, rows.filter(can));

const requests: ListSpec<AskedDocumentFragment, DocumentRequestFilter, DocumentRequestOrderField> = {
  name: 'requests',
  title: 'requests.title',
  operation: DocumentRequests,
  order: [{ field: 'CREATED', direction: 'DESC' }],
  hrefOf: ({ id }) => addressOf('DOCUMENT_REQUEST', id),
  empty: { icon: 'send', title: 'requests.empty', text: 'requests.empty_text' },
  filters: [
    {
      type: 'tabs',
      name: 'state',
      label: 'deliveries.state',
      where: (value) =>
        names.find((name) => name === (value || 'open')) && lists[(value || 'open') as 'open'](),
      choices: () =>
        names.map((name) => ({ value: name === 'open' ? '' : name, label: t(`requests.tab_${name}`) })),
    },
    {
      type: 'record',
      name: 'type',
      label: 'fields.category',
      find: findCategories,
      where: (id) => (id ? { categoryId: id } : {}),
    },
    {
      type: 'record',
      name: 'recipient',
      label: 'requests.to',
      find: findContacts,
      where: (id) => (id ? { recipientId: id } : {}),
    },
    {
      type: 'record',
      name: 'team',
      label: 'fields.team',
      find: findTeams,
      isShown: hasTeams,
      where: (id) => (id ? { teamId: id } : {}),
    },
  ],
  columns: [
    { name: 'document', label: 'requests.document', text: askedName },
    { label: 'fields.holders', text: holderNameOf, class: 'below' },
    { name: 'to', label: 'requests.to', order: 'RECIPIENT_NAME', text: recipientName, class: 'below' },
    {
      name: 'due',
      label: 'requests.due',
      order: 'DUE_ON',
      text: ({ dueOn }) => dueOn,
      draw: (asked) =>
        asked.dueOn && (
          <span class={isOverdue(asked) ? 'late-text strong' : undefined}>
            <DateText date={asked.dueOn} />
          </span>
        ),
      class: 'roomy',
    },
    {
      label: 'deliveries.state',
      text: ({ state }) => t(`requests.${state}`),
      draw: ({ state }) => <RequestState state={state} />,
    },
    {
      name: 'created',
      label: 'requests.asked_on',
      order: 'CREATED',
      text: ({ created }) => created,
      draw: ({ created }) => <Ago moment={created} />,
      class: 'roomy',
    },
    {
      label: 'fields.team',
      text: ({ team }) => team?.name,
      class: 'roomy',
      isFor: hasTeams,
      isOptional: true,
    },
  ],
  bulkActions: [
    { icon: 'send', label: () => 'requests.resend', run: forAll('resend', canResend) },
    { icon: 'close', label: () => 'requests.cancel', run: forAll('cancel', canResend) },
  ],
};

type Request = NonNullable<DataOf<typeof DocumentRequest>['record']>;

/** Returns a field that the page shows as it draws it. */
const shown = (
  name: string,
  label: FieldSpec<Request>['label'],
  fact: Exclude<FieldSpec<Request>['fact'], false | undefined>,
): FieldSpec<Request> => ({ type: 'text', name, ...(label && { label }), fact });

const fields: readonly FieldSpec<Request>[] = [
  shown('category', 'fields.category', ({ category }) => category && shownName(category.name)),
  shown(
    'item',
    'inbox.item',
    ({ item }) => item && <a href={addressOf('EXPIRATION_ITEM', item.id)}>{shownName(item.name)}</a>,
  ),
  shown('itemDate', 'requests.item_date', ({ itemDate }) => itemDate && formatDay(itemDate)),
  shown(
    'holder',
    'fields.holders',
    (asked) =>
      asked.holder && (
        <a href={addressOf(kindOfHolder(asked.holder), asked.holder.id)}>{holderNameOf(asked)}</a>
      ),
  ),
  shown('recipient', 'requests.to', (asked) =>
    asked.recipient ? (
      <a href={addressOf('CONTACT', asked.recipient.id)}>{recipientName(asked)}</a>
    ) : (
      recipientName(asked)
    ),
  ),
  shown('dueOn', 'requests.due', ({ dueOn }) => dueOn && formatDay(dueOn)),
  shown(
    'language',
    'requests.language',
    ({ language }) => language && (languages[language as keyof typeof languages] ?? language),
  ),
  { type: 'area', name: 'message', label: 'requests.message' },
  shown('user', 'requests.asked_by', ({ user }) => user && shownName(user.name)),
  shown('created', 'requests.asked_on', ({ created }) => formatMoment(created)),
  shown('sentAt', 'requests.sent_on', ({ sentAt }) => sentAt && formatMoment(sentAt)),
  shown('openedAt', 'requests.opened_on', ({ openedAt }) => openedAt && formatMoment(openedAt)),
  shown('receivedAt', 'requests.received_on', ({ receivedAt }) => receivedAt && formatMoment(receivedAt)),
  shown('settledAt', 'requests.settled_on', ({ settledAt }) => settledAt && formatMoment(settledAt)),
  shown('settledBy', 'requests.settled_by', ({ settledBy }) => settledBy && shownName(settledBy.name)),
];

/** Renders what was received, with the way to the inbox, where it is accepted. */
function AnswerCard({ asked }: { readonly asked: Request }) {
  const { answer, statedDate, heldItem, state } = asked;
  if (state !== 'RECEIVED') return null;
  const files = heldItem?.attachments.nodes ?? [];
  return (
    <Card title={t('requests.answer')}>
      <div class="stack tight">
        {answer && <p class="pre breaks">{answer}</p>}
        {statedDate && <p>{t('requests.stated', { date: formatDay(statedDate) })}</p>}
        {files.length === 0 && <p class="soft">{t('requests.no_files')}</p>}
        <ul class="rows">
          {files.map((file) => (
            <li key={file.id}>
              <Button weight="bare" icon="download" onClick={() => saveFile(file)}>
                {shownName(file.name)}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

/** Renders the button that leads to the first received file in the inbox. */
function AcceptButton({ asked: { heldItem } }: { readonly asked: Request }) {
  const filename = heldItem?.attachments.nodes[0]?.name ?? '';
  const { data } = useQuery(UploadsOfAnswer, { filename });
  const upload = data?.uploadNotifications.nodes.find((one) => one.expirationItemId === heldItem?.id);
  return (
    <LinkButton
      icon="check"
      weight="first"
      href={upload ? addressOf('UPLOAD_NOTIFICATION', upload.id) : '/inbox'}
    >
      {t('requests.look_at')}
    </LinkButton>
  );
}

/** Renders the steps that a request allows. */
function Steps({ asked, reload }: { readonly asked: Request; readonly reload: () => Promise<void> }) {
  const [open, setOpen] = useState<'decline' | 'cancel'>();
  const close = () => setOpen(undefined);
  if (!may('WRITE')) return null;
  return (
    <>
      {canCancel(asked) && (
        <Button icon="close" onClick={() => setOpen('cancel')}>
          {t('requests.cancel')}
        </Button>
      )}
      {canResend(asked) && (
        <Button
          icon="send"
          onClick={async () => {
            await takeStep('resend', [asked]);
            await reload();
          }}
        >
          {t('requests.resend')}
        </Button>
      )}
      {asked.state === 'RECEIVED' && (
        <Button icon="back" onClick={() => setOpen('decline')}>
          {t('requests.decline')}
        </Button>
      )}
      {asked.state === 'RECEIVED' && asked.heldItem && <AcceptButton asked={asked} />}
      {open === 'decline' && <DeclineDialog asked={asked} onClose={close} onDone={reload} />}
      {open === 'cancel' && (
        <RemovalDialog
          title={t('requests.cancel')}
          text={t('requests.cancel_text')}
          action={t('requests.cancel')}
          gone={t('requests.cancelled', { n: 1 })}
          send={() => request(CancelRequest, { id: asked.id, ifVersion: asked.version })}
          onDone={() => {
            close();
            return reload();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** Renders how a request ended, why no mail was sent, and what was sent back. */
function Notes({ asked: { state, ending, declinedReason, delivery } }: { readonly asked: Request }) {
  const isUnsent = delivery?.state === 'FAILED' || delivery?.state === 'SUPPRESSED';
  return (
    <>
      {ending && <p class="note">{t(`requests.ending_${ending}`)}</p>}
      {isUnsent && state !== 'ACCEPTED' && <p class="note late">{notToldText(delivery.reasonCode)}</p>}
      {declinedReason && <p class="note near">{t('requests.sent_back', { reason: declinedReason })}</p>}
    </>
  );
}

/** Renders requests for documents: who was asked for what, and what came of it. */
export default function RequestsScreen({ id }: ScreenProps) {
  if (!id) return <ListScreen list={requests} />;
  return (
    <RecordPage
      kind="DOCUMENT_REQUEST"
      id={id}
      list={t('requests.title')}
      document={DocumentRequest}
      history="aside"
      names={(asked) => [askedName(asked)]}
      beside={(asked) => (
        <>
          <RequestState state={asked.state} />
          {isOverdue(asked) && <Badge urgency="late">{t('requests.tab_overdue')}</Badge>}
        </>
      )}
      actions={(asked, reload) => <Steps asked={asked} reload={reload} />}
      lead={(asked) => <Notes asked={asked} />}
      main={(asked) => (
        <>
          <AnswerCard asked={asked} />
          <Card title={t('records.facts')}>
            <Facts fields={fields} row={asked} />
          </Card>
        </>
      )}
    />
  );
}
