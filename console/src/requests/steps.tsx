import { request } from '../data/client';
import { CancelRequest, DeclineRequest, ResendRequest } from '../generated/operations/requests';
import type { AskedDocumentFragment, DocumentRequestState } from '../generated/types';
import { t } from '../i18n/i18n';
import { joinNames, shownName } from '../i18n/names';
import { Form } from '../records/form/form';
import { nameOfHolder } from '../records/holders';
import { Dialog } from '../ui/dialog';
import { Badge, type Urgency } from '../ui/status';
import { tell, tellFault } from '../ui/toast';

/** A request for a document, as lists have it. */
export type Asked = AskedDocumentFragment;

const urgencies: Readonly<Record<DocumentRequestState, Urgency>> = {
  OPEN: 'plain',
  SENT: 'plain',
  OPENED: 'plain',
  RECEIVED: 'near',
  ACCEPTED: 'good',
  CANCELLED: 'plain',
  LAPSED: 'late',
};

/** Renders how far a request has come, as a word. */
export function RequestState({ state }: { readonly state: DocumentRequestState }) {
  return <Badge urgency={urgencies[state]}>{t(`requests.${state}`)}</Badge>;
}

/** Names what is asked for: the item to renew, or the document type. */
export const askedName = ({ renews, item, category }: Asked): string =>
  shownName(renews ? item?.name : category?.name, category?.name);

/** Names whose document is asked for. */
export const holderNameOf = ({ holder }: Asked): string => (holder ? nameOfHolder(holder) : '');

/** Names who is asked. */
export const recipientName = ({ recipient, email }: Asked): string =>
  recipient ? shownName(recipient.contactName, recipient.email) : (email ?? '');

/** Says in one line what is asked for, and of whom. */
export const askedText = (asked: Asked): string => joinNames(askedName(asked), holderNameOf(asked));

/** Tells whether nobody has answered a request yet, and its link works. */
export const isUnanswered = ({ state }: Asked) => state === 'OPEN' || state === 'SENT' || state === 'OPENED';

/** Tells whether a mail with a new link can be sent. */
export const canResend = (asked: Asked) => isUnanswered(asked) || asked.state === 'LAPSED';

/** Tells whether a request can be cancelled. */
export const canCancel = (asked: Asked) => canResend(asked) || asked.state === 'RECEIVED';

const documents = { resend: ResendRequest, cancel: CancelRequest } as const;
const told = { resend: 'requests.resent', cancel: 'requests.cancelled' } as const;

/** Takes a step of requests, one after the other. @returns whether each succeeded */
export async function takeStep(step: 'resend' | 'cancel', requests: readonly Asked[]): Promise<boolean> {
  let done = 0;
  for (const { id, version } of requests) {
    const outcome = await request(documents[step], { id, ifVersion: version });
    if (outcome.ok) done += 1;
    else {
      tellFault(outcome.fault);
      break;
    }
  }
  if (done === requests.length) tell(t(told[step], { n: done }));
  return done === requests.length;
}

interface DeclineProps {
  readonly asked: Pick<Asked, 'id' | 'version'>;
  readonly onClose: () => void;
  readonly onDone: () => unknown;
}

/** Renders the form that sends an answer back with a reason. */
export function DeclineDialog({ asked: { id, version }, onClose, onDone }: DeclineProps) {
  return (
    <Dialog title={t('requests.decline_title')} onClose={onClose}>
      <p class="soft">{t('requests.decline_text')}</p>
      <Form
        fields={[
          {
            type: 'area',
            name: 'reason',
            label: 'requests.reason',
            control: { required: true, maxLength: 2000 },
          },
        ]}
        isFocused
        isInDialog
        action={t('requests.decline')}
        icon="back"
        send={({ reason }) =>
          request(DeclineRequest, { id, ifVersion: version, input: { reason: String(reason ?? '') } })
        }
        onDone={async () => {
          onClose();
          tell(t('requests.declined'));
          await onDone();
        }}
        onCancel={onClose}
        onOutdated={onDone}
      />
    </Dialog>
  );
}
