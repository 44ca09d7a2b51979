import { useEffect, useState } from 'preact/hooks';
import { request } from '../../data/client';
import type { DataOf } from '../../data/operation';
import { Channels, TestChannel } from '../../generated/operations/settings';
import type { ChannelFilter, ChannelOrderField, ChannelRowFragment } from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Dialog } from '../../ui/dialog';
import { Bones } from '../../ui/state';
import { Ago, Badge } from '../../ui/status';
import { tellFault } from '../../ui/toast';
import { DeleteChannelDialog, EditChannelDialog, NewChannelDialog } from './channels/form';

/** Renders the last result of a channel. */
function Last({ channel: { isActive, lastError, lastOkAt } }: { readonly channel: ChannelRowFragment }) {
  if (!isActive) return <Badge>{t('fields.isArchived')}</Badge>;
  if (lastError) return <span class="late-text small">{lastError}</span>;
  return lastOkAt ? <Ago moment={lastOkAt} /> : <span>–</span>;
}

type Trial = NonNullable<DataOf<typeof TestChannel>['testChannel']>;

interface RowProps {
  readonly row: ChannelRowFragment;
  readonly onClose: () => void;
}

/** Sends a test to a channel, and renders what its service answered. */
function TestDialog({ row: { id, name }, onClose }: RowProps) {
  const [trial, setTrial] = useState<Trial>();
  useEffect(() => {
    request(TestChannel, { id }).then((outcome) => {
      if (outcome.ok && outcome.data.testChannel) return setTrial(outcome.data.testChannel);
      if (!outcome.ok) tellFault(outcome.fault);
      onClose();
    });
  }, [id]);
  return (
    <Dialog title={name} onClose={onClose}>
      {trial ? (
        <p class={trial.isSent ? 'note' : 'note bad'} role={trial.isSent ? 'status' : 'alert'}>
          {trial.answer}
        </p>
      ) : (
        <Bones rows={1} />
      )}
    </Dialog>
  );
}

const channels: ListSpec<ChannelRowFragment, ChannelFilter, ChannelOrderField> = {
  name: 'channels',
  title: 'channels.title',
  operation: Channels,
  order: [{ field: 'NAME', direction: 'ASC' }],
  empty: { icon: 'bell', title: 'channels.empty', text: 'channels.empty_text' },
  add: { label: 'channels.new', isAllowed: () => true, Dialog: NewChannelDialog },
  columns: [
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
  ],
  rowActions: [
    { icon: 'send', label: 'webhooks.test', Dialog: TestDialog },
    { icon: 'edit', label: 'common.edit', Dialog: EditChannelDialog },
    { icon: 'trash', label: 'common.delete', Dialog: DeleteChannelDialog },
  ],
};

/** Renders chat channels, which get reminders: their services, tests and last results. */
export const ChannelsPart = () => <ListPart list={channels} />;
