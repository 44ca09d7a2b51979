import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { navigate } from '../../app/router';
import { caller, hasTeams } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import type { DataOf } from '../../data/operation';
import {
  contactOption,
  findCategories,
  findContacts,
  findLocations,
  findPolicies,
  findTags,
  findTeams,
  findUsers,
} from '../../data/options';
import { CategoryFields, ChangeItem, CreateItem } from '../../generated/operations/items';
import type { CreateExpirationItemInput } from '../../generated/types';
import { t } from '../../i18n/i18n';
import { policyOfTeam, standardType, teamOf } from '../../records/defaults';
import type { CustomValue } from '../../records/form/draft';
import { Form } from '../../records/form/form';
import type { Draft, FieldSpec } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { PageHead } from '../../ui/page';
import { tell } from '../../ui/toast';
import { addFiles } from './files';
import type { ItemDetail } from './item';
import { inputOfNotice, type NoticeDraft, NoticeEditor, noticeDraft, noticeText } from './notice';

type TypeDetail = NonNullable<DataOf<typeof CategoryFields>['category']>;

type Field = FieldSpec<ItemDetail, keyof CreateExpirationItemInput>;

const named = (record: { id: string; name: string | null } | null): Option | undefined =>
  record ? { id: record.id, label: record.name ?? '' } : undefined;

const allNamed = (records: readonly { id: string; name: string | null }[]): Option[] =>
  records.map(({ id, name }) => ({ id, label: name ?? '' }));

const idIn = (draft: Draft | undefined, name: string) => (draft?.[name] as Option | undefined)?.id;

/** Says which time of day applies if none is given. */
function timeHint(draft: Draft, type: TypeDetail | undefined): string {
  const inherited = type?.reminderPolicy ?? teamOf(idIn(draft, 'teamId'))?.reminderPolicy;
  const time = !draft.reminderPolicyId && inherited?.timeOfDay.slice(0, 5);
  return time ? t('item.time_hint', { value: time }) : t('item.time_hint_any');
}

/** Lists the fields of an item, whose document type decides what applies to it. */
const fieldsOf = (type: TypeDetail | undefined): readonly Field[] => [
  { section: 'item.what', type: 'text', name: 'name', isWide: true },
  {
    section: 'item.what',
    type: 'record',
    name: 'category',
    isReference: true,
    otherwise: () => t('common.if_empty', { value: standardType }),
    find: findCategories,
    chosen: ({ category }) => named(category),
  },
  { section: 'item.what', type: 'date', name: 'expirationDate' },
  { section: 'item.what', type: 'date', name: 'noticeDate' },
  {
    section: 'item.what',
    type: 'own',
    name: 'noticeRule',
    read: (item) => noticeDraft(item?.noticeRule),
    send: (draft: NoticeDraft) => inputOfNotice(draft),
    words: (draft: NoticeDraft) => noticeText(inputOfNotice(draft)),
    Editor: NoticeEditor,
  },
  { section: 'item.what', type: 'custom', name: 'customFields', isValuesOnly: true },
  {
    section: 'item.who_where',
    type: 'record',
    name: 'contactId',
    empty: 'common.nobody',
    find: findContacts,
    chosen: ({ contact }) => (contact ? contactOption(contact) : undefined),
  },
  {
    section: 'item.who_where',
    type: 'record',
    name: 'assignedTo',
    isReference: true,
    empty: 'common.nobody',
    find: findUsers,
    chosen: ({ assignedTo }) => named(assignedTo),
  },
  {
    section: 'item.who_where',
    type: 'records',
    name: 'contacts',
    find: findContacts,
    chosen: ({ contacts }) => contacts.map(contactOption),
  },
  {
    section: 'item.who_where',
    type: 'records',
    name: 'locations',
    find: findLocations,
    chosen: ({ locations }) => allNamed(locations),
  },
  {
    section: 'item.who_where',
    type: 'records',
    name: 'tags',
    isOpen: true,
    find: findTags,
    chosen: ({ tags }) => allNamed(tags),
  },
  ...(hasTeams()
    ? [
        {
          section: 'item.who_where',
          type: 'record',
          name: 'teamId',
          find: findTeams,
          chosen: ({ team }: ItemDetail) => named(team),
        } as const satisfies Field,
      ]
    : []),
  { section: 'item.more', type: 'area', name: 'details' },
  { section: 'item.more', type: 'time', name: 'timeOfDay', hint: (draft) => timeHint(draft, type) },
  {
    section: 'item.more',
    type: 'record',
    name: 'reminderPolicyId',
    label: 'item.policy',
    isReminding: ({ reminderMode }) => !reminderMode,
    otherwise: (_item, draft) =>
      type?.reminderPolicy
        ? t('common.as_type', { value: type.reminderPolicy.name })
        : policyOfTeam(idIn(draft, 'teamId')),
    find: findPolicies,
    chosen: ({ reminderPolicy }) => named(reminderPolicy),
  },
  { section: 'item.more', type: 'date', name: 'renewUntil', isShown: () => Boolean(type?.autoRenew) },
  {
    section: 'item.more',
    type: 'number',
    name: 'renewalsLeft',
    hint: 'item.renewals_left_hint',
    isShown: () => Boolean(type?.autoRenew),
  },
  { section: 'item.more', type: 'check', name: 'isMissing', label: 'item.is_missing' },
  {
    section: 'item.more',
    type: 'check',
    name: 'reminderMode',
    label: 'item.is_silent',
    values: ['OFF', 'INHERIT'],
  },
];

const files: Field = { section: 'item.more', type: 'files', name: 'attachments' };

/** Adds the custom fields of a document type that the form does not have yet. */
function withFieldsOf(type: TypeDetail | undefined, draft: Draft): Draft {
  if (!type) return draft;
  const filled = draft.customFields as readonly CustomValue[];
  const known = new Set(filled.map(({ id }) => id));
  const added = type.customFields
    .filter(({ id }) => !known.has(id))
    .map(({ id, name }): CustomValue => ({ id, name: name ?? '', value: '' }));
  const ids = new Set(type.customFields.map(({ id }) => id));
  // Remove empty fields of another type, and keep those that somebody has filled in.
  return {
    ...draft,
    customFields: [...filled.filter(({ id, value }) => value || (id && ids.has(id))), ...added],
  };
}

interface ItemFormProps {
  /** The item that is edited; undefined for a new one. */
  readonly item?: ItemDetail;
  readonly onChanged?: () => Promise<void>;
}

/** Renders the form of an item. */
export function ItemForm({ item, onChanged }: ItemFormProps) {
  const [categoryId, setCategoryId] = useState(item?.category?.id);
  const query = useQuery(categoryId ? CategoryFields : undefined, { id: categoryId ?? '' });
  const type = query.data?.category ?? undefined;
  const team = caller.value?.me.team;
  const leave = (id?: string) =>
    navigate(id ? addressOf('EXPIRATION_ITEM', id) : '/items', { replace: true });
  return (
    <>
      <PageHead
        title={item ? t('item.edit') : t('items.add')}
        above={
          item
            ? { href: addressOf('EXPIRATION_ITEM', item.id), label: item.name }
            : { href: '/items', label: t('items.title') }
        }
      />
      <Form
        kind="EXPIRATION_ITEM"
        fields={item ? fieldsOf(type) : [...fieldsOf(type), files]}
        {...(item
          ? { row: item }
          : { isFocused: true, initial: { teamId: team && { id: team.id, label: team.name } } })}
        complete={(draft) => withFieldsOf(type, draft)}
        onDraft={(draft) => setCategoryId(idIn(draft, 'category'))}
        action={item ? t('common.save') : t('items.add')}
        send={async ({ attachments, ...input }, base) => {
          // An item is always in a workspace.
          const { teamId, ...others } = input;
          const sent = { ...others, ...(teamId ? { teamId: String(teamId) } : {}) };
          if (base) {
            const { id, version } = base;
            const outcome = await request(ChangeItem, { id, ifVersion: version, input: sent });
            return outcome.ok ? { ok: true, data: id } : outcome;
          }
          const required = { name: '', expirationDate: '', ...sent };
          const outcome = await request(CreateItem, { input: required });
          const id = outcome.ok && outcome.data.createExpirationItem?.id;
          if (!outcome.ok) return outcome;
          if (id) await addFiles(id, (attachments ?? []) as readonly File[]);
          tell(t('item.added', { name: required.name }));
          return { ok: true, data: id || undefined };
        }}
        onDone={async (id) => {
          await onChanged?.();
          if (item) tell(t('common.saved'));
          leave(id);
        }}
        onCancel={() => leave(item?.id)}
        {...(onChanged && { onOutdated: onChanged })}
      />
    </>
  );
}
