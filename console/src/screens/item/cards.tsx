import { useEffect, useMemo, useState } from 'preact/hooks';
import { mentioning, mentionsIn, withNames } from '../../../../src/domain/text/mentions';
import { addressOf } from '../../app/addresses';
import { caller, may } from '../../app/session';
import { request } from '../../data/client';
import { findMembers, optionsByIds } from '../../data/options';
import { type Page, usePages } from '../../data/pages';
import { ItemHolders } from '../../generated/operations/items';
import { CreateNote, DeleteNote, RestoreNote } from '../../generated/operations/note';
import { t } from '../../i18n/i18n';
import { isVisible, shownName } from '../../i18n/names';
import { ListFoot } from '../../list/table';
import { Form } from '../../records/form/form';
import { type Holder, kindOfHolder, nameOfHolder } from '../../records/holders';
import type { FieldSpec } from '../../records/record-type';
import { IconButton } from '../../ui/button';
import type { Option } from '../../ui/combobox';
import { Icon } from '../../ui/icon';
import { Card } from '../../ui/page';
import { Bones, FaultNote } from '../../ui/state';
import { Ago, Badge } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import type { ItemDetail, PartProps } from './fields';

const noteField: FieldSpec<unknown> = {
  type: 'area',
  name: 'bodyText',
  label: 'item.add_note',
  control: { required: true },
};

/** Lists the fields of a note: its text, and whom it mentions. */
function noteFields(teamId: string | undefined): readonly FieldSpec<unknown>[] {
  if (teamId === undefined) return [noteField];
  const mentioned: FieldSpec<unknown> = {
    type: 'records',
    name: 'mentioned',
    label: 'item.mention',
    hint: 'item.mention_hint',
    find: findMembers(teamId),
    chosen: () => [],
  };
  return [noteField, mentioned];
}

/** Returns whether a text mentions the person who reads it. */
const mentionsReader = (text: string | null): boolean =>
  mentionsIn(text).some(({ userId }) => userId === caller.value?.me.id);

/** Renders the text of a note, with the current names of those whom it mentions. */
function NoteText({ text }: { readonly text: string | null }) {
  const mentioned = mentionsIn(text).map(({ userId }) => userId);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (mentioned.length === 0) return;
    void optionsByIds(mentioned).then((found) =>
      // Somebody who cannot be found keeps the name that was written.
      setNames(
        new Map(found.flatMap(({ id, label }) => (id.startsWith(label) ? [] : [[id, label] as const]))),
      ),
    );
  }, [mentioned.join()]);
  return <p class="pre">{withNames(text ?? '', (id) => names.get(id))}</p>;
}

/** Renders the notes about the item, with a form for another one. */
export function Notes({ item, onChanged }: PartProps) {
  const [turn, setTurn] = useState(0);
  const { nodes } = item.notes;
  const teamId = item.team?.id;
  const fields = useMemo(() => noteFields(teamId), [teamId]);
  const relations = [{ entityId: item.id, kind: 'EXPIRATION_ITEM' } as const];
  async function remove(id: string) {
    const outcome = await request(DeleteNote, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    await onChanged();
    tell(t('item.note_deleted'), async () => {
      const restored = await request(RestoreNote, { id });
      if (!restored.ok) tellFault(restored.fault);
      await onChanged();
    });
  }
  if (nodes.length === 0 && !may('WRITE')) return null;
  return (
    <Card title={t('item.notes')}>
      <ul class="rows">
        {nodes.map(({ id, name, bodyText, created, author }) => (
          <li key={id} class="itemnote">
            <div class="grow">
              {isVisible(name) && <p class="strong">{name}</p>}
              <NoteText text={bodyText} />
              <p class="soft small">
                {author?.name} · <Ago moment={created} />{' '}
                {mentionsReader(bodyText) && <Badge urgency="near">{t('item.mentions_you')}</Badge>}
              </p>
            </div>
            {may('WRITE') && (
              <IconButton icon="trash" label={t('common.delete')} onClick={() => remove(id)} />
            )}
          </li>
        ))}
      </ul>
      {may('WRITE') && (
        <Form
          key={turn}
          fields={fields}
          keptAs={`note ${item.id}`}
          action={t('item.keep_note')}
          send={({ bodyText }, _base, { mentioned = [] }) => {
            const text = mentioning(String(bodyText), mentioned as readonly Option[]);
            return request(CreateNote, {
              input: { bodyText: text, relations, teamId: item.team?.id ?? null },
            });
          }}
          onDone={async () => {
            setTurn(turn + 1);
            await onChanged();
          }}
        />
      )}
    </Card>
  );
}

/** Renders whom the item is about, and how to reach them. */
export function People({ item }: { readonly item: ItemDetail }) {
  const { contact, contacts } = item;
  const all = contact ? [contact, ...contacts.filter(({ id }) => id !== contact.id)] : contacts;
  return (
    <Card title={t('fields.contacts')}>
      {all.length === 0 && <p class="soft">{t('item.contacts_none')}</p>}
      <ul class="rows">
        {all.map(({ id, name, email, phone, mobile }) => (
          <li key={id} class="person">
            <a class="strong" href={addressOf('CONTACT', id)}>
              {shownName(name, email)}
            </a>
            {id === contact?.id && <span class="soft small"> {t('fields.contact')}</span>}
            <p class="line small">
              <a href={`mailto:${email}`}>{email}</a>
              {[mobile, phone].filter(Boolean).map((number) => (
                <a key={number} href={`tel:${number}`}>
                  {number}
                </a>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The most holders that are named below the item's name. */
const mostNamed = 3;

/** Renders whose document the item is, in a line below its name. */
export function HolderLine({ item: { holders } }: { readonly item: ItemDetail }) {
  const named = holders.nodes.slice(0, mostNamed);
  const others = holders.totalCount - named.length;
  if (named.length === 0) return null;
  return (
    <p class="line holderline">
      <span class="soft">{t('fields.holders')}</span>
      {named.map((holder) => (
        <a key={holder.id} class="strong breaks" href={addressOf(kindOfHolder(holder), holder.id)}>
          {nameOfHolder(holder)}
        </a>
      ))}
      {others > 0 && <a href="#holders">{t('item.and_others', { n: others })}</a>}
    </p>
  );
}

const none: Page<Holder> = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };

/** Renders whose document the item is, by pages, if the line above lacks some. */
export function Holders({ item: { id, holders } }: { readonly item: ItemDetail }) {
  if (holders.totalCount <= mostNamed) return null;
  return <HoldersCard id={id} />;
}

function HoldersCard({ id }: { readonly id: string }) {
  const list = usePages(ItemHolders, { id }, ({ expirationItem }) => expirationItem?.holders ?? none, 20);
  return (
    <div id="holders">
      <Card title={t('fields.holders')}>
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {list.isFirst && <Bones rows={4} />}
        <ul class="rows">
          {list.rows.map((holder) => (
            <li key={holder.id}>
              <a class="rowlink" href={addressOf(kindOfHolder(holder), holder.id)}>
                <span class="breaks strong">{nameOfHolder(holder)}</span>
                <span class="soft small">{t(`kinds.${kindOfHolder(holder)}`)}</span>
              </a>
            </li>
          ))}
        </ul>
        <ListFoot list={list} />
      </Card>
    </div>
  );
}

/** Renders the item's locations, each with those around it. */
export function Places({ item }: { readonly item: ItemDetail }) {
  if (item.locations.length === 0) return null;
  return (
    <Card title={t('fields.locations')}>
      <ul class="stack tight">
        {item.locations.map(({ id, name, ancestors }) => (
          <li key={id} class="path">
            {ancestors.nodes.map((above) => (
              <span key={above.id} class="soft">
                {shownName(above.name)}
                <Icon name="next" />
              </span>
            ))}
            <a href={addressOf('LOCATION', id)}>{shownName(name)}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
