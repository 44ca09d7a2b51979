import { itemsAddress } from '../app/addresses';
import { categoryDocuments } from '../generated/operations/category';
import { formatTotal } from '../i18n/i18n';
import { ItemsCard } from '../records/aside';
import { policyOfTeam } from '../records/defaults';
import { recordScreen } from '../records/record-screen';
import {
  AutoRenewEditor,
  inputOfRenewing,
  type RenewingDraft,
  renewingDraft,
  renewingText,
} from './types/auto-renew';

/** Renders document types: their list, or one with its fields and reminders. */
export default recordScreen({
  kind: 'CATEGORY',
  documents: categoryDocuments,
  fields: [
    'name',
    {
      name: 'reminderPolicyId',
      isReminding: true,
      otherwise: (type) => policyOfTeam(type?.team?.id),
    },
    {
      type: 'own',
      name: 'autoRenew',
      read: (row) => renewingDraft(row?.autoRenew),
      send: (draft: RenewingDraft) => inputOfRenewing(draft),
      words: (draft: RenewingDraft) => renewingText(inputOfRenewing(draft)),
      Editor: AutoRenewEditor,
    },
    'isActive',
    { name: 'customFields', isNamesOnly: true },
  ],
  columns: [
    'name',
    {
      label: 'fields.reminderPolicy',
      text: ({ reminderPolicy, team }) => reminderPolicy?.name ?? policyOfTeam(team?.id),
      include: 'reminderPolicyId',
      class: 'roomy',
    },
    'customFields',
    { label: 'fields.team', text: ({ team }) => team?.name, class: 'roomy' },
    {
      label: 'types.items',
      text: ({ expirationItems }) =>
        expirationItems.isTotalComplete ? expirationItems.totalCount : formatTotal(expirationItems),
      draw: ({ id, expirationItems }) => (
        <a class="num" href={itemsAddress({ type: id })}>
          {formatTotal(expirationItems)}
        </a>
      ),
      class: 'figure',
    },
  ],
  aside: ({ id: type }) => <ItemsCard filter={{ categoryId: type }} parameters={{ type }} />,
});
