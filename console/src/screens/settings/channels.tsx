import { useState } from 'preact/hooks';
import { request } from '../../data/client';
import { usePages } from '../../data/pages';
import { Channels, TestChannel } from '../../generated/operations/settings';
import type { ChannelRowFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { ListFoot } from '../../records/list-foot';
import { type Column, RecordTable } from '../../records/table';
import { Button, IconButton } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Empty, FaultNote } from '../../ui/state';
import { Ago, Badge } from '../../ui/status';
import { tellFault } from '../../ui/toast';
import { DeleteChannelDialog, EditChannelDialog, NewChannelDialog } from './channels/form';

/** The current dialog about a channel. */
interface Asked {
  readonly id: string;
  readonly about: 'new' | 'edit' | 'delete';
}

/** Renders the last result of a channel. */
function Last({ channel: { isActive, lastError, lastOkAt } }: { readonly channel: ChannelRowFragment }) {
  if (!isActive) return <Badge>{t('fields.isArchived')}</Badge>;
  if (lastError) return <span class="late-text small">{lastError}</span>;
  return lastOkAt ? <Ago moment={lastOkAt} /> : <span>–</span>;
}

function columnsWith(
  ask: (asked: Asked) => void,
  test: (channel: ChannelRowFragment) => void,
): readonly Column<ChannelRowFragment>[] {
  return [
    { label: 'fields.name', text: ({ name }) => name },
    {
      label: 'channels.service',
      text: ({ kind, host }) => `${t(`channels.${kind}`)}: ${host}`,
      class: 'below',
    },
    { label: 'fields.team', text: ({ team }) => team?.name, class: 'roomy' },
    {
      label: 'deliveries.state',
      text: ({ lastError }) => lastError,
      draw: (channel) => <Last channel={channel} />,
      class: 'below',
    },
    {
      label: 'common.edit',
      text: () => '',
      draw: (channel) => (
        <span class="rowactions">
          <IconButton
            icon="send"
            label={`${t('webhooks.test')}: ${channel.name}`}
            onClick={() => test(channel)}
          />
          <IconButton
            icon="edit"
            label={`${t('common.edit')}: ${channel.name}`}
            onClick={() => ask({ id: channel.id, about: 'edit' })}
          />
          <IconButton
            icon="trash"
            label={`${t('common.delete')}: ${channel.name}`}
            onClick={() => ask({ id: channel.id, about: 'delete' })}
          />
        </span>
      ),
      class: 'figure',
    },
  ];
}

interface Trial {
  readonly name: string;
  readonly isSent: boolean;
  readonly answer: string;
}

/** Renders chat channels, which get reminders: their services, tests and last results. */
export function ChannelsPart() {
  const [asked, setAsked] = useState<Asked>();
  const [trial, setTrial] = useState<Trial>();
  const list = usePages(Channels, { orderBy: [{ field: 'NAME', direction: 'ASC' }] }, (data) => data.list);
  const channel = list.rows.find(({ id }) => id === asked?.id);
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    list.reload();
  };
  async function test({ id, name }: ChannelRowFragment) {
    const outcome = await request(TestChannel, { id });
    if (!outcome.ok) tellFault(outcome.fault);
    else if (outcome.data.testChannel) setTrial({ name, ...outcome.data.testChannel });
  }
  const isEmpty = !list.isFirst && !list.fault && list.rows.length === 0;
  const add = (
    <Button icon="plus" weight="first" onClick={() => setAsked({ id: '', about: 'new' })}>
      {t('channels.new')}
    </Button>
  );
  return (
    <>
      {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {isEmpty ? (
        <Empty icon="bell" title={t('channels.empty')} text={t('channels.empty_text')}>
          {add}
        </Empty>
      ) : (
        <>
          <div class="listbar">{add}</div>
          <RecordTable
            title={t('channels.title')}
            rows={list.rows}
            columns={columnsWith(setAsked, test)}
            isFirst={list.isFirst}
            isStale={list.isStale}
          />
          <ListFoot list={list} />
        </>
      )}
      {trial && (
        <Dialog title={trial.name} onClose={() => setTrial(undefined)}>
          <p class={trial.isSent ? 'note' : 'note bad'} role={trial.isSent ? 'status' : 'alert'}>
            {trial.answer}
          </p>
        </Dialog>
      )}
      {asked?.about === 'new' && <NewChannelDialog onDone={done} onClose={close} />}
      {channel && asked?.about === 'edit' && (
        <EditChannelDialog channel={channel} onDone={done} onClose={close} />
      )}
      {channel && asked?.about === 'delete' && (
        <DeleteChannelDialog channel={channel} onDone={done} onClose={close} />
      )}
    </>
  );
}
