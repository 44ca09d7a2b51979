import { useState } from 'preact/hooks';
import { place } from '../app/router';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Menu } from '../ui/menu';
import { tell } from '../ui/toast';
import { dropView, saveView, viewsOf } from './views';

/** Renders the saved views, and the button that saves the current one. */
export function ViewsMenu({ list }: { readonly list: string }) {
  const [name, setName] = useState('');
  const { path, search } = place.value;
  const views = viewsOf(list);
  return (
    <Menu label={t('list.views')} icon="star" isForm>
      {(close) => (
        <div class="stack">
          {views.length === 0 && <p class="soft small">{t('list.views_none')}</p>}
          {views.length > 0 && (
            <ul class="nav">
              {views.map((view) => (
                <li key={view.name} class="line">
                  <a class="grow" href={`${path}?${view.search}`} onClick={close}>
                    {view.name}
                  </a>
                  <Button
                    weight="bare"
                    icon="close"
                    aria-label={t('common.remove', { name: view.name })}
                    onClick={() => {
                      dropView(view);
                      tell(t('common.deleted', { name: view.name }), () => saveView(view));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          <form
            class="stack tight"
            onSubmit={(event) => {
              event.preventDefault();
              if (!name.trim()) return;
              saveView({ name: name.trim(), list, search: search.toString() });
              tell(t('list.view_saved', { name: name.trim() }));
              setName('');
              close();
            }}
          >
            <TextField
              label={t('list.view_name')}
              value={name}
              onInput={setName}
              control={{ maxLength: 60 }}
            />
            <Button type="submit">{t('list.view_save')}</Button>
          </form>
        </div>
      )}
    </Menu>
  );
}
