import { useState } from 'preact/hooks';
import { caller } from '../../app/session';
import { request } from '../../data/client';
import { findTeams } from '../../data/options';
import { CreateWebhook, DeleteWebhook, UpdateWebhook, Webhooks } from '../../generated/operations/settings';
import type {
  WebhookEndpointFilter,
  WebhookEndpointOrderField,
  WebhookPayload,
  WebhookRowFragment,
  WebhookState,
} from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Form } from '../../records/form/form';
import type { FieldSpec, Input } from '../../records/record-type';
import { Dialog, RemovalDialog } from '../../ui/dialog';
import { SecretDialog } from '../../ui/secret';
import { Badge, type Urgency } from '../../ui/status';
import { tell } from '../../ui/toast';
import { MessagesDialog } from './webhooks/messages';

/** An endpoint as the form shows it. */
interface FormRow {
  readonly version: string;
  readonly name: string;
  readonly url: string;
  readonly eventTypes: string;
  readonly teamId: string | undefined;
  readonly isThin: boolean;
  readonly ratePerSecond: number;
}

const fields: readonly FieldSpec<FormRow>[] = [
  { type: 'text', name: 'name', label: 'fields.name', control: { autoComplete: 'off' } },
  {
    type: 'text',
    name: 'url',
    label: 'webhooks.address',
    hint: 'webhooks.address_hint',
    control: { type: 'url', autoComplete: 'off', spellcheck: false },
  },
  { type: 'area', name: 'eventTypes', label: 'webhooks.hears_of', hint: 'webhooks.hears_of_hint' },
  {
    type: 'record',
    name: 'teamId',
    label: 'fields.team',
    otherwise: () => t('webhooks.team_all'),
    find: findTeams,
    chosen: ({ teamId }) => {
      const team = caller.value?.me.teams.find(({ id }) => id === teamId);
      return team && { id: team.id, label: team.name };
    },
  },
  { type: 'check', name: 'isThin', label: 'webhooks.is_thin' },
];

const rowOf = ({ payload, teamIds, eventTypes, ...row }: WebhookRowFragment): FormRow => ({
  ...row,
  eventTypes: eventTypes.join('\n'),
  teamId: teamIds[0],
  isThin: payload === 'THIN',
});

/** Converts the form's values to those of the gateway. */
function inputOf({ eventTypes, teamId, isThin, name, url }: Input) {
  const types = typeof eventTypes === 'string' ? eventTypes.split(/[\s,]+/).filter(Boolean) : [];
  return {
    ...(name !== undefined && { name: String(name ?? '') }),
    ...(url !== undefined && { url: String(url ?? '') }),
    ...(eventTypes !== undefined && { eventTypes: types.length > 0 ? types : ['*'] }),
    ...(teamId !== undefined && { teamIds: typeof teamId === 'string' ? [teamId] : [] }),
    ...(isThin !== undefined && { payload: (isThin ? 'THIN' : 'FULL') as WebhookPayload }),
  };
}

/** Asks for a new endpoint, and shows its secret. */
function NewWebhookDialog({
  reload,
  onClose,
}: {
  readonly reload: () => unknown;
  readonly onClose: () => void;
}) {
  const [made, setMade] = useState<{ readonly secret: string; readonly name: string }>();
  if (made) {
    return (
      <SecretDialog
        title={made.name}
        text={t('webhooks.secret_once')}
        secret={made.secret}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={t('webhooks.new')} onClose={onClose}>
      <Form
        fields={fields}
        action={t('webhooks.new')}
        send={(input) => request(CreateWebhook, { input: { name: '', url: '', ...inputOf(input) } })}
        onDone={({ createWebhookEndpoint: created }) => {
          if (created) setMade({ secret: created.secret, name: created.endpoint.name });
          reload();
        }}
      />
    </Dialog>
  );
}

interface WebhookDialogProps {
  readonly row: WebhookRowFragment;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for changes of an endpoint. */
function EditWebhookDialog({ row: webhook, onDone, onClose }: WebhookDialogProps) {
  const { id, name } = webhook;
  // A form has one workspace; what the API has set stays.
  const shown = webhook.teamIds.length > 1 ? fields.filter((field) => field.name !== 'teamId') : fields;
  return (
    <Dialog title={name} onClose={onClose}>
      <Form
        fields={shown}
        row={rowOf(webhook)}
        action={t('common.save')}
        send={(input, base = rowOf(webhook)) =>
          request(UpdateWebhook, { id, ifVersion: base.version, input: inputOf(input) })
        }
        onDone={() => {
          tell(t('common.saved'));
          onDone();
        }}
      />
    </Dialog>
  );
}

/** Asks before an endpoint is deleted, which cannot be undone. */
function DeleteWebhookDialog({ row: { id, name, version }, onDone, onClose }: WebhookDialogProps) {
  return (
    <RemovalDialog
      title={t('common.delete')}
      text={t('webhooks.delete_text', { name })}
      gone={t('common.deleted', { name })}
      send={() => request(DeleteWebhook, { id, ifVersion: version })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const urgencies: Readonly<Record<WebhookState, Urgency>> = {
  ENABLED: 'good',
  PAUSED: 'near',
  DISABLED: 'late',
};

const hostOf = (url: string) => new URL(url).host;

const webhooks: ListSpec<WebhookRowFragment, WebhookEndpointFilter, WebhookEndpointOrderField> = {
  name: 'webhooks',
  title: 'webhooks.title',
  operation: Webhooks,
  order: [{ field: 'NAME', direction: 'ASC' }],
  empty: { icon: 'send', title: 'webhooks.empty', text: 'webhooks.empty_text' },
  add: { label: 'webhooks.new', isAllowed: () => true, Dialog: NewWebhookDialog },
  columns: [
    { label: 'fields.name', text: ({ name }) => name },
    { label: 'webhooks.address', text: ({ url }) => hostOf(url), class: 'below' },
    { label: 'webhooks.hears_of', text: ({ eventTypes }) => eventTypes.join(', '), class: 'roomy' },
    {
      label: 'deliveries.state',
      text: ({ state }) => t(`webhooks.${state}`),
      draw: ({ state }) => <Badge urgency={urgencies[state]}>{t(`webhooks.${state}`)}</Badge>,
    },
  ],
  rowActions: [
    { icon: 'send', label: 'webhooks.messages', Dialog: MessagesDialog },
    { icon: 'edit', label: 'common.edit', Dialog: EditWebhookDialog },
    { icon: 'trash', label: 'common.delete', Dialog: DeleteWebhookDialog },
  ],
};

/** Renders webhook endpoints: which other systems hear of events, and what was sent to them. */
export const WebhooksPart = () => <ListPart list={webhooks} />;
