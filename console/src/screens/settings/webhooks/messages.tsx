import { useState } from 'preact/hooks';
import { now, request } from '../../../data/client';
import { usePages } from '../../../data/pages';
import {
  EnableWebhook,
  RecoverWebhook,
  ReplayWebhookMessage,
  RotateWebhook,
  TestWebhook,
  UpdateWebhook,
  WebhookDeliveries,
} from '../../../generated/operations/settings';
import type {
  TestWebhookMutation,
  WebhookDeliveryRowFragment,
  WebhookDeliveryState,
  WebhookRowFragment,
} from '../../../generated/types';
import { formatMoment } from '../../../i18n/dates';
import { t } from '../../../i18n/i18n';
import { ListFoot } from '../../../list/table';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { SecretDialog } from '../../../ui/secret';
import { FaultNote } from '../../../ui/state';
import { Ago, Badge, type Urgency } from '../../../ui/status';
import { tell, tellFault } from '../../../ui/toast';

const urgencies: Readonly<Record<WebhookDeliveryState, Urgency>> = {
  FAILED: 'late',
  QUEUED: 'near',
  SENT: 'good',
  CANCELLED: 'plain',
};

const day = 86_400_000;

type Trial = NonNullable<TestWebhookMutation['testWebhookEndpoint']>;

/** Renders what a receiver answered, in its own words. */
function Said({ text }: { readonly text: string | null | undefined }) {
  return text ? <pre class="said small">{text}</pre> : null;
}

function TrialNote({ trial }: { readonly trial: Trial }) {
  const { isAccepted, status, ms, error, responseStart } = trial;
  return (
    <div class={isAccepted ? 'note' : 'note bad'} role={isAccepted ? 'status' : 'alert'}>
      <p>
        {isAccepted
          ? t('webhooks.tested', { status: String(status), ms })
          : `${t('webhooks.tested_not')} ${error ?? status ?? ''}`}
      </p>
      {!isAccepted && <Said text={responseStart} />}
    </div>
  );
}

interface LineProps {
  readonly delivery: WebhookDeliveryRowFragment;
  readonly endpointId: string;
  readonly onReplayed: () => unknown;
}

function Line({ delivery, endpointId, onReplayed }: LineProps) {
  const { state, statusCode, lastError, dueAt, created, message, attempts } = delivery;
  if (!message) return null;
  const { id: messageId, type, body } = message;
  async function replay() {
    const outcome = await request(ReplayWebhookMessage, { id: messageId, endpointId });
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('webhooks.replayed'));
    await onReplayed();
  }
  return (
    <li>
      <details>
        <summary>
          <Badge urgency={urgencies[state]}>{t(`webhooks.${state}`)}</Badge> {type} <Ago moment={created} />
        </summary>
        <div class="stack tight">
          {state === 'QUEUED' && attempts.length > 0 && dueAt && (
            <p class="small">{t('deliveries.next_try', { when: formatMoment(dueAt) })}</p>
          )}
          {attempts.length === 0 && (lastError ?? statusCode) && (
            <p class="small">{lastError ?? statusCode}</p>
          )}
          {attempts.map((attempt) => (
            <div key={attempt.number} class="small">
              {t('webhooks.attempt', { n: attempt.number })}: {formatMoment(attempt.at)} ·{' '}
              {attempt.statusCode ?? attempt.error} · {attempt.ms} ms
              <Said text={attempt.responseStart} />
            </div>
          ))}
          <Said text={JSON.stringify(JSON.parse(body), null, 2)} />
          <span>
            <Button icon="renew" onClick={replay}>
              {t('webhooks.replay')}
            </Button>
          </span>
        </div>
      </details>
    </li>
  );
}

interface MessagesProps {
  readonly row: WebhookRowFragment;
  readonly reload: () => unknown;
  readonly onClose: () => void;
}

/** Renders what was sent to an endpoint, and what can be done with it. */
export function MessagesDialog({ row: webhook, reload, onClose }: MessagesProps) {
  const { id, version, name, state, disabledReason, failingSince } = webhook;
  const [trial, setTrial] = useState<Trial>();
  const [secret, setSecret] = useState<string>();
  const list = usePages(
    WebhookDeliveries,
    { filter: { endpointId: id }, orderBy: [{ field: 'CREATED', direction: 'DESC' }] },
    (data) => data.list,
    20,
  );
  async function test() {
    const outcome = await request(TestWebhook, { id });
    if (!outcome.ok) tellFault(outcome.fault);
    else if (outcome.data.testWebhookEndpoint) setTrial(outcome.data.testWebhookEndpoint);
  }
  async function turn() {
    const outcome =
      state === 'ENABLED'
        ? await request(UpdateWebhook, { id, ifVersion: version, input: { isPaused: true } })
        : await request(EnableWebhook, { id, ifVersion: version });
    if (!outcome.ok) tellFault(outcome.fault);
    await reload();
  }
  async function rotate() {
    const outcome = await request(RotateWebhook, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    setSecret(outcome.data.rotateWebhookSecret?.secret);
  }
  async function recover() {
    const since = new Date(now().getTime() - 14 * day + 60_000).toISOString();
    const outcome = await request(RecoverWebhook, { id, since });
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(t('webhooks.recovered', { n: outcome.data.resendWebhookMessages?.messageCount ?? 0 }));
    await list.reload();
  }
  if (secret !== undefined) {
    const text = `${t('webhooks.secret_once')} ${t('webhooks.rotated')}`;
    return <SecretDialog title={name} text={text} secret={secret} onClose={() => setSecret(undefined)} />;
  }
  const isEmpty = !list.isFirst && !list.fault && list.rows.length === 0;
  return (
    <Dialog title={name} onClose={onClose} isLarge>
      <div class="stack">
        {disabledReason && <p class="note bad">{disabledReason}</p>}
        {failingSince && (
          <p class="note">{t('webhooks.failing_since', { when: formatMoment(failingSince) })}</p>
        )}
        <div class="line">
          <Button icon="send" onClick={test}>
            {t('webhooks.test')}
          </Button>
          <Button onClick={turn}>{t(state === 'ENABLED' ? 'webhooks.pause' : 'webhooks.enable')}</Button>
          <Button onClick={rotate}>{t('webhooks.rotate')}</Button>
          {state !== 'DISABLED' && <Button onClick={recover}>{t('webhooks.recover')}</Button>}
        </div>
        {trial && <TrialNote trial={trial} />}
        <h3>{t('webhooks.messages')}</h3>
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {isEmpty && <p class="soft">{t('webhooks.messages_none')}</p>}
        <ul class="plain stack tight">
          {list.rows.map((delivery) => (
            <Line key={delivery.id} delivery={delivery} endpointId={id} onReplayed={list.reload} />
          ))}
        </ul>
        <ListFoot list={list} />
      </div>
    </Dialog>
  );
}
