import { useState } from 'preact/hooks';
import { may } from '../../app/session';
import { request } from '../../data/client';
import { CreateNote, DeleteNote, RestoreNote } from '../../generated/operations/note';
import { t } from '../../i18n/i18n';
import { isVisible } from '../../i18n/names';
import { Button, IconButton } from '../../ui/button';
import { TextArea } from '../../ui/field';
import { Card } from '../../ui/page';
import { Ago } from '../../ui/status';
import { tell, tellFault } from '../../ui/toast';
import type { PartProps } from './item';

/** Renders the notes about the item, with a form for another one. */
export function Notes({ item, onChanged }: PartProps) {
  const [text, setText] = useState('');
  const { nodes } = item.notes;
  async function add(event: Event) {
    event.preventDefault();
    if (!text.trim()) return;
    const relations = [{ entityId: item.id, kind: 'EXPIRATION_ITEM' } as const];
    const outcome = await request(CreateNote, {
      input: { bodyText: text.trim(), relations, teamId: item.team?.id ?? null },
    });
    if (!outcome.ok) return tellFault(outcome.fault);
    setText('');
    await onChanged();
  }
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
        <form class="stack tight" onSubmit={add}>
          <TextArea label={t('item.add_note')} value={text} onInput={setText} />
          {text.trim() && (
            <div class="line">
              <Button type="submit">{t('item.keep_note')}</Button>
            </div>
          )}
        </form>
      )}
    </Card>
  );
}
