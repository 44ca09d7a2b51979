import { useState } from 'preact/hooks';
import { may } from '../../app/session';
import { request } from '../../data/client';
import { CreateNote, DeleteNote, RestoreNote } from '../../generated/operations/note';
import { t } from '../../i18n/i18n';
import { isVisible } from '../../i18n/names';
import { Form } from '../../records/form/form';
import type { FieldSpec } from '../../records/record-type';
import { IconButton } from '../../ui/button';
import { Card } from '../../ui/page';
import { Ago } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import type { PartProps } from './item';

const fields: readonly FieldSpec<unknown>[] = [
  { type: 'area', name: 'bodyText', label: 'item.add_note', control: { required: true } },
];

/** Renders the notes about the item, with a form for another one. */
export function Notes({ item, onChanged }: PartProps) {
  const [turn, setTurn] = useState(0);
  const { nodes } = item.notes;
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
              <p class="pre">{bodyText}</p>
              <p class="soft small">
                {author?.name} · <Ago moment={created} />
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
          action={t('item.keep_note')}
          send={({ bodyText }) =>
            request(CreateNote, {
              input: { bodyText: String(bodyText), relations, teamId: item.team?.id ?? null },
            })
          }
          onDone={async () => {
            setTurn(turn + 1);
            await onChanged();
          }}
        />
      )}
    </Card>
  );
}
