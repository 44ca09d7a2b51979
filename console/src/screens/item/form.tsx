import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { navigate, place } from '../../app/router';
import { caller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import { CreateExpirationItem, UpdateExpirationItem } from '../../generated/operations/expirationItem';
import { CategoryFields } from '../../generated/operations/items';
import { t } from '../../i18n/i18n';
import type { CustomValue } from '../../records/form/draft';
import { Form } from '../../records/form/form';
import type { Draft } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { PageHead } from '../../ui/page';
import { tell } from '../../ui/toast';
import { type Field, idIn, itemFields, type TypeDetail } from './fields';
import { addFiles } from './files';
import type { ItemDetail } from './item';

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

/** Reads the record that a new item's address names: `type=…&typeName=…`. */
function optionIn(name: string): Option | undefined {
  const { search } = place.peek();
  const id = search.get(name);
  return id ? { id, label: search.get(`${name}Name`) ?? '' } : undefined;
}

/** Returns the first values of a new item. Its address may say its type, and whose paper it is. */
function firstValues(): Draft {
  const team = caller.value?.me.team;
  const holder = optionIn('holder');
  return {
    teamId: team && { id: team.id, label: team.name },
    category: optionIn('type'),
    holders: holder ? [holder] : [],
  };
}

interface ItemFormProps {
  /** The item that is edited; undefined for a new one. */
  readonly item?: ItemDetail;
  readonly onChanged?: () => Promise<void>;
}

/** Renders the form of an item. */
export function ItemForm({ item, onChanged }: ItemFormProps) {
  const [categoryId, setCategoryId] = useState(item ? item.category?.id : optionIn('type')?.id);
  const query = useQuery(categoryId ? CategoryFields : undefined, { id: categoryId ?? '' });
  const type = query.data?.category ?? undefined;
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
        fields={item ? itemFields(type) : [...itemFields(type), files]}
        {...(item ? { row: item } : { isFocused: true, initial: firstValues() })}
        complete={(draft) => withFieldsOf(type, draft)}
        onDraft={(draft) => setCategoryId(idIn(draft, 'category'))}
        action={item ? t('common.save') : t('items.add')}
        send={async ({ attachments, ...input }, base) => {
          // An item is always in a workspace.
          const { teamId, ...others } = input;
          const sent = { ...others, ...(teamId ? { teamId: String(teamId) } : {}) };
          if (base) {
            const { id, version } = base;
            const outcome = await request(UpdateExpirationItem, { id, ifVersion: version, input: sent });
            return outcome.ok ? { ok: true, data: id } : outcome;
          }
          const required = { name: '', expirationDate: '', ...sent };
          const outcome = await request(CreateExpirationItem, { input: required });
          const id = outcome.ok && outcome.data.record?.id;
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
