import { useState } from 'preact/hooks';
import { usePages } from '../../data/pages';
import { Webhooks } from '../../generated/operations/settings';
import type { WebhookRowFragment, WebhookState } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { ListFoot } from '../../records/list-foot';
import { type Column, RecordTable } from '../../records/table';
import { Button, IconButton } from '../../ui/button';
import { Empty, FaultNote } from '../../ui/state';
import { Badge, type Urgency } from '../../ui/status';
import { DeleteWebhookDialog, EditWebhookDialog, NewWebhookDialog } from './webhooks/form';
import { MessagesDialog } from './webhooks/messages';

/** The current dialog about an endpoint. */
interface Asked {
  readonly id: string;
  readonly about: 'new' | 'edit' | 'messages' | 'delete';
}

const urgencies: Readonly<Record<WebhookState, Urgency>> = {
  ENABLED: 'good',
  PAUSED: 'near',
  DISABLED: 'late',
};

const hostOf = (url: string) => new URL(url).host;

function columnsWith(ask: (asked: Asked) => void): readonly Column<WebhookRowFragment>[] {
  return [
    { label: 'fields.name', text: ({ name }) => name },
    { label: 'webhooks.address', text: ({ url }) => hostOf(url), class: 'below' },
    { label: 'webhooks.hears_of', text: ({ eventTypes }) => eventTypes.join(', '), class: 'roomy' },
    {
      label: 'deliveries.state',
      text: ({ state }) => t(`webhooks.${state}`),
      draw: ({ state }) => <Badge urgency={urgencies[state]}>{t(`webhooks.${state}`)}</Badge>,
    },
    {
      label: 'common.edit',
      text: () => '',
      draw: ({ id, name }) => (
        <span class="rowactions">
          <IconButton
            icon="send"
            label={`${t('webhooks.messages')}: ${name}`}
            onClick={() => ask({ id, about: 'messages' })}
          />
          <IconButton
            icon="edit"
            label={`${t('common.edit')}: ${name}`}
            onClick={() => ask({ id, about: 'edit' })}
          />
          <IconButton
            icon="trash"
            label={`${t('common.delete')}: ${name}`}
            onClick={() => ask({ id, about: 'delete' })}
          />
        </span>
      ),
      class: 'figure',
    },
  ];
}

/** Renders webhook endpoints: which other systems hear of events, and what was sent to them. */
export function WebhooksPart() {
  const [asked, setAsked] = useState<Asked>();
  const list = usePages(Webhooks, { orderBy: [{ field: 'NAME', direction: 'ASC' }] }, (data) => data.list);
  const webhook = list.rows.find(({ id }) => id === asked?.id);
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    list.reload();
  };
  const isEmpty = !list.isFirst && !list.fault && list.rows.length === 0;
  const add = (
    <Button icon="plus" weight="first" onClick={() => setAsked({ id: '', about: 'new' })}>
      {t('webhooks.new')}
    </Button>
  );
  return (
    <>
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {isEmpty ? (
        <Empty icon="send" title={t('webhooks.empty')} text={t('webhooks.empty_text')}>
          {add}
        </Empty>
      ) : (
        <>
          <div class="listbar">{add}</div>
          <RecordTable
            title={t('webhooks.title')}
            rows={list.rows}
            columns={columnsWith(setAsked)}
            isFirst={list.isFirst}
            isStale={list.isStale}
          />
          <ListFoot list={list} />
        </>
      )}
      {asked?.about === 'new' && <NewWebhookDialog onMade={list.reload} onClose={close} />}
      {webhook && asked?.about === 'edit' && (
        <EditWebhookDialog webhook={webhook} onDone={done} onClose={close} />
      )}
      {webhook && asked?.about === 'delete' && (
        <DeleteWebhookDialog webhook={webhook} onDone={done} onClose={close} />
      )}
      {webhook && asked?.about === 'messages' && (
        <MessagesDialog webhook={webhook} onChanged={list.reload} onClose={close} />
      )}
    </>
  );
}
