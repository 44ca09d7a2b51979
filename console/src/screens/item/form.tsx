import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { navigate, place } from '../../app/router';
import { caller } from '../../app/session';
import { useQuery } from '../../data/answers';
import { request } from '../../data/client';
import { optionsByIds } from '../../data/options';
import { CreateExpirationItem, UpdateExpirationItem } from '../../generated/operations/expirationItem';
import { CategoryFields } from '../../generated/operations/items';
import { t } from '../../i18n/i18n';
import type { CustomValue } from '../../records/form/draft';
import { Form } from '../../records/form/form';
import { addressOfHolder, holderKinds, holderOption } from '../../records/holders';
import type { Draft } from '../../records/record-type';
import type { Option } from '../../ui/combobox';
import { PageHead } from '../../ui/page';
import { Bones } from '../../ui/state';
import { tell } from '../../ui/toast';
import { type Field, type ItemDetail, idIn, itemFields, type TypeDetail } from './fields';
import { addFiles } from './files';

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

/** Lists the fields of an item's form. A list that is not here as a whole would lose what is not here. */
function editedFields(item: ItemDetail, type: TypeDetail | undefined): readonly Field[] {
  const { totalCount, nodes } = item.holders;
  return itemFields(type).filter(({ name }) => name !== 'holders' || totalCount <= nodes.length);
}

/** Returns an id of the address, if it has the form of one. */
function idInAddress(name: string): string | undefined {
  const [, id] =
    /^(?:[A-Z]+:)?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i.exec(
      place.peek().search.get(name) ?? '',
    ) ?? [];
  return id;
}

/** Reads the first values of a new item. Its address may say its type, its workspace, and whose paper it is. */
async function readFirstValues(): Promise<Draft> {
  const names = ['team', 'type', 'holder'];
  const ids = names.map(idInAddress);
  const found = await optionsByIds(ids.flatMap((id) => id ?? []));
  const [team, category, holder] = ids.map((id) => found.find((option) => option.id === id));
  const kind = holderKinds.find((one) => place.peek().search.get('holder')?.startsWith(`${one}:`));
  const own = caller.value?.me.team;
  return {
    teamId: team ?? (own && { id: own.id, label: own.name }),
    category,
    holders: holder && kind ? [holderOption(kind, holder.id, holder.label)] : [],
  };
}

interface ItemFormProps {
  /** The item that is edited; undefined for a new one. */
  readonly item?: ItemDetail;
  readonly onChanged?: () => Promise<void>;
}

/** Renders the form of an item. */
export function ItemForm({ item, onChanged }: ItemFormProps) {
  const [categoryId, setCategoryId] = useState(item ? item.category?.id : idInAddress('type'));
  const [first, setFirst] = useState<Draft>();
  useEffect(() => {
    if (!item) void readFirstValues().then(setFirst);
  }, []);
  const query = useQuery(categoryId ? CategoryFields : undefined, { id: categoryId ?? '' });
  const type = query.data?.category ?? undefined;
  const [holder] = (first?.holders ?? []) as readonly Option[];
  const leave = (id?: string) =>
    navigate(id ? addressOf('EXPIRATION_ITEM', id) : holder ? addressOfHolder(holder) : '/items', {
      replace: true,
    });
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
      {!item && !first && <Bones rows={8} />}
      {(item || first) && (
        <Form
          kind="EXPIRATION_ITEM"
          fields={item ? editedFields(item, type) : [...itemFields(type), files]}
          {...(item ? { row: item } : { isFocused: true, ...(first && { initial: first }) })}
          keptAs={`EXPIRATION_ITEM ${item?.id ?? 'new'}`}
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
      )}
    </>
  );
}
