import { addressOf } from '../../app/addresses';
import { navigate } from '../../app/router';
import { request } from '../../data/client';
import { DeleteExpirationItem, RestoreExpirationItem } from '../../generated/operations/expirationItem';
import { CopyItem } from '../../generated/operations/items';
import { t } from '../../i18n/i18n';
import { LinkButton } from '../../ui/button';
import { Menu, MenuAction } from '../../ui/menu';
import { tell, tellFault } from '../../ui/toast';
import { archiveItems } from '../items/bulk';
import type { PartProps } from './item';

/** Renders the actions on the whole item. */
export function ItemActions({ item, onChanged }: PartProps) {
  const { id, name, version, isActive } = item;
  async function copy() {
    const outcome = await request(CopyItem, { id });
    if (!outcome.ok) return tellFault(outcome.fault);
    if (!outcome.data.copyExpirationItem) return;
    tell(t('item.copied'));
    navigate(`${addressOf('EXPIRATION_ITEM', outcome.data.copyExpirationItem.id)}?edit`);
  }
  async function remove() {
    const outcome = await request(DeleteExpirationItem, { id, ifVersion: version });
    if (!outcome.ok) {
      tellFault(outcome.fault);
      return onChanged();
    }
    navigate('/items');
    tell(t('common.deleted', { name }), async () => {
      const restored = await request(RestoreExpirationItem, { id });
      if (!restored.ok) return tellFault(restored.fault);
      tell(t('common.undone'));
      navigate(addressOf('EXPIRATION_ITEM', id));
    });
  }
  return (
    <>
      <LinkButton href={`${addressOf('EXPIRATION_ITEM', id)}?edit`} icon="edit">
        {t('common.edit')}
      </LinkButton>
      <Menu label={t('common.more')} icon="more" isSquare>
        {(close) => {
          const and = (work: () => unknown) => () => {
            close();
            void work();
          };
          return (
            <>
              <MenuAction
                icon="archive"
                onClick={and(async () => {
                  if (await archiveItems([item], !isActive)) await onChanged();
                })}
              >
                {t(isActive ? 'items.archive' : 'items.unarchive')}
              </MenuAction>
              <MenuAction icon="copy" onClick={and(copy)}>
                {t('item.copy')}
              </MenuAction>
              <MenuAction icon="trash" onClick={and(remove)}>
                {t('common.delete')}
              </MenuAction>
            </>
          );
        }}
      </Menu>
    </>
  );
}
