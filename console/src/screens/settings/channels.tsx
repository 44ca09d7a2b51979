import { useEffect, useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { type DataOf, request } from '../../data/client';
import { findTeams } from '../../data/options';
import {
  Channels,
  CreateChannel,
  DeleteChannel,
  TestChannel,
  UpdateChannel,
} from '../../generated/operations/settings';
import type {
  ChannelFilter,
  ChannelKind,
  ChannelOrderField,
  ChannelRowFragment,
} from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Dialog, RemovalDialog } from '../../ui/dialog';
import { Bones } from '../../ui/state';
import { Ago, Badge } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';

/** All services, the most common ones first. */
const kinds: readonly ChannelKind[] = ['SLACK', 'TEAMS', 'DISCORD', 'NTFY', 'GOTIFY', 'APPRISE'];

const plain = { autoComplete: 'off', spellcheck: false } as const;

const team: FieldSpec<ChannelRowFragment> = {
  type: 'record',
  name: 'teamId',
  label: 'fields.team',
  otherwise: () => caller.value?.me.team?.name ?? '',
  find: findTeams,
  chosen: () => undefined,
};

const fields: readonly FieldSpec<ChannelRowFragment>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: plain },
  {
    type: 'choice',
    name: 'kind',
    label: 'channels.service',
    isNeeded: true,
    choices: kinds.map((value) => ({ value, label: `channels.${value}` as const })),
  },
  { type: 'text', name: 'url', label: 'webhooks.address', hint: 'channels.address_hint', control: plain },
  { type: 'text', name: 'token', label: 'channels.token', hint: 'channels.token_hint', control: plain },
  { type: 'text', name: 'quietFrom', label: 'channels.quiet_from', control: { type: 'time' } },
  { type: 'text', name: 'quietTo', label: 'channels.quiet_to', control: { type: 'time' } },
  { type: 'check', name: 'tellsFailures', label: 'channels.tells_failures' },
];

const inUse: FieldSpec<ChannelRowFragment> = {
  type: 'check',
  name: 'isActive',
  label: 'fields.isArchived',
  values: [false, true],
};

const create = ({ name = '', url = '', kind, ...more }: Input) =>
  request(CreateChannel, {
    input: { ...more, name: String(name ?? ''), url: String(url ?? ''), kind: kind as ChannelKind },
  });

interface ChannelDialogProps {
  readonly row: ChannelRowFragment;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for a new channel. */
export function NewChannelDialog({ onDone, onClose }: Omit<ChannelDialogProps, 'row'>) {
  return (
    <Dialog title={t('channels.new')} onClose={onClose}>
      <Form fields={[...fields, team]} action={t('channels.new')} send={create} onDone={onDone} />
    </Dialog>
  );
}

/** Asks for changes of a channel. Its address and token are replaced only if new ones are given. */
export function EditChannelDialog({ row: channel, onDone, onClose }: ChannelDialogProps) {
  const { id, name } = channel;
  return (
    <Dialog title={name} onClose={onClose}>
      <Form
        fields={[...fields, inUse]}
        row={channel}
        action={t('common.save')}
        send={(input, base = channel) => request(UpdateChannel, { id, ifVersion: base.version, input })}
        onDone={() => {
          tell(t('common.saved'));
          onDone();
        }}
      />
    </Dialog>
  );
}

/** Asks before a channel is deleted, which cannot be undone. */
export function DeleteChannelDialog({ row: { id, name, version }, onDone, onClose }: ChannelDialogProps) {
  return (
    <RemovalDialog
      title={t('common.delete')}
      text={t('webhooks.delete_text', { name })}
      gone={t('common.deleted', { name })}
      send={() => request(DeleteChannel, { id, ifVersion: version })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

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
