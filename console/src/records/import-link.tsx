import { may } from '../app/session';
import { t } from '../i18n/i18n';
import { LinkButton } from '../ui/button';

/** Renders the link that leads to the import of records of a list. */
export function ImportLink({ folder }: { readonly folder: string }) {
  if (!may('WRITE')) return null;
  return (
    <LinkButton href={`/imports?kind=${folder.slice(1)}`} icon="upload">
      {t('imports.import')}
    </LinkButton>
  );
}
