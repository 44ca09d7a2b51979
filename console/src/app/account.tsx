import { chooseLanguage, type Language, language, languages, t } from '../i18n/i18n';
import { Button } from '../ui/button';
import { type Choice, SelectField } from '../ui/field';
import { Menu } from '../ui/menu';
import { caller, signOut } from './session';
import { pageSettings } from './settings';
import { chooseTheme, type Theme, theme } from './theme';

const languageChoices = Object.entries(languages).map(([value, label]) => ({
  value,
  label,
})) as Choice<Language>[];

/** Renders the account menu: the signed-in person, language, theme, signing out and developer tools. */
export function AccountMenu({ isSquare = false }: { readonly isSquare?: boolean }) {
  const { name = '', email = '', role = 'VIEWER' } = caller.value?.me ?? {};
  const themes: Choice<Theme>[] = [
    { value: 'auto', label: t('session.theme_auto') },
    { value: 'light', label: t('session.theme_light') },
    { value: 'dark', label: t('session.theme_dark') },
  ];
  return (
    <Menu label={isSquare ? t('session.account') : name} icon="user" isSquare={isSquare} weight="bare" isForm>
      {() => (
        <div class="stack">
          <div>
            <p class="strong">{name}</p>
            <p class="soft small">{email}</p>
            <p class="soft small">
              {t(`session.role_${role}`)} · {caller.value?.organization.name}
            </p>
          </div>
          <SelectField
            label={t('session.language')}
            value={language.value}
            onChange={chooseLanguage}
            choices={languageChoices}
          />
          <SelectField
            label={t('session.theme')}
            value={theme.value}
            onChange={chooseTheme}
            choices={themes}
          />
          <p class="line small">
            <a href="/docs" target="_blank" rel="noopener">
              {t('session.reference')}
            </a>
            {pageSettings.value?.editor && (
              <a href="/graphql" target="_blank" rel="noopener">
                {t('session.editor')}
              </a>
            )}
          </p>
          <Button icon="leave" onClick={signOut}>
            {t('session.sign_out')}
          </Button>
        </div>
      )}
    </Menu>
  );
}
