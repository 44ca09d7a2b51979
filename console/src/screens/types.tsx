import { itemsAddress } from '../app/addresses';
import type { ScreenProps } from '../app/screen';
import type { DataOf } from '../data/operation';
import { findPolicies } from '../data/options';
import {
  CreateDocumentType,
  DeleteDocumentType,
  DocumentTypeRecord,
  DocumentTypes,
  RestoreDocumentType,
  UpdateDocumentType,
} from '../generated/operations/types';
import type { CategoryOrderField, DocumentTypePageFragment, UpdateCategoryInput } from '../generated/types';
import { formatNumber, t } from '../i18n/i18n';
import type { Column } from '../list/declare';
import { HistoryCard, ItemsCard } from '../records/aside';
import { policyOfTeam } from '../records/defaults';
import { RecordList } from '../records/record-list';
import { RecordPage } from '../records/record-page';
import type { RecordType } from '../records/record-type';
import { Badge } from '../ui/status';
import {
  AutoRenewEditor,
  inputOfRenewing,
  type RenewingDraft,
  renewingDraft,
  renewingText,
} from './types/auto-renew';

type Row = DataOf<typeof DocumentTypes>['list']['nodes'][number];

const documentType: RecordType<DocumentTypePageFragment, keyof UpdateCategoryInput> = {
  kind: 'CATEGORY',
  folder: '/types',
  icon: 'types',
  title: 'types.title',
  add: 'types.add',
  empty: 'types.empty',
  emptyText: 'types.empty_text',
  nameOf: ({ name }) => name,
  operations: {
    create: CreateDocumentType,
    update: UpdateDocumentType,
    remove: DeleteDocumentType,
    restore: RestoreDocumentType,
  },
  fields: [
    { type: 'text', name: 'name', control: { autoComplete: 'off' } },
    {
      type: 'record',
      name: 'reminderPolicyId',
      isReminding: true,
      otherwise: (type) => policyOfTeam(type?.team?.id),
      find: findPolicies,
      chosen: ({ reminderPolicy }) =>
        reminderPolicy ? { id: reminderPolicy.id, label: reminderPolicy.name } : undefined,
    },
    {
      type: 'own',
      name: 'autoRenew',
      isFact: true,
      read: (row) => renewingDraft(row?.autoRenew),
      send: (draft: RenewingDraft) => inputOfRenewing(draft),
      words: (draft: RenewingDraft) => renewingText(inputOfRenewing(draft)),
      Editor: AutoRenewEditor,
    },
    { type: 'check', name: 'isActive', label: 'fields.isArchived', values: [false, true] },
    { type: 'custom', name: 'customFields', isNamesOnly: true },
  ],
};

const columns: readonly Column<Row, CategoryOrderField>[] = [
  { label: 'fields.name', text: ({ name }) => name },
  {
    label: 'fields.reminderPolicy',
    text: ({ reminderPolicy, team }) => reminderPolicy?.name ?? policyOfTeam(team?.id),
    class: 'roomy',
  },
  {
    label: 'fields.CATEGORY_customFields',
    text: ({ customFields }) => customFields.map(({ name }) => name).join(', '),
    class: 'roomy',
  },
  { label: 'fields.team', text: ({ team }) => team?.name, class: 'roomy' },
  {
    label: 'types.items',
    text: ({ expirationItems }) => expirationItems.totalCount,
    draw: ({ id, expirationItems }) => (
      <a class="num" href={itemsAddress({ type: id })}>
        {formatNumber(expirationItems.totalCount)}
      </a>
    ),
    class: 'figure',
  },
];

/** Renders document types: their list, or one with its fields and reminders. */
export default function TypesScreen({ id }: ScreenProps) {
  if (!id) {
    return <RecordList by="NAME" type={documentType} operation={DocumentTypes} columns={columns} />;
  }
  return (
    <RecordPage
      type={documentType}
      id={id}
      operation={DocumentTypeRecord}
      beside={({ isActive }) => !isActive && <Badge>{t('records.archived')}</Badge>}
      aside={({ id: type }) => (
        <>
          <ItemsCard filter={{ categoryId: type }} parameters={{ type }} />
          <HistoryCard kind="CATEGORY" id={type} />
        </>
      )}
    />
  );
}
