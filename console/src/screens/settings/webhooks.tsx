import { Webhooks } from '../../generated/operations/settings';
import type {
  WebhookEndpointFilter,
  WebhookEndpointOrderField,
  WebhookRowFragment,
  WebhookState,
} from '../../generated/types';
import { t } from '../../i18n/i18n';
import type { ListSpec } from '../../list/declare';
import { ListPart } from '../../list/list';
import { Badge, type Urgency } from '../../ui/status';
import { DeleteWebhookDialog, EditWebhookDialog, NewWebhookDialog } from './webhooks/form';
import { MessagesDialog } from './webhooks/messages';

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
